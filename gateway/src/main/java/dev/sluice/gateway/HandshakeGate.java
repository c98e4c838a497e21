package dev.sluice.gateway;

import dev.sluice.gateway.Admission.Verdict;
import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.config.HandshakeLimits;
import dev.sluice.net.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the handshakes of one loop begin, and which never do.
 *
 * <pre>
 *   ClientHello ──▶ address within its rate? ──▶ HandshakeQueue ──▶ place in flight, rate ──▶ begins
 *                            │ no                    │ full, late          │ not now: tried again soon
 *                            ▼                       ▼
 *                         refused                 refused
 * </pre>
 *
 * <p>Handshakes begin one at a time as low-priority tasks of the event loop, behind the steps of those that have begun, and behind
 * whatever established connections have to do. So a loop that has time begins each at once, and on one that has none they
 * wait here, where a waiting client costs a socket and a buffer and no TLS.
 *
 * <p>Clients that offer a ticket of ours go first, for as long as most of those who did so really resumed; full
 * handshakes keep a share of the turns ({@link HandshakeQueue}).
 */
final class HandshakeGate {
    /** While somebody waits: a limit that other loops share is tried again, and those that wait too long are found. */
    static final long RETRY_MILLIS = 5;

    /** The loop is taken to have stalled when a turn took longer than this part of the time that clients may wait. */
    private static final int STALL_PART = 8;

    /** The same in milliseconds, whatever that time is. */
    private static final long STALL_LEAST_MILLIS = 4 * RETRY_MILLIS;

    /** How much is believed at first, and at most. */
    private static final int TRUST_MAX = 1 << 10;

    private static final int TRUST_LEAST = TRUST_MAX / 2;
    /** One outcome counts for 1/32. */
    private static final int TRUST_SHIFT = 5;

    /** With fewer who wait on a loop, all may wait as long as is allowed. */
    private static final int STORM_LEAST = 64;

    private final EventLoop loop;
    private final Admission admission;
    private final LoopCounters counters;
    private final LongSupplier nanoTime;
    private final WaitClock waitClock;
    private final HandshakeQueue queue;
    private final HandshakeLimits started;
    private Refusals refusals;
    private final Runnable begin = this::beginNext;
    private final Runnable retry = this::retry;
    private boolean beginScheduled;
    private boolean retryScheduled;
    private int trust = TRUST_MAX;
    /** Which limit the first in the queue has met; {@link Verdict#ADMITTED}: none but the processor. */
    private Verdict obstacle = Verdict.ADMITTED;

    /** @param nanoTime the clock, as {@link System#nanoTime()} */
    HandshakeGate(
            EventLoop loop, Admission admission, HandshakeLimits limits, LoopCounters counters, LongSupplier nanoTime) {
        this.loop = loop;
        this.admission = admission;
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.started = limits;
        this.refusals = new Refusals(limits);
        // What waits must leave the data path enough buffers.
        int buffers = Math.max(1, loop.buffers().maxSlabs() / 4);
        long waitNanos = limits.longestWait().toNanos();
        this.queue = new HandshakeQueue(Math.min(limits.queue(), buffers), STORM_LEAST, waitNanos);
        long stallNanos = Math.max(waitNanos / STALL_PART, TimeUnit.MILLISECONDS.toNanos(STALL_LEAST_MILLIS));
        this.waitClock = new WaitClock(stallNanos, nanoTime.getAsLong());
    }

    /** Other limits from now on, which {@link Admission} keeps to; the queue stays as it was made. */
    void limits(HandshakeLimits limits) {
        refusals = new Refusals(limits.withQueue(started.queue(), started.longestWait()));
    }

