package dev.sluice.gateway;

import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.gateway.accesslog.AccessLog;
import dev.sluice.gateway.accesslog.AccessLogCounters;
import dev.sluice.gateway.accesslog.AccessLogNotes;
import dev.sluice.gateway.accesslog.LoopAccessLog;
import dev.sluice.gateway.session.GatewayLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The access log of a gateway, present when the active configuration enables it. Calls come one at a time, but for
 * {@link #reopen}; none comes from a loop.
 */
final class AccessLogs implements AutoCloseable {
    private final List<GatewayLoop> loops;
    private final AccessLogNotes notes;
    private final AccessLogCounters counters = new AccessLogCounters();
    private volatile @Nullable AccessLog log;

    /**
     * Creates the access log, disabled at first.
     *
     * @param loops those of the gateway, as soon as there are any
     */
    AccessLogs(List<GatewayLoop> loops, AccessLogNotes notes) {
        this.loops = loops;
        this.notes = notes;
    }

    AccessLogCounters counters() {
        return counters;
    }

    /** Logs as this says from now on; null: not. */
    void apply(@Nullable AccessLogConfig config) {
        AccessLog running = log;
        if (config == null) {
            if (running == null) {
                return;
            }
            loops.forEach(loop -> loop.run(() -> loop.accessLog(null)));
            close();
            return;
        }
        if (running == null) {
            running = AccessLog.start(loops.size(), config, counters, notes);
            log = running;
        } else {
            running.configure(config);
        }
        for (int i = 0; i < loops.size(); i++) {
            GatewayLoop loop = loops.get(i);
            LoopAccessLog own = running.loops().get(i);
            loop.run(() -> {
                own.sample(config.sample());
                loop.accessLog(own);
            });
        }
    }

    /** The file was moved away. */
    void reopen() {
        AccessLog running = log;
        if (running != null) {
            running.reopen();
        }
    }

    /** Writes what is left; after the loops' end, or when they log no more. Again without effect. */
    @Override
    public void close() {
        AccessLog running = log;
        log = null;
        if (running != null) {
            running.close();
        }
    }
}
