package dev.sluice.bench.terminator;

import dev.sluice.bench.handshake.LibraryMain;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Certificate;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.Site;
import dev.sluice.tls.context.ProtocolVersion;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sites, loads and gateways: a site for each key type, a load for each version, a gateway for each pair. Owns all of
 * them, and their processes.
 */
final class GatewayParts implements AutoCloseable {
    private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC");

    private final Optional<Path> openssl;
    private final PrintStream progress;
    private final Deque<AutoCloseable> begun = new ArrayDeque<>();
    private final Map<Certificate.Kind, Site> sites = new EnumMap<>(Certificate.Kind.class);
    private final Map<ProtocolVersion, LoadProcess> loads = new EnumMap<>(ProtocolVersion.class);
    private final Map<String, Fleet> fleets = new LinkedHashMap<>();
    private @Nullable AskedProcess library;

    /**
     * Starts the loads.
     *
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     * @param progress reports processes that could not be ended
     */
    GatewayParts(Optional<Path> openssl, PrintStream progress) throws InterruptedException {
        this.openssl = openssl;
        this.progress = progress;
        Cores cores = Cores.choose();
        for (Certificate.Kind kind : Certificate.Kind.values()) {
            Site site = Site.create(cores, openssl, kind);
            begun.push(site);
            sites.put(kind, site);
        }
        for (ProtocolVersion version : ProtocolVersion.values()) {
            LoadProcess load = startLoad(version);
            begun.push(load);
            loads.put(version, load);
        }
    }

    private LoadProcess startLoad(ProtocolVersion version) {
        List<String> arguments = version == ProtocolVersion.TLS_1_2 ? List.of(LoadMain.TLS_1_2) : List.of();
        return LoadProcess.start(
                anySite().cores().onLoadCore(command(LoadMain.class, arguments)),
                anySite().directory().resolve("load-" + version + ".log"));
    }

    private List<String> command(Class<?> main, List<String> arguments) {
        List<String> flags = new ArrayList<>(FLAGS);
        openssl.ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        String module = main.getModule().isNamed() ? main.getModule().getName() : "";
        return JavaCommand.of(flags, module, main.getName(), arguments);
    }

    Site anySite() {
        return site(Certificate.Kind.ECDSA_P256);
    }

    Site site(Certificate.Kind kind) {
        return Objects.requireNonNull(sites.get(kind));
    }

    LoadProcess load(ProtocolVersion version) {
        return Objects.requireNonNull(loads.get(version));
    }

    /** Returns the fleet of gateways with a key type and a version. */
    Fleet fleet(Certificate.Kind certificate, ProtocolVersion version) {
        return fleets.computeIfAbsent(certificate + " " + version, key -> new Fleet(site(certificate), load(version)));
    }

    /** Returns the process for handshakes without sockets; started on first use. */
    AskedProcess library() {
        AskedProcess running = library;
        if (running == null) {
            running = AskedProcess.start(
                    "libssl",
                    anySite().cores().onServerCore(command(LibraryMain.class, List.of())),
                    Map.of(),
                    anySite().directory().resolve("libssl.log"));
            begun.push(running);
            library = running;
        }
        return running;
    }

    @Override
    public void close() {
        fleets.values().forEach(Fleet::close);
        while (!begun.isEmpty()) {
            try {
                begun.pop().close();
            } catch (Exception e) {
                progress.println("cannot be ended: " + e);
            }
        }
    }
}
