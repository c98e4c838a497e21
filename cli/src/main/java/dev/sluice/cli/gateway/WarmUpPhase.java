package dev.sluice.cli.gateway;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.WarmUpMode;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.log.GatewayLog;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The warm-up in the life of a gateway's process: once, before a hot restart takes the sockets, or beside a gateway
 * that listens already and is reported as ready when it is over. A warm-up that fails costs a warning.
 *
 * <p>For one thread, that of the process's life.
 */
final class WarmUpPhase {
    /** The state of the warm-up. */
    private enum Progress {
        /** It has not run yet, and is to. */
        PENDING,
        /** It has run or is under way, or is switched off. */
        SETTLED
    }

    private final GatewayConfig config;
    private final ServiceManager manager;
    private final BooleanSupplier isEnding;
    private final GatewayLog log;
    private final WarmUpLoad.Limits limits;
    private Progress progress;
    private volatile boolean ended;
    private @Nullable Thread thread;

    /**
     * Creates the phase of a process; nothing runs yet.
     *
     * @param manager readiness is held back from it meanwhile
     * @param isEnding asked from another thread: true when the process is about to end, which ends the warm-up
     */
    WarmUpPhase(GatewayConfig config, ServiceManager manager, BooleanSupplier isEnding, GatewayLog log) {
        this(config, manager, isEnding, log, WarmUpLoad.Limits.DEFAULT);
    }

    WarmUpPhase(
            GatewayConfig config,
            ServiceManager manager,
            BooleanSupplier isEnding,
            GatewayLog log,
            WarmUpLoad.Limits limits) {
        this.config = config;
        this.manager = manager;
        this.isEnding = isEnding;
        this.log = log;
        this.limits = limits;
        this.progress = config.warmUp() == WarmUpMode.OFF ? Progress.SETTLED : Progress.PENDING;
    }

    /** Warms up, unless that is settled; returns when it is over. */
    void run() throws InterruptedException {
        if (progress == Progress.PENDING) {
            start(() -> {}).join();
        }
    }

    /**
     * Warms up beside a gateway, unless that is settled, and reports it as ready after that.
     *
     * @param status for the service manager when it is ready
     */
    void runBeside(Gateway gateway, String status) {
        if (progress == Progress.SETTLED) {
            manager.ready(status);
            return;
        }
        gateway.warming(true);
        var _ = start(() -> {
            gateway.warming(false);
            manager.ready(status);
        });
    }

    private Thread start(Runnable ready) {
        progress = Progress.SETTLED;
        manager.warming();
        // A thread of its own, since its priority stays lowered.
        Thread started = Thread.ofPlatform().name("warm-up").daemon().start(() -> {
            try {
                warmUp();
            } finally {
                if (!isUnwanted()) {
                    manager.warmedUp();
                    ready.run();
                }
            }
        });
        thread = started;
        return started;
    }

    private void warmUp() {
        long begin = System.nanoTime();
        try {
            int connections = WarmUpLoad.run(config, limits, this::isUnwanted);
            if (!isUnwanted()) {
                log.info("warmed up by " + connections + " connections with itself in "
                        + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
                leaveCompilersSpareTime();
            }
        } catch (IOException | RuntimeException e) {
            log.warn("warm-up failed (" + e + "); the first handshakes cost several times more CPU; warm-up: off"
                    + " switches it off");
        }
    }

    private void leaveCompilersSpareTime() {
        String keep = "the JIT compiler keeps its priority, and may delay connections where no core is idle (";
        try {
            if (CompilerThreads.leaveSpareTime() == 0) {
                log.info(keep + "the system refuses SCHED_IDLE; permit sched_setscheduler(2))");
            }
        } catch (IOException e) {
            log.info(keep + e + ")");
        }
    }

    private boolean isUnwanted() {
        return ended || isEnding.getAsBoolean();
    }

    /**
     * Ends a warm-up that is under way, and waits for its end: everything native is freed then. Readiness is not
     * reported any more. Idempotent.
     */
    void end() throws InterruptedException {
        ended = true;
        if (thread != null) {
            thread.join();
        }
    }
}
