package dev.sluice.net.internal.peer;

import dev.sluice.ffi.libc.InetText;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.Timer;
import dev.sluice.net.peer.PeerLimits;
import dev.sluice.tls.failure.EndReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The idle and the write deadline of a connection. A byte that moves costs a read of the clock; timers are made when
 * they expire, and found to have been too early when bytes have moved since.
 */
final class PeerDeadlines {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final PeerConnection peer;
    private final EventLoop loop;
    private final Duration idle;
    private final Duration write;
    private @Nullable Timer idleTimer;
    private @Nullable Timer writeTimer;
    private long movedNanos;
    private long sentNanos;

    PeerDeadlines(PeerConnection peer, EventLoop loop, PeerLimits limits) {
        this.peer = peer;
        this.loop = loop;
        this.idle = limits.idleDeadline();
        this.write = limits.writeDeadline();
    }

    /** Starts the idle deadline. */
    void start() {
        movedNanos = System.nanoTime();
        if (!idle.isZero()) {
            awaitIdle(idle.toNanos());
        }
    }

    /** Notes that bytes were received. */
    void received() {
        if (idleTimer != null) {
            movedNanos = System.nanoTime();
        }
    }

    /** Notes that bytes have left. */
    void sent() {
        if (idleTimer != null || writeTimer != null) {
            movedNanos = System.nanoTime();
            sentNanos = movedNanos;
        }
    }

    /** Starts the write deadline: the peer is to take what is queued. */
    void congested() {
        if (!write.isZero() && writeTimer == null) {
            sentNanos = System.nanoTime();
            awaitWrite(write.toNanos());
        }
    }

    /** Stops the write deadline. */
    void drained() {
        if (writeTimer != null) {
            writeTimer.cancel();
            writeTimer = null;
        }
    }

    /** Stops both. */
    void stop() {
        drained();
        if (idleTimer != null) {
            idleTimer.cancel();
            idleTimer = null;
        }
    }

    private void awaitIdle(long nanos) {
        idleTimer = loop.schedule(millis(nanos), this::checkIdle);
    }

    private void checkIdle() {
        long left = idle.toNanos() - (System.nanoTime() - movedNanos);
        if (left > 0) {
            awaitIdle(left);
            return;
        }
        idleTimer = null;
        peer.expired(
                failure(EndReason.IDLE_TIMEOUT, "no byte in either direction within the idle deadline", idle),
                peer::close);
    }

    private void awaitWrite(long nanos) {
        writeTimer = loop.schedule(millis(nanos), this::checkWrite);
    }

    private void checkWrite() {
        long left = write.toNanos() - (System.nanoTime() - sentNanos);
        if (left > 0) {
            awaitWrite(left);
            return;
        }
        writeTimer = null;
        peer.expired(
                failure(
                        EndReason.WRITE_TIMEOUT,
                        "the peer took nothing of what is queued, within the write deadline",
                        write),
                peer::abort);
    }

    private ConnectionFailure failure(EndReason reason, String event, Duration limit) {
        return new ConnectionFailure(
                reason,
                InetText.of(peer.remoteAddress()) + ": " + event + " (" + limit.toMillis() + " ms, queued="
                        + peer.queuedBytes() + "); raise the deadline if the peer is only slow");
    }

    private static long millis(long nanos) {
        return (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }
}
