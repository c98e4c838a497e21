package dev.sluice.gateway.admission;

import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.gateway.admission.Admission.Verdict;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.Metric.AdmissionResult;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.net.EventLoop;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The admission of one loop's handshakes: when each starts, and which are refused.
 *
 * <pre>
 *   ClientHello ──▶ address within its rate? ──▶ HandshakeQueue ──▶ place in flight, rate ──▶ starts
 *                            │ no                    │ full, late          │ not now: retried soon
 *                            ▼                       ▼
 *                         refused                 refused
 * </pre>
 *
 * <p>Handshakes start one at a time as low-priority tasks of the event loop, behind the steps of those under way and
 * behind the work of established connections. So an idle loop starts each at once; on a busy one they wait here, where
 * a client costs a socket and a buffer and no TLS.
 *
 * <p>Clients that offer a ticket of ours go first as long as most of those that did so resumed; full handshakes keep a
 * share of the turns ({@link HandshakeQueue}).
 */
public final class HandshakeGate {
    /**
     * The time between retries while clients wait: limits are shared with other loops, and waits may have become too
     * long.
     */
    static final long RETRY_MILLIS = 5;

    /** A turn that takes longer than this part of the longest wait is a stall of the loop. */
    private static final int STALL_PART = 8;

    /** A turn that is shorter than this is no stall, in milliseconds. */
    private static final long STALL_LEAST_MILLIS = 4 * RETRY_MILLIS;

    /** The trust in tickets at first, and at most. */
    private static final int TRUST_MAX = 1 << 10;

    private static final int TRUST_LEAST = TRUST_MAX / 2;
    /** One outcome has a weight of 1/32. */
    private static final int TRUST_SHIFT = 5;

    /** The queue length below which all clients may wait for the longest time. */
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
    /** The limit that the first in the queue has met; {@link Verdict#ADMITTED}: none but the processor. */
    private Verdict obstacle = Verdict.ADMITTED;

    /**
     * Makes the gate of a loop.
     *
     * @param nanoTime the clock, as {@link System#nanoTime()}
     */
    public HandshakeGate(
            EventLoop loop, Admission admission, HandshakeLimits limits, LoopCounters counters, LongSupplier nanoTime) {
        this.loop = loop;
        this.admission = admission;
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.started = limits;
        this.refusals = new Refusals(limits);
        // Waiting clients hold buffers: enough must be left for the data path.
        int buffers = Math.max(1, loop.buffers().maxSlabs() / 4);
        long waitNanos = limits.longestWait().toNanos();
        this.queue = new HandshakeQueue(Math.min(limits.queue(), buffers), STORM_LEAST, waitNanos);
        long stallNanos = Math.max(waitNanos / STALL_PART, TimeUnit.MILLISECONDS.toNanos(STALL_LEAST_MILLIS));
        this.waitClock = new WaitClock(stallNanos, nanoTime.getAsLong());
    }

    /** Sets other limits, which {@link Admission} enforces; the queue keeps its size and its longest wait. */
    public void limits(HandshakeLimits limits) {
        refusals = new Refusals(limits.withQueue(started.queue(), started.longestWait()));
    }

    /** Admits a client that has sent its ClientHello, now or later, or refuses it. */
    public void arrived(PendingHandshake pending) {
        long now = nanoTime.getAsLong();
        if (!admission.mayAskForHandshake(pending.address(), now)) {
            refuse(pending, refusals.addressRate());
            return;
        }
        pending.hasTicket = pending.offersTicket();
        pending.resumes = pending.hasTicket && trust >= TRUST_LEAST;
        boolean others = queue.size() > 0;
        PendingHandshake leaving = queue.offer(pending, waitClock.read(now));
        if (leaving != null) {
            refuse(leaving, refusals.noRoom(obstacle));
        }
        if (others && pending.isWaiting) {
            noteWait(pending);
        }
        // Otherwise the queue has met a limit, which will be retried.
        if (obstacle == Verdict.ADMITTED || pending.resumes || !retryScheduled) {
            scheduleBegin();
        }
        retryLater();
    }

    /** Returns why a client that starts no handshake may not even be answered; null when it may. */
    public @Nullable SessionEnd refusal(InetAddress client) {
        return admission.mayAskForHandshake(client, nanoTime.getAsLong()) ? null : refusals.addressRate();
    }

    /** Removes a client that has left, if it waits here. Idempotent. */
    public void left(PendingHandshake pending) {
        if (pending.isWaiting) {
            queue.remove(pending);
        }
    }

    /** Frees the place in flight of a handshake that is complete or has failed. */
    public void handshakeOver() {
        admission.handshakeOver();
        if (obstacle == Verdict.TOO_MANY_HANDSHAKES) {
            scheduleBegin();
        }
    }

    /**
     * Notes the outcome of a complete handshake whose client offered a ticket of ours.
     *
     * @param preferred true when it went first for that ticket
     * @param resumed true when it was a resumed handshake
     */
    public void ticketOutcome(boolean preferred, boolean resumed) {
        trust += ((resumed ? TRUST_MAX : 0) - trust) >> TRUST_SHIFT;
        if (!resumed) {
            counters.increment(Metric.ADMISSION_TICKETS_REFUSED);
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
        PendingHandshake next = admitted(queue.next(waitNow), now);
        if (next == null) {
            return;
        }
        queue.take(next, waitNow);
        counters.increment(Metric.ADMISSION_HANDSHAKES, AdmissionResult.ADMITTED);
        try {
            next.admit(now);
        } finally {
            scheduleBegin();
        }
    }

    /**
     * Returns the client that may start: the next or, where that meets the rate of full handshakes, one that resumes.
     */
    private @Nullable PendingHandshake admitted(@Nullable PendingHandshake next, long now) {
        if (next == null) {
            obstacle = Verdict.ADMITTED;
            return null;
        }
        obstacle = admission.beginHandshake(!next.resumes, now);
        if (obstacle == Verdict.ADMITTED) {
            return next;
        }
        noteWait(next);
        PendingHandshake resuming = obstacle == Verdict.TOO_FAST ? queue.nextResuming() : null;
        return resuming == null ? null : admitted(resuming, now);
    }

    private void noteWait(PendingHandshake pending) {
        if (!pending.hadToWait) {
            pending.hadToWait = true;
            counters.increment(Metric.ADMISSION_QUEUED);
        }
    }

    private void refuseOverdue(long waitNow) {
        for (PendingHandshake late = queue.takeOverdue(waitNow); late != null; late = queue.takeOverdue(waitNow)) {
            refuse(late, refusals.deadline());
        }
    }

    private void refuse(PendingHandshake pending, SessionEnd why) {
        counters.increment(Metric.ADMISSION_HANDSHAKES, AdmissionResult.REFUSED);
        pending.refuse(why);
    }

    /** Schedules a retry, which also keeps {@link WaitClock} read in time. */
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

    /** Returns true when no client waits. */
    public boolean isEmpty() {
        return queue.size() == 0;
    }
}
