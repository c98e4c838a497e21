package dev.sluice.cli.gateway;

import dev.sluice.cli.command.ExitCode;
import dev.sluice.cli.command.Signals;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.log.GatewayLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The end of a running gateway: a first signal drains it, a second one ends the process. */
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
            log.flush();
            Runtime.getRuntime().halt(ExitCode.FAILED);
        }
        asked.countDown();
    }

    /** Requests the same as a first signal, for the admin socket. */
    void request() {
        asked.countDown();
    }

    /** Returns whether a signal or a request has come. May be called from any thread. */
    boolean isRequested() {
        return asked.getCount() == 0;
    }

    /**
     * Waits for a signal to end.
     *
     * @return true when it has come, false when the time is over
     */
    boolean awaitSignal(Duration limit) throws InterruptedException {
        return asked.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Drains, and logs what was served. */
    void run(Gateway gateway, ServiceManager manager) throws InterruptedException {
        Duration grace = gateway.config().drain();
        long open = gateway.openConnections();
        manager.stopping("draining " + open + " connections for " + Quantities.text(grace));
        log.info("draining: no new connections; " + open + " open connections have " + Quantities.text(grace)
                + "; a second signal ends at once");
        boolean allEnded = gateway.drain(grace);
        log.info((allEnded ? "drained: " : "grace period over, the rest was reset: ") + gateway.summary());
    }
}
