package dev.sluice.gateway;

import dev.sluice.gateway.config.TicketConfig;
import dev.sluice.tls.TicketKeyRing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Keeps a gateway's ticket keys rotating, on a thread of its own. */
final class TicketRotation implements AutoCloseable {
    /** Wakes up this often at least, so that a clock that was set is noticed. */
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

    private final TicketKeyRing keys;
    private final GatewayLog log;
    private final InstantSource clock = InstantSource.system();
    private final ScheduledThreadPoolExecutor timer;

    private TicketRotation(TicketConfig config, GatewayLog log) {
        this.keys = new TicketKeyRing(config.rotate(), config.keep(), clock);
        this.log = log;
        this.timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("ticket-keys").factory());
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    static TicketRotation start(TicketConfig config, GatewayLog log) {
        TicketRotation rotation = new TicketRotation(config, log);
        rotation.advance();
        return rotation;
    }

    TicketKeyRing keys() {
        return keys;
    }

    private void advance() {
        Duration pause = LONGEST_SLEEP;
        try {
            Instant next = keys.advance();
            pause = Duration.between(clock.instant(), next);
        } catch (RuntimeException e) {
            log.warn("ticket keys were not rotated, and the old ones go on; tried again in a minute: " + e);
        }
        long millis = Math.clamp(pause.toMillis(), 1, LONGEST_SLEEP.toMillis());
        var _ = timer.schedule(this::advance, millis, TimeUnit.MILLISECONDS);
    }

    /** Wipes the keys. No connection may be left that was made with them. */
    @Override
    public void close() {
        timer.close();
        keys.close();
    }
}
