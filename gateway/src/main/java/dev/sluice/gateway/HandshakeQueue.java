package dev.sluice.gateway;

import org.jspecify.annotations.Nullable;

/**
 * Clients of one loop that wait for their handshake to begin, bounded in number and in time. Each kind waits in order
 * of arrival; those that resume go first, but full handshakes keep a share:
 *
 * <ul>
 *   <li>While both kinds wait, one of {@value #FULL_SHARE} that begin is a full one, so that clients that resume again
 *       and again cannot starve the others. The share is one of the number, which bounds the processor's time too: a
 *       full handshake costs as much as one to four resumed ones.
 *   <li>Once the first full one has waited for half of the time that is allowed, it is one of
 *       {@value #OLD_FULL_SHARE}. It is never more, so that a storm of full handshakes cannot starve those that resume.
 *   <li>Of the places, full handshakes keep one of {@value #FULL_SHARE} as well. Beyond it a client that resumes pushes
 *       the full one that came last out of a full queue; up to it a full one pushes out the last that resumes.
 * </ul>
 *
 * <p>No client waits in vain: the pace at which handshakes of its kind begin predicts how long a newcomer would have to
 * wait, and where that is too long it is refused at once. After a moment's rush, that is {@code wait}; in a storm, when
 * the queue has not been empty for that long and is not short, an eighth of it for full ones, so that those who are
 * served are served soon: a short queue that lasts is that of a slow machine whose clients wait for it.
 *
 * <p>Confined to its loop. Allocates nothing. Times are those of one clock in nanoseconds, see {@link WaitClock}.
 */
final class HandshakeQueue {
    /** Of so many handshakes that begin while both kinds wait, one is a full one. */
    static final int FULL_SHARE = 4;

    /** The same while the first full one is old. */
    static final int OLD_FULL_SHARE = 2;

    /** A full one is old when it has waited for this part of the time that is allowed. */
    static final int OLD_PART = 2;

    /** In a lasting storm a full one waits for this part of the time that is allowed. */
    static final int STORM_PART = 8;

    /** The pace is a mean over about so many. */
    private static final int PACE_WINDOW = 16;

    private final int most;
    private final int fullPlaces;
    private final int stormLeast;
    private final long waitNanos;
    private final Lane resuming = new Lane();
    private final Lane full = new Lane();
    /** How many resumed ones have begun since a full one did, while full ones waited. */
    private int resumedInARow;
    /** Since when it has not been empty, if it is not. */
    private long busySinceNanos;

    /**
     * @param most how many may wait
     * @param stormLeast with fewer who wait, there is no storm
     * @param waitNanos for how long they may wait
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
     * A client comes.
     *
     * @return who has to go: the client itself, one that it has pushed out, or null when nobody has to
     */
    @Nullable
    Candidate offer(Candidate candidate, long now) {
        if (size() == 0) {
            busySinceNanos = now;
        }
        Lane lane = lane(candidate);
        if (lane.paceNanos * lane.size > longestWait(candidate, now)) {
            return candidate;
        }
        Candidate pushedOut = size() == most ? pushedOutBy(candidate) : null;
        if (pushedOut != null) {
            remove(pushedOut);
        } else if (size() == most) {
            return candidate;
        }
        candidate.sinceNanos = now;
        lane.add(candidate);
        return pushedOut;
    }

    private Lane lane(Candidate candidate) {
        return candidate.resumes ? resuming : full;
    }

    private long longestWait(Candidate candidate, long now) {
        boolean storm = size() >= stormLeast && now - busySinceNanos > waitNanos;
        return storm && !candidate.resumes ? waitNanos / STORM_PART : waitNanos;
    }

    private @Nullable Candidate pushedOutBy(Candidate candidate) {
        if (candidate.resumes) {
            return full.size > fullPlaces ? full.last : null;
        }
        return full.size < fullPlaces ? resuming.last : null;
    }

    /** Returns whose turn is next; null when nobody waits. */
    @Nullable
    Candidate next(long now) {
        return resuming.first == null || isTurnOfFull(now) ? full.first : resuming.first;
    }

    private boolean isTurnOfFull(long now) {
        Candidate first = full.first;
        if (first == null) {
            return false;
        }
        boolean old = now - first.sinceNanos > waitNanos / OLD_PART;
        return resumedInARow >= (old ? OLD_FULL_SHARE : FULL_SHARE) - 1;
    }

    /** Returns the first of those that resume, for when no full handshake may begin; null when none waits. */
    @Nullable
    Candidate nextResuming() {
        return resuming.first;
    }

    /** Takes out one whose handshake begins, the first of its kind. */
    void take(Candidate first, long now) {
        lane(first).countBegin(now);
        if (!first.resumes) {
            resumedInARow = 0;
        } else if (full.size > 0) {
            resumedInARow++;
        }
        remove(first);
    }

    /** Takes out one that has waited for too long; null when nobody has. */
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
        lane(candidate).remove(candidate);
        if (full.size == 0) {
            resumedInARow = 0;
        }
        if (size() == 0) {
            // What it was in this rush says nothing about the next one.
            resuming.paceNanos = 0;
            full.paceNanos = 0;
        }
    }

    /** Those of one kind: a list that goes through its members, and the pace at which they begin. */
    private static final class Lane {
        private @Nullable Candidate first;
        private @Nullable Candidate last;
        private int size;
        /** From one begin to the next while somebody waits here; 0: not known yet. */
        private long paceNanos;

        private long lastBeginNanos;
        /** Whether somebody has waited here ever since. */
        private boolean wasLeftWaiting;

        void countBegin(long now) {
            if (wasLeftWaiting) {
                long interval = now - lastBeginNanos;
                paceNanos = paceNanos == 0 ? interval : paceNanos + (interval - paceNanos) / PACE_WINDOW;
            }
            lastBeginNanos = now;
            wasLeftWaiting = true;
        }

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
            if (--size == 0) {
                wasLeftWaiting = false;
            }
        }
    }
}
