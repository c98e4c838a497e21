package dev.sluice.gateway;

import org.jspecify.annotations.Nullable;

/**
 * Clients of one loop that wait for their handshake to begin: those that resume first, then the others, each in order of
 * arrival. Bounded in number and in time.
 *
 * <p>Nobody is let wait in vain: from the pace at which handshakes have begun of late follows how long a newcomer would have
 * to wait, and where that is too long it is refused at once. After a moment's rush, that is {@code wait}; in a storm, when the
 * queue has not been empty for that long and is not short, an eighth of it, so that those who are served are served soon: a
 * short queue that lasts is that of a slow machine whose clients wait for it. A client that resumes pushes out the full handshake that came last rather than be refused itself.
 *
 * <p>Confined to its loop. Allocates nothing. Times are {@link System#nanoTime()}.
 */
final class HandshakeQueue {
    /** In a lasting storm one waits for this part of the time that is allowed. */
    static final int STORM_PART = 8;

    /** The pace is a mean over about so many. */
    private static final int PACE_WINDOW = 16;

    private final int most;
    private final int stormLeast;
    private final long waitNanos;
    private final Lane resuming = new Lane();
    private final Lane full = new Lane();
    /** From one begin to the next while somebody waits; 0: not known yet. */
    private long paceNanos;

    private long lastTakenNanos;
    /** Whether somebody has waited ever since. */
    private boolean wasLeftWaiting;
    /** Since when it has not been empty, if it is not. */
    private long busySinceNanos;

    /**
     * @param most how many may wait
     * @param stormLeast with fewer who wait, there is no storm
     * @param waitNanos for how long they may wait
     */
    HandshakeQueue(int most, int stormLeast, long waitNanos) {
        this.most = most;
        this.stormLeast = stormLeast;
        this.waitNanos = waitNanos;
    }

    int size() {
        return resuming.size + full.size;
    }

    /**
     * A client comes.
     *
     * @return who has to go: the client itself, one that it has pushed out, or null when nobody has to
     */
    @Nullable
    Candidate offer(Candidate candidate, long now) {
        if (size() == 0) {
            busySinceNanos = now;
        }
        if (waitOf(candidate) > longestWait(candidate, now)) {
            return candidate;
        }
        Candidate pushedOut = size() == most && candidate.resumes ? full.last : null;
        if (pushedOut != null) {
            remove(pushedOut);
        } else if (size() == most) {
            return candidate;
        }
        candidate.sinceNanos = now;
        (candidate.resumes ? resuming : full).add(candidate);
        return pushedOut;
    }

    private long waitOf(Candidate candidate) {
        return paceNanos * (candidate.resumes ? resuming.size : size());
    }

    private long longestWait(Candidate candidate, long now) {
        boolean storm = size() >= stormLeast && now - busySinceNanos > waitNanos;
        return storm && !candidate.resumes ? waitNanos / STORM_PART : waitNanos;
    }

    /** Whose turn is next; null when nobody waits. */
    @Nullable
    Candidate first() {
        return resuming.first != null ? resuming.first : full.first;
    }

    /** The first begins: takes it out. */
    void take(Candidate first, long now) {
        if (wasLeftWaiting) {
            long interval = now - lastTakenNanos;
            paceNanos = paceNanos == 0 ? interval : paceNanos + (interval - paceNanos) / PACE_WINDOW;
        }
        lastTakenNanos = now;
        wasLeftWaiting = true;
        remove(first);
    }

    /** Somebody who has waited for too long, taken out; null when nobody has. */
    @Nullable
    Candidate takeOverdue(long now) {
        Candidate overdue = isOverdue(resuming.first, now) ? resuming.first : full.first;
        if (overdue == null || !isOverdue(overdue, now)) {
            return null;
        }
        remove(overdue);
        return overdue;
    }

    private boolean isOverdue(@Nullable Candidate candidate, long now) {
        return candidate != null && now - candidate.sinceNanos > waitNanos;
    }

    /** Takes out one that waits, wherever it stands. */
    void remove(Candidate candidate) {
        (candidate.resumes ? resuming : full).remove(candidate);
        if (size() == 0) {
            wasLeftWaiting = false;
            // What it was in this rush says nothing about the next one.
            paceNanos = 0;
        }
    }

    /** A list that goes through its members. */
    private static final class Lane {
        private @Nullable Candidate first;
        private @Nullable Candidate last;
        private int size;

        void add(Candidate candidate) {
            candidate.isWaiting = true;
            candidate.previous = last;
            if (last == null) {
                first = candidate;
            } else {
                last.next = candidate;
            }
            last = candidate;
            size++;
        }

        void remove(Candidate candidate) {
            Candidate before = candidate.previous;
            Candidate behind = candidate.next;
            if (before == null) {
                first = behind;
            } else {
                before.next = behind;
            }
            if (behind == null) {
                last = before;
            } else {
                behind.previous = before;
            }
            candidate.previous = null;
            candidate.next = null;
            candidate.isWaiting = false;
            size--;
        }
    }
}
