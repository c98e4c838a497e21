package dev.sluice.cli.gateway;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.WarmUpMode;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.log.GatewayLog;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The warm-up in the life of a gateway's process: once, before a hot restart takes the sockets, or beside a gateway
 * that listens already and is reported as ready when it is over. A warm-up that fails costs a warning.
 */
final class WarmUpPhase {
    private final GatewayConfig config;
    private final GatewayLog log;
    private final WarmUpLoad.Limits limits;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean unwanted;
    private volatile boolean done;
    private @Nullable Thread thread;

    WarmUpPhase(GatewayConfig config, GatewayLog log) {
        this(config, log, WarmUpLoad.Limits.DEFAULT);
    }

    WarmUpPhase(GatewayConfig config, GatewayLog log, WarmUpLoad.Limits limits) {
        this.config = config;
        this.log = log;
        this.limits = limits;
        this.done = config.warmUp() == WarmUpMode.OFF;
    }

    /** Warms up, unless that is done or switched off; returns when it is over. */
    void run() throws InterruptedException {
        if (!done) {
            start(() -> {});
            over.await();
        }
    }

    /**
     * Warms up beside a gateway, unless that is done or switched off.
     *
     * @param ready runs when it is over, in another thread if there is something to do
     */
    void runBeside(Gateway gateway, Runnable ready) {
        if (done) {
            ready.run();
            return;
        }
        gateway.warming(true);
        start(() -> {
            gateway.warming(false);
            if (!unwanted) {
                ready.run();
            }
        });
    }

    private void start(Runnable after) {
        // A thread of its own, since its priority stays lowered.
        thread = Thread.ofPlatform().name("warm-up").daemon().start(() -> {
            try {
                long begin = System.nanoTime();
                int connections = WarmUpLoad.run(config, limits, () -> unwanted);
                log.info("warmed up by " + connections + " connections with itself in "
                        + (System.nanoTime() - begin) / 1_000_000 + " ms");
            } catch (IOException | RuntimeException e) {
                log.warn("warm-up failed (" + e + "); the first handshakes cost several times more CPU; warm-up: off"
                        + " switches it off");
            } finally {
                done = true;
                over.countDown();
                after.run();
            }
        });
    }

    /** Ends a warm-up that is under way, and waits for its end: everything native is freed then. */
    void end() throws InterruptedException {
        unwanted = true;
        if (thread != null) {
            thread.join();
        }
    }
}
