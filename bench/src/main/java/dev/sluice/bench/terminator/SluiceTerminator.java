package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.process.GatewayYaml;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.OpenSslVersion;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import dev.sluice.config.model.WarmUpMode;
import dev.sluice.tls.context.HandshakePath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Our gateway with one event loop, in its own JVM. Its CPU time is that of the whole JVM, including compiler and
 * collector.
 *
 * @param identity its identity
 * @param transport its transport, as named in the configuration
 * @param handshake its way to handshakes
 * @param warmUp its warm-up, which only a cold start waits for
 */
record SluiceTerminator(Identity identity, String transport, HandshakePath handshake, WarmUpMode warmUp)
        implements Terminator {
    /** The launcher makes the JVM trim the C library's heap every 5 s. */
    private static final long SETTLE_MILLIS = 5_500;

    private static final String EPOLL = "epoll";
    private static final String IO_URING = "io_uring";

    /** Returns the gateway on epoll. */
    static SluiceTerminator onEpoll() {
        return on(EPOLL, "", HandshakePath.AUTO, WarmUpMode.OFF);
    }

    /** Returns the gateway on io_uring. */
    static SluiceTerminator onIoUring() {
        return on(IO_URING, "", HandshakePath.AUTO, WarmUpMode.OFF);
    }

    /** Returns the gateway on io_uring with all handshakes in libssl. */
    static SluiceTerminator inLibssl() {
        return on(IO_URING, ", libssl", HandshakePath.LIBSSL, WarmUpMode.OFF);
    }

    /** Returns the gateway on io_uring with its warm-up. */
    static SluiceTerminator warmedUp() {
        return on(IO_URING, ", warmed up", HandshakePath.AUTO, WarmUpMode.ON);
    }

    private static SluiceTerminator on(String transport, String variant, HandshakePath handshake, WarmUpMode warmUp) {
        Identity identity = Identity.of("Sluice, " + transport + variant, Role.SUBJECT);
        return new SluiceTerminator(identity, transport, handshake, warmUp);
    }

    @Override
    public String readyText() {
        return warmUp == WarmUpMode.ON ? "warmed up" : "";
    }

    @Override
    public boolean tls() {
        return true;
    }

    @Override
    public Terminator again() {
        return new SluiceTerminator(Identity.controlOf(identity.name()), transport, handshake, warmUp);
    }

    @Override
    public Optional<String> unavailable() {
        return SluiceProgram.unavailable();
    }

    @Override
    public String version(Site site) throws InterruptedException {
        String said = Output.of(command(site, List.of("version")), site.environment());
        String version = said.lines().findFirst().orElse("unknown").replaceFirst("sluice\\s+", "");
        return version + " on OpenSSL " + OpenSslVersion.ofSluice(said) + ", JVM options: "
                + String.join(" ", flagsForPeople());
    }

    @Override
    public long settleMillis() {
        return SETTLE_MILLIS;
    }

    @Override
    public ManagedProcess start(Site site, int port, int backendPort) {
        String name = "sluice-" + port;
        Path config = site.write(name + ".yaml", yaml(site, port, backendPort));
        List<String> command = command(site, List.of("gateway", "--config", config.toString()));
        return ManagedProcess.start(
                identity.name(),
                site.cores().onServerCore(command),
                site.environment(),
                site.directory().resolve(name + ".log"));
    }

    private String yaml(Site site, int port, int backendPort) {
        String yaml = GatewayYaml.of(site, transport, port, backendPort);
        if (handshake == HandshakePath.LIBSSL) {
            yaml = yaml.replace("    backend: load\n", "    backend: load\n    handshake: libssl\n");
        }
        return warmUp == WarmUpMode.ON ? yaml.replace("warm-up: off\n", "") : yaml;
    }

    private static List<String> command(Site site, List<String> arguments) {
        return command(site, List.of(), arguments);
    }

    /** Returns the command with more options for the JVM. */
    static List<String> command(Site site, List<String> options, List<String> arguments) {
        return SluiceProgram.command(site, options, arguments);
    }

    /** Returns the options for display, without the directory of the AOT cache. */
    private static List<String> flagsForPeople() {
        return JavaCommand.flagsOfThisProcess().stream()
                .map(flag -> flag.replaceFirst("=/.*/", "="))
                .toList();
    }
}
