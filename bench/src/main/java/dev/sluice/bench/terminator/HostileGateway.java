package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.GatewayYaml;
import dev.sluice.bench.process.ManagedProcess;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import dev.sluice.bench.process.Usage;
import dev.sluice.bench.scrape.GatewayFigures;
import dev.sluice.bench.scrape.MetricsPage;
import dev.sluice.bench.scrape.Scraper;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The gateway under attack, as run by users, with its metrics. */
final class HostileGateway implements AutoCloseable {
    private static final long START_SECONDS_MAX = 20;
    private static final long POLL_MILLIS = 100;

    /**
     * The time limit of handshakes: short, so that silent clients are ended, but long enough for hostile clients with
     * little CPU time.
     */
    private static final String HANDSHAKE_TIMEOUT = "3s";

    private final ManagedProcess process;
    private final int port;
    private final int adminPort;

    private HostileGateway(ManagedProcess process, int port, int adminPort) {
        this.process = process;
        this.port = port;
        this.adminPort = adminPort;
    }

    /** Starts it on the servers' core and waits until it serves. */
    static HostileGateway start(Site site, SluiceTerminator terminator, int backendPort) {
        int port = Ports.free();
        int adminPort = Ports.free();
        Path config = site.write(
                "hostile.yaml",
                GatewayYaml.of(site, terminator.transport(), port, backendPort) + "admin: {address: \"127.0.0.1:"
                        + adminPort + "\"}\nlimits: {handshake-timeout: " + HANDSHAKE_TIMEOUT + "}\n");
        Path log = site.directory().resolve("hostile-gateway.log");
        List<String> command = SluiceTerminator.command(
                site, SluiceProgram.classPath(), List.of("gateway", "--config", config.toString()));
        ManagedProcess process =
                ManagedProcess.start("gateway", site.cores().onServerCore(command), site.environment(), log);
        HostileGateway gateway = new HostileGateway(process, port, adminPort);
        try {
            gateway.awaitService();
            return gateway;
        } catch (RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    private void awaitService() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (true) {
            try {
                Scraper.page(adminPort);
                return;
            } catch (BenchException notYet) {
                process.requireAlive();
                if (System.nanoTime() - end > 0) {
                    throw notYet;
                }
                pause(POLL_MILLIS);
            }
        }
    }

    /** Returns its port on 127.0.0.1. */
    int port() {
        return port;
    }

    /** Returns its current figures. */
    GatewayFigures figures() {
        process.requireAlive();
        long resident = Usage.residentBytes(process.tree());
        return GatewayFigures.of(
                new MetricsPage(Scraper.page(adminPort)),
                resident,
                Usage.descriptors(process.pid()),
                process.logLines());
    }

    /**
     * Returns its figures once at most so many connections are open, or after a time limit.
     *
     * @param sessions expected number of remaining connections
     */
    GatewayFigures settled(long sessions, long limitMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        GatewayFigures figures = figures();
        while (figures.sessions() > sessions && System.nanoTime() - end < 0) {
            pause(POLL_MILLIS);
            figures = figures();
        }
        return figures;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
