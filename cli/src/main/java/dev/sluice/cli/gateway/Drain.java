package dev.sluice.cli.gateway;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.Signals;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayLog;
import dev.sluice.gateway.GatewayStatistics;
import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.GatewayStatistics.Staples;
import dev.sluice.gateway.config.Quantities;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The shutdown of a running gateway: a first signal drains it, a second one ends the process. */
final class Drain {
    private final GatewayLog log;
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicInteger signals = new AtomicInteger();

    /** Starts listening for signals. */
    Drain(GatewayLog log) {
        this.log = log;
        Signals.onTerminate(this::onSignal);
    }

    private void onSignal() {
        if (signals.incrementAndGet() > 1) {
            log.warn("second signal: ending at once");
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
        asked.countDown();
    }

    /** Requests a drain from the admin socket, like a signal. */
    void request() {
        asked.countDown();
    }

    /**
     * Waits for a signal to end.
     *
     * @return true when it has come, false when the time is over
     */
    boolean awaitSignal(Duration limit) throws InterruptedException {
        return asked.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Drains, and logs a summary. */
    void run(Gateway gateway, ServiceManager manager) throws InterruptedException {
        Duration grace = gateway.config().drain();
        GatewayStatistics statistics = gateway.statistics();
        manager.stopping("draining " + statistics.openConnections() + " connections for " + Quantities.text(grace));
        log.info("draining: no new connections; " + statistics.openConnections() + " open ones have "
                + Quantities.text(grace) + "; a second signal ends at once");
        boolean allEnded = gateway.drain(grace);
        log.info((allEnded ? "drained: " : "grace period over, the rest was reset: ") + summary(statistics));
    }

    /** Returns the early-data summary; empty if no listener accepts early data. */
    private static String earlyData(GatewayStatistics statistics) {
        long accepted = statistics.get(Counter.EARLY_DATA_ACCEPTED);
        Map<String, Long> refused = statistics.earlyDataRefused();
        return accepted == 0 && refused.isEmpty()
                ? ""
                : "; early data: " + accepted + " accepted, " + statistics.get(Counter.EARLY_DATA_FORWARDED)
                        + " of these forwarded, refused: " + refused;
    }

    /** Returns the backend summary; empty if all servers were healthy. */
    private static String backends(GatewayStatistics statistics) {
        long failures = statistics.get(Counter.BACKEND_CONNECT_FAILURES);
        long failedChecks = statistics.get(Counter.HEALTH_CHECKS_FAILED);
        return failures == 0 && failedChecks == 0
                ? ""
                : "; backends: " + failures + " connects failed, "
                        + statistics.get(Counter.BACKEND_EJECTIONS) + " times a server was passed over for it, "
                        + failedChecks + " of " + statistics.get(Counter.HEALTH_CHECKS) + " checks failed";
    }

    /** Returns the stapling summary; empty if no certificate has a responder. */
    private static String staples(GatewayStatistics statistics) {
        Staples staples = statistics.staples();
        return staples.certificates() == 0
                ? ""
                : "; ocsp: " + staples.stapled() + " of " + staples.certificates()
                        + " certificates stapled, the oldest "
                        + staples.oldest().toSeconds() + "s old, " + staples.given() + " given, " + staples.fetched()
                        + " fetched, " + staples.failed() + " failed";
    }

    private static String summary(GatewayStatistics statistics) {
        return statistics.get(Counter.ACCEPTED) + " connections, " + statistics.get(Counter.HANDSHAKES_FULL)
                + " full and " + statistics.get(Counter.HANDSHAKES_RESUMED) + " resumed handshakes ("
                + statistics.get(Counter.HANDSHAKES_QUEUED) + " queued, "
                + statistics.get(Counter.HANDSHAKES_REFUSED) + " refused), "
                + statistics.get(Counter.BYTES_TO_BACKEND) + " bytes to backends, "
                + statistics.get(Counter.BYTES_TO_CLIENT) + " bytes to clients; records: "
                + statistics.records() + earlyData(statistics) + backends(statistics) + staples(statistics) + "; ends: "
                + statistics.ends();
    }
}
