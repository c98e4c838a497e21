package dev.sluice.gateway.log;

import dev.sluice.net.EventLoop;
import dev.sluice.net.UncaughtHandler;
import dev.sluice.tls.failure.Fault;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.LongSupplier;

/**
 * The log of the gateway's own errors, with stack traces: a few of each kind and the number of omitted ones, since
 * a peer that finds such an error can repeat it at will. Confined to one loop.
 */
public final class UncaughtLog implements UncaughtHandler {
    private static final long FLUSH_MILLIS = (FailureLog.WINDOW_SECONDS + 1) * 1000L;

    private final FailureLog failures;
    private boolean flushScheduled;

    /**
     * Creates a log of one loop.
     *
     * @param nanoTime the clock, as {@link System#nanoTime()}
     */
    public UncaughtLog(GatewayLog log, LongSupplier nanoTime) {
        this.failures = new FailureLog(log, nanoTime);
    }

    @Override
    public void onUncaught(EventLoop loop, String where, Throwable thrown) {
        String kind = "uncaught in " + where + ", " + thrown.getClass().getName();
        if (!failures.leavesOut(kind)) {
            failures.report(Fault.OURS, kind, loop.name(), trace(thrown));
        } else if (!flushScheduled) {
            flushScheduled = true;
            loop.schedule(FLUSH_MILLIS, this::flush);
        }
    }

    private void flush() {
        flushScheduled = false;
        failures.flush();
    }

    private static String trace(Throwable thrown) {
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }
}
