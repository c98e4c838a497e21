package dev.sluice.net.internal;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Work of a hundred microseconds and more, such as a step of a handshake, that must not keep connections waiting. It is
 * for turns in which nothing else was to be done; so that a loop which always has something to do comes to it as well,
 * it is due after {@value #BUSY_TURNS_MAX} busy turns too. Each time it has {@value #CALM_VISIT_NANOS} ns, so that what
 * several tasks send leaves together, and wakes others once. With a backlog that does not end it has only
 * {@value #STORM_VISIT_NANOS} ns: connections have to wait that often then. The last task that begins in them is the
 * last one.
 *
 * <p>First in, first out. Allocates nothing but to grow.
 */
final class LowPriorityTasks {
    /** Turns with other things to do after which some of this is run all the same. */
    static final int BUSY_TURNS_MAX = 4;

    /**
     * Time after which no more is started: some three full handshakes. Pieces of a third cost a tenth more per
     * handshake.
     */
    static final long CALM_VISIT_NANOS = 1_000_000;

    /** Likewise in a storm: about one full handshake. */
    static final long STORM_VISIT_NANOS = 100_000;

    /** A backlog that lasts longer is a storm. Shorter ones come with every burst. */
    static final long STORM_AFTER_NANOS = 20_000_000;

    /** Tasks after which no more is started, should the clock stand. */
    static final int TASKS_PER_VISIT = 64;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int busyTurns;
    private boolean hasBacklog;
    private long backlogSinceNanos;

    void add(Runnable task) {
        waiting.add(task);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Takes out the one that has waited longest; null when there is none. */
    @Nullable
    Runnable poll() {
        return waiting.poll();
    }

    /**
     * Returns true when some are to run now. Called once per turn, at its end.
     *
     * @param quiet whether nothing else was done in this turn
     */
    boolean isDue(boolean quiet) {
        boolean due = !waiting.isEmpty() && (quiet || ++busyTurns >= BUSY_TURNS_MAX);
        if (due || waiting.isEmpty()) {
            busyTurns = 0;
        }
        return due;
    }

    /**
     * Starts a visit.
     *
     * @param now as of {@link System#nanoTime()}
     * @return for how many nanoseconds tasks may begin
     */
    long visitNanos(long now) {
        if (!hasBacklog) {
            hasBacklog = true;
            backlogSinceNanos = now;
        }
        return now - backlogSinceNanos > STORM_AFTER_NANOS ? STORM_VISIT_NANOS : CALM_VISIT_NANOS;
    }

    /** Ends a visit. */
    void visited() {
        hasBacklog = !waiting.isEmpty();
    }
}
