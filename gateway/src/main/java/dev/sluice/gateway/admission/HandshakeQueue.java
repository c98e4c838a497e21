package dev.sluice.gateway.admission;

import org.jspecify.annotations.Nullable;

/**
 * The queue of one loop's clients whose handshake may not start yet, bounded in number and in time. Each kind waits in
 * order of arrival; those that resume go first, but full handshakes keep a share:
 *
 * <ul>
 *   <li>While both kinds wait, one handshake in {@value #FULL_SHARE} is a full one, so that clients that resume again
 *       and again cannot starve the others. The share is one of the number, which bounds the processor's time too: a
 *       full handshake costs as much as one to four resumed ones.
 *   <li>Once the first full one has waited for half of the longest wait, it is one in {@value #OLD_FULL_SHARE}. It is
 *       never more, so that a storm of full handshakes cannot starve those that resume.
 *   <li>Of the places, full handshakes keep one in {@value #FULL_SHARE} as well. Beyond it a client that resumes evicts
 *       the full one that came last from a full queue; up to it a full one evicts the last that resumes.
 * </ul>
 *
 * <p>No client waits in vain: the pace at which handshakes of its kind start predicts its wait, and a client whose
 * wait would be too long is refused at once. The first few of a rush predict nothing: right after a start they are
 * slow. In a short rush, too long is longer than {@code wait}; in a storm, when the queue has not been empty for that
 * long and is not short, an eighth of it for full ones, so that clients that are served are served soon. A short
 * queue that lasts is that of a slow machine whose clients wait for it.
 *
 * <p>Confined to its loop. Allocates nothing. Times are those of one clock in nanoseconds, see {@link WaitClock}.
 */
final class HandshakeQueue {
    /** One handshake in this many is a full one while both kinds wait. */
    static final int FULL_SHARE = 4;

    /** The same while the first full one is old. */
    static final int OLD_FULL_SHARE = 2;

    /** A full one is old when it has waited for this part of the longest wait. */
    static final int OLD_PART = 2;

    /** The part of the longest wait, as a divisor, for which a full queue may wait in a lasting storm. */
    static final int STORM_PART = 8;

    /** The pace is a moving average over about this many handshakes, and not known before there were so many. */
    static final int PACE_WINDOW = 16;

    private final int most;
    private final int fullPlaces;
    private final int stormLeast;
    private final long waitNanos;
    private final Lane resuming = new Lane();
    private final Lane full = new Lane();
    /** The number of resumed handshakes since the last full one, while full ones waited. */
    private int resumedInARow;
    /** The time since which it has not been empty, if it is not. */
    private long busySinceNanos;

    /**
     * Makes an empty queue.
     *
     * @param most the number of clients that may wait
     * @param stormLeast the number of waiting clients below which there is no storm
     * @param waitNanos the longest wait
     */
    HandshakeQueue(int most, int stormLeast, long waitNanos) {
        this.most = most;
        this.fullPlaces = most / FULL_SHARE;
        this.stormLeast = stormLeast;
        this.waitNanos = waitNanos;
    }

    int size() {
        return resuming.size + full.size;
    }

    /**
     * Adds a client, if it may wait.
     *
     * @return the client to refuse: this one, or one that it has evicted; null when there is none
     */
    @Nullable
    PendingHandshake offer(PendingHandshake pending, long now) {
        if (size() == 0) {
            busySinceNanos = now;
        }
        Lane lane = lane(pending);
        if (lane.predictedWaitNanos() > longestWait(pending, now)) {
            return pending;
        }
        PendingHandshake evicted = size() == most ? evictedBy(pending) : null;
        if (evicted != null) {
            remove(evicted);
        } else if (size() == most) {
            return pending;
        }
        pending.sinceNanos = now;
        lane.add(pending);
        return evicted;
    }

    private Lane lane(PendingHandshake pending) {
        return pending.resumes ? resuming : full;
    }

