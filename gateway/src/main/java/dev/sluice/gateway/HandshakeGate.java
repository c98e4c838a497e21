package dev.sluice.gateway;

import dev.sluice.gateway.Admission.Verdict;
import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.config.HandshakeLimits;
import dev.sluice.net.EventLoop;
import java.util.function.LongSupplier;

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
 * <p>Handshakes begin one at a time as costly tasks of the event loop, behind the steps of those that have begun, and behind
 * whatever established connections have to do. So a loop that has time begins each at once, and on one that has none they
 * wait here, where a waiting client costs a socket and a buffer and no TLS.
 *
 * <p>Clients that offer a ticket of ours go first, for as long as most of those who did so really resumed.
 */
final class HandshakeGate {
    /** After a limit was met that other loops share, it is tried again. Those that wait too long are found then, too. */
    static final long RETRY_MILLIS = 5;

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
        this.queue = new HandshakeQueue(
                Math.min(limits.queue(), buffers),
                STORM_LEAST,
                limits.longestWait().toNanos());
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
        Candidate leaving = queue.offer(candidate, now);
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
            loop.executeCostly(begin);
        }
    }

    private void beginNext() {
        beginScheduled = false;
        long now = nanoTime.getAsLong();
        refuseOverdue(now);
        Candidate first = queue.first();
        if (first == null) {
            obstacle = Verdict.ADMITTED;
            return;
        }
        obstacle = admission.beginHandshake(!first.resumes, now);
        if (obstacle != Verdict.ADMITTED) {
            noteWait(first);
            retryLater();
            return;
        }
        queue.take(first, now);
        counters.increment(Counter.HANDSHAKES_ADMITTED);
        try {
            first.begin();
        } finally {
            scheduleBegin();
        }
    }

    private void noteWait(Candidate candidate) {
        if (!candidate.hadToWait) {
            candidate.hadToWait = true;
            counters.increment(Counter.HANDSHAKES_QUEUED);
        }
    }

    private void refuseOverdue(long now) {
        for (Candidate late = queue.takeOverdue(now); late != null; late = queue.takeOverdue(now)) {
            refuse(late, refusals.deadline());
        }
    }

    private void refuse(Candidate candidate, SessionEnd why) {
        counters.increment(Counter.HANDSHAKES_REFUSED);
        candidate.refuse(why);
    }

    private void retryLater() {
        if (!retryScheduled) {
            retryScheduled = true;
            loop.schedule(RETRY_MILLIS, retry);
        }
    }

    private void retry() {
        retryScheduled = false;
        scheduleBegin();
    }

    /** Whether nobody waits. */
    boolean isEmpty() {
        return queue.size() == 0;
    }
}
