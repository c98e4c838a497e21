package dev.sluice.gateway.log;

import dev.sluice.config.log.LogLevel;
import dev.sluice.tls.failure.Fault;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A rate limit on failures in the log: of each kind at most {@value #LINES_PER_WINDOW} lines in
 * {@value #WINDOW_SECONDS} seconds; one line afterwards counts the others. So an attacker cannot fill the disk.
 * Confined to one loop.
 */
public final class FailureLog {
    /** Lines per kind of failure and window. */
    static final int LINES_PER_WINDOW = 5;

    /** Length of a window. */
    public static final int WINDOW_SECONDS = 10;

    private static final long WINDOW_NANOS = WINDOW_SECONDS * 1_000_000_000L;

    private final GatewayLog log;
    private final LongSupplier nanoTime;
    private final Map<String, Window> windows = new HashMap<>();

    /** The lines of one kind of failure that were written and left out. */
    private static final class Window {
        private final LogLevel level;
        private long startNanos;
        private int written;
        private long leftOut;

        Window(LogLevel level, long startNanos) {
            this.level = level;
            this.startNanos = startNanos;
        }
    }

    /**
     * Creates a failure log.
     *
     * @param nanoTime the clock, as {@link System#nanoTime()}
     */
    public FailureLog(GatewayLog log, LongSupplier nanoTime) {
        this.log = log;
        this.nanoTime = nanoTime;
    }

    /**
     * Logs a failure.
     *
     * @param reason its kind
     * @param whom the connection it happened to
     */
    public void report(Fault fault, String reason, String whom, String message) {
        long now = nanoTime.getAsLong();
        Window window = windows.computeIfAbsent(reason, kind -> new Window(level(fault), now));
        if (now - window.startNanos >= WINDOW_NANOS) {
            closeWindow(reason, window, now);
        }
        if (window.written == LINES_PER_WINDOW) {
            window.leftOut++;
            return;
        }
        window.written++;
        log.failure(window.level, new LoggedFailure(fault, reason, whom, message));
    }

    /** Returns true when one more of a kind is left out, and counts it; so no text need be made for it. */
    public boolean leavesOut(String reason) {
        Window window = windows.get(reason);
        if (window == null
                || window.written < LINES_PER_WINDOW
                || nanoTime.getAsLong() - window.startNanos >= WINDOW_NANOS) {
            return false;
        }
        window.leftOut++;
        return true;
    }

    /** Logs how many were left out in windows that are over. Called now and then. */
    public void flush() {
        long now = nanoTime.getAsLong();
        windows.forEach((reason, window) -> {
            if (now - window.startNanos >= WINDOW_NANOS) {
                closeWindow(reason, window, now);
            }
        });
    }

    private void closeWindow(String reason, Window window, long now) {
        if (window.leftOut > 0) {
            log.line(
                    window.level,
                    window.leftOut + " more of " + reason + " in the last " + (now - window.startNanos) / 1_000_000_000L
                            + " s");
        }
        window.startNanos = now;
        window.written = 0;
        window.leftOut = 0;
    }

    private static LogLevel level(Fault fault) {
        return switch (fault) {
            case NONE, PEER_MISBEHAVED, PEER_INCOMPATIBLE -> LogLevel.INFO;
            case ENVIRONMENT -> LogLevel.WARN;
            case OURS -> LogLevel.ERROR;
        };
    }
}
