package dev.sluice.bench.endurance;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.Certificate;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import dev.sluice.bench.process.Usage;
import dev.sluice.bench.scrape.GatewayFigures;
import dev.sluice.bench.scrape.MetricsPage;
import dev.sluice.bench.scrape.Scraper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The gateway as run by users, with a certificate that is renewed, keys of tickets that rotate each minute, and
 * processes that replace each other. Used by one thread.
 */
final class RestartedGateway implements AutoCloseable {
    /** The longest time for which a replaced process serves its connections; longer than clients keep one. */
    static final int DRAIN_SECONDS = 45;

    private static final long READY_SECONDS_MAX = 60;
    private static final long POLL_MILLIS = 100;
    private static final int LISTED_ERRORS_MAX = 3;

    private final Site site;
    private final Settings settings;
    private final List<Generation> draining = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private Generation newest;
    private @Nullable Generation replacement;
    private int generations;

    /**
     * The settings that all processes have in common.
     *
     * @param transport as named in the configuration
     * @param port port on 127.0.0.1 for clients
     * @param backendPorts ports on 127.0.0.1 of the backends
     */
    record Settings(String transport, int port, List<Integer> backendPorts) {}

    /**
     * A process.
     *
     * @param number from 1
     * @param log its log, JSON lines
     */
    private record Generation(int number, ManagedProcess process, int adminPort, Path log) {}

    private RestartedGateway(Site site, Settings settings) {
        this.site = site;
        this.settings = settings;
        renewCertificate();
        this.newest = launch(List.of());
    }

    /** Starts the first process, and waits until it serves. */
    static RestartedGateway start(Site site, Settings settings) {
        RestartedGateway gateway = new RestartedGateway(site, settings);
        try {
            gateway.awaitService(gateway.newest);
            return gateway;
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    /** Installs a new certificate, and requests a reload; does not wait. */
    void reload() {
        renewCertificate();
        try {
            Output.of(List.of("kill", "-HUP", Long.toString(newest.process.pid())), Map.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts a process in place of the newest one; does not wait until it has taken over. */
    void replace() {
        if (replacement != null) {
            faults.add("the hot restart before has not ended yet");
            return;
        }
        replacement = launch(List.of("--replace"));
    }

    /** Makes the process that replaces the newest one the newest, as soon as it serves. */
    private void adoptReplacement() {
        Generation next = replacement;
        if (next != null && serves(next)) {
            draining.add(newest);
            newest = next;
            replacement = null;
        }
    }

    private static boolean serves(Generation generation) {
        generation.process.requireAlive();
        try {
            Scraper.page(generation.adminPort);
            return true;
        } catch (BenchException notYet) {
            return false;
        }
    }

    private Generation launch(List<String> options) {
        int number = ++generations;
        int adminPort = Ports.free();
        Path config = site.write("gateway-" + number + ".yaml", yaml(adminPort));
        Path log = site.directory().resolve("gateway-" + number + ".log");
        List<String> arguments = new ArrayList<>(List.of("gateway", "--config", config.toString()));
        arguments.addAll(options);
        List<String> command = SluiceProgram.command(site, SluiceProgram.classPath(), arguments);
        ManagedProcess process =
                ManagedProcess.start("gateway " + number, site.cores().onServerCore(command), site.environment(), log);
        return new Generation(number, process, adminPort, log);
    }

    private String yaml(int adminPort) {
        String servers = settings.backendPorts.stream()
                .map(port -> "\"127.0.0.1:" + port + "\"")
                .collect(Collectors.joining(", "));
        return """
                loops: 1
                transport: %1$s
                drain: %2$ds
                log: {format: json}
                admin: {socket: "unix:%3$s/admin.sock", address: "127.0.0.1:%4$d"}
                tickets: {store: "local:%3$s/tickets", rotate: 1m, keep: 2m}
                listeners:
                  - {address: "127.0.0.1:%5$d", certificates: [bench], backend: load}
                certificates:
                  bench: {chain: %6$s, key: %6$s}
                backends:
                  load: {servers: [%7$s]}
                """.formatted(
                settings.transport, DRAIN_SECONDS, site.directory(), adminPort, settings.port, certificate(), servers);
    }

    /** The certificate and its key in one file, so that a renewal replaces both at once. */
    private Path certificate() {
        return site.directory().resolve("serving.pem");
    }

    private void renewCertificate() {
        Path making = site.directory().resolve("renewal");
        try {
            Files.createDirectories(making);
            Certificate renewed = Certificate.make(making, Certificate.Kind.ECDSA_P256);
            Files.move(
                    renewed.both(), certificate(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new BenchException("cannot renew the certificate: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    private void awaitService(Generation generation) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS_MAX);
        while (!serves(generation)) {
            if (System.nanoTime() - end > 0) {
                throw new BenchException(
                        "the gateway is not ready after " + READY_SECONDS_MAX + " s:\n" + generation.process.logTail());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    /** Returns the metrics of the newest process that serves. */
    MetricsPage page() {
        adoptReplacement();
        return new MetricsPage(Scraper.page(newest.adminPort));
    }

    /** Returns the newest process's resources; the resident memory is that of all processes. */
    GatewayFigures figures(MetricsPage page) {
        newest.process.requireAlive();
        forgetEnded();
        List<Long> pids = new ArrayList<>(newest.process.tree());
        running().forEach(other -> pids.addAll(other.process.tree()));
        return GatewayFigures.of(
                page, Usage.residentBytes(pids), Usage.descriptors(newest.process.pid()), newest.process.logLines());
    }

    /** Returns the number of processes: those that start or drain among them. */
    int processes() {
        return 1 + running().size();
    }

    /** Returns the processes besides the newest that serves. */
    private List<Generation> running() {
        return Stream.concat(draining.stream(), Stream.ofNullable(replacement)).toList();
    }

    /** Checks how the replaced processes that have ended did so. */
    private void forgetEnded() {
        List<Generation> ended =
                draining.stream().filter(old -> !old.process.alive()).toList();
        draining.removeAll(ended);
        ended.forEach(this::requireSuccess);
    }

    private void requireSuccess(Generation ended) {
        try {
            ended.process.requireSuccess();
        } catch (BenchException failed) {
            faults.add(String.valueOf(failed.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns what its processes did wrong until now: errors in their logs, and their exit codes. */
    List<String> faults() {
        forgetEnded();
        List<String> all = new ArrayList<>(faults);
        running().forEach(other -> all.add("gateway " + other.number + " still runs beside gateway " + newest.number));
        for (int number = 1; number <= generations; number++) {
            Path log = site.directory().resolve("gateway-" + number + ".log");
            try (Stream<String> lines = Files.lines(log)) {
                lines.filter(line -> line.contains("\"level\":\"error\"") || line.contains(" ERROR "))
                        .limit(LISTED_ERRORS_MAX)
                        .forEach(line -> all.add(log.getFileName() + ": " + line));
            } catch (IOException e) {
                throw new BenchException("cannot read " + log + ": " + e, e);
            }
        }
        return all;
    }

    /** Ends all processes. */
    @Override
    public void close() {
        running().forEach(other -> other.process.close());
        newest.process.close();
    }
}