    private long longestWait(PendingHandshake pending, long now) {
        boolean storm = size() >= stormLeast && now - busySinceNanos > waitNanos;
        return storm && !pending.resumes ? waitNanos / STORM_PART : waitNanos;
    }

    private @Nullable PendingHandshake evictedBy(PendingHandshake pending) {
        if (pending.resumes) {
            return full.size > fullPlaces ? full.last : null;
        }
        return full.size < fullPlaces ? resuming.last : null;
    }

    /** Returns the client whose turn is next; null when none waits. */
    @Nullable
    PendingHandshake next(long now) {
        return resuming.first == null || isTurnOfFull(now) ? full.first : resuming.first;
    }

    private boolean isTurnOfFull(long now) {
        PendingHandshake first = full.first;
        if (first == null) {
            return false;
        }
        boolean old = now - first.sinceNanos > waitNanos / OLD_PART;
        return resumedInARow >= (old ? OLD_FULL_SHARE : FULL_SHARE) - 1;
    }

    /** Returns the first client that resumes, for when no full handshake may start; null when none waits. */
    @Nullable
    PendingHandshake nextResuming() {
        return resuming.first;
    }

    /** Removes a client whose handshake starts, the first of its kind. */
    void take(PendingHandshake first, long now) {
        lane(first).countStart(now);
        if (!first.resumes) {
            resumedInARow = 0;
        } else if (full.size > 0) {
            resumedInARow++;
        }
        remove(first);
    }

    /** Removes and returns a client that has waited for too long; null when there is none. */
    @Nullable
    PendingHandshake takeOverdue(long now) {
        PendingHandshake overdue = isOverdue(resuming.first, now) ? resuming.first : full.first;
        if (overdue == null || !isOverdue(overdue, now)) {
            return null;
        }
        remove(overdue);
        return overdue;
    }

    private boolean isOverdue(@Nullable PendingHandshake pending, long now) {
        return pending != null && now - pending.sinceNanos > waitNanos;
    }

    /** Removes a client that waits, at any position. */
    void remove(PendingHandshake pending) {
        lane(pending).remove(pending);
        if (full.size == 0) {
            resumedInARow = 0;
        }
        if (size() == 0) {
            // The pace of this rush says nothing about the next one.
            resuming.forgetPace();
            full.forgetPace();
        }
    }

    /** The clients of one kind: a list linked through its members, and the pace at which their handshakes start. */
    private static final class Lane {
        private @Nullable PendingHandshake first;
        private @Nullable PendingHandshake last;
        private int size;
        /** The mean time from one start to the next while clients wait here. */
        private long paceNanos;
        /** The number of such times in it, up to {@link #PACE_WINDOW}. */
        private int paces;

        private long lastStartNanos;
        /** True when clients have waited here ever since. */
        private boolean wasLeftWaiting;

        void countStart(long now) {
            if (wasLeftWaiting) {
                paces = Math.min(paces + 1, PACE_WINDOW);
                paceNanos += (now - lastStartNanos - paceNanos) / paces;
            }
            lastStartNanos = now;
            wasLeftWaiting = true;
        }

        void forgetPace() {
            paceNanos = 0;
            paces = 0;
        }

        /** Returns how long the next client here will wait; 0 while nobody can tell. */
        long predictedWaitNanos() {
            return paces == PACE_WINDOW ? paceNanos * size : 0;
        }

        void add(PendingHandshake pending) {
            pending.isWaiting = true;
            pending.previous = last;
            if (last == null) {
                first = pending;
            } else {
                last.next = pending;
            }
            last = pending;
            size++;
        }

        void remove(PendingHandshake pending) {
            PendingHandshake before = pending.previous;
            PendingHandshake behind = pending.next;
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
            pending.previous = null;
            pending.next = null;
            pending.isWaiting = false;
            if (--size == 0) {
                wasLeftWaiting = false;
            }
        }
    }
}