    /** A client has sent its ClientHello. */
    void arrived(Candidate candidate) {
        long now = nanoTime.getAsLong();
        if (!admission.mayAskForHandshake(candidate.address(), now)) {
            refuse(candidate, refusals.addressRate());
            return;
        }
        candidate.hasTicket = candidate.offersTicket();
        candidate.resumes = candidate.hasTicket && trust >= TRUST_LEAST;
        boolean others = queue.size() > 0;
        Candidate leaving = queue.offer(candidate, waitClock.read(now));
        if (leaving != null) {
            refuse(leaving, refusals.noRoom(obstacle));
        }
        if (others && candidate.isWaiting) {
            noteWait(candidate);
        }
        // Else those who wait have met a limit, which will be tried again.
        if (obstacle == Verdict.ADMITTED || candidate.resumes || !retryScheduled) {
            scheduleBegin();
        }
        retryLater();
    }

    /** A client that may wait here has gone. */
    void left(Candidate candidate) {
        if (candidate.isWaiting) {
            queue.remove(candidate);
        }
    }

    /** A handshake that had begun is over, whatever came of it. */
    void handshakeOver() {
        admission.handshakeOver();
        if (obstacle == Verdict.TOO_MANY_HANDSHAKES) {
            scheduleBegin();
        }
    }

    /**
     * A handshake of a client that offered a ticket of ours is complete.
     *
     * @param preferred whether it was believed
     * @param resumed whether it was right to be
     */
    void ticketTold(boolean preferred, boolean resumed) {
        trust += ((resumed ? TRUST_MAX : 0) - trust) >> TRUST_SHIFT;
        if (!resumed) {
            counters.increment(Counter.TICKETS_REFUSED);
            if (preferred) {
                admission.wasFullAfterAll(nanoTime.getAsLong());
            }
        }
    }

    private void scheduleBegin() {
        if (!beginScheduled && queue.size() > 0) {
            beginScheduled = true;
            loop.executeLowPriority(begin);
        }
    }

    private void beginNext() {
        beginScheduled = false;
        long now = nanoTime.getAsLong();
        long waitNow = waitClock.read(now);
        refuseOverdue(waitNow);
        Candidate next = admitted(queue.next(waitNow), now);
        if (next == null) {
            return;
        }
        queue.take(next, waitNow);
        counters.increment(Counter.HANDSHAKES_ADMITTED);
        try {
            next.begin();
        } finally {
            scheduleBegin();
        }
    }

    /** Returns who may begin now: who has the turn or, where that one meets the rate of full ones, one that resumes. */
    private @Nullable Candidate admitted(@Nullable Candidate next, long now) {
        if (next == null) {
            obstacle = Verdict.ADMITTED;
            return null;
        }
        obstacle = admission.beginHandshake(!next.resumes, now);
        if (obstacle == Verdict.ADMITTED) {
            return next;
        }
        noteWait(next);
        Candidate resuming = obstacle == Verdict.TOO_FAST ? queue.nextResuming() : null;
        return resuming == null ? null : admitted(resuming, now);
    }

    private void noteWait(Candidate candidate) {
        if (!candidate.hadToWait) {
            candidate.hadToWait = true;
            counters.increment(Counter.HANDSHAKES_QUEUED);
        }
    }

    private void refuseOverdue(long waitNow) {
        for (Candidate late = queue.takeOverdue(waitNow); late != null; late = queue.takeOverdue(waitNow)) {
            refuse(late, refusals.deadline());
        }
    }

    private void refuse(Candidate candidate, SessionEnd why) {
        counters.increment(Counter.HANDSHAKES_REFUSED);
        candidate.refuse(why);
    }

    /** Also has the clock of those who wait read in time. */
    private void retryLater() {
        if (!retryScheduled && queue.size() > 0) {
            retryScheduled = true;
            loop.schedule(RETRY_MILLIS, retry);
        }
    }

    private void retry() {
        retryScheduled = false;
        waitClock.read(nanoTime.getAsLong());
        scheduleBegin();
        retryLater();
    }

    /** Whether nobody waits. */
    boolean isEmpty() {
        return queue.size() == 0;
    }
}
