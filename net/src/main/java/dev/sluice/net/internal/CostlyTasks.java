package dev.sluice.net.internal;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Work of a hundred microseconds and more, such as a step of a handshake, that must not keep connections waiting. It is for
 * turns in which nothing else was to be done; so that a loop which always has something to do comes to it as well, it is
 * due after {@value #BUSY_TURNS_MAX} busy turns too. Each time it has {@value #NANOS_PER_VISIT} ns: the last task that
 * begins in them is the last one, which is what a connection may have to wait for.
 *
 * <p>First in, first out. Allocates nothing but to grow.
 */
final class CostlyTasks {
    /** After so many turns with other things to do, some of this is done all the same. */
    static final int BUSY_TURNS_MAX = 4;

    /**
     * No more is begun after that. About one full handshake; a poll in between costs less than a hundredth of it, so that
     * larger pieces would gain nothing.
     */
    static final long NANOS_PER_VISIT = 100_000;

    /** Likewise, should the clock stand. */
    static final int TASKS_PER_VISIT = 64;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int busyTurns;

    void add(Runnable task) {
        waiting.add(task);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The one that has waited longest, taken out; null when there is none. */
    @Nullable
    Runnable poll() {
        return waiting.poll();
    }

    /**
     * Once per turn, at its end: whether some are to run now.
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
}
