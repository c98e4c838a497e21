package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that have no receive under way, so that none would meet a reset or the peer's end.
 *
 * <p>One that enters is due after {@link #PERIOD_MILLIS} to twice that. A connection that stops and starts in quick
 * succession, as under back-pressure, costs no more than a place in this queue.
 */
final class UnwatchedEndpoints {
    static final long PERIOD_MILLIS = 100;

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS);

    private final Kernel kernel;
    private final Sockets sockets;
    private final EndpointQueue queue = new EndpointQueue();
    /** The number of those at the head of the queue that were there when the period began. */
    private int ripe;

    private long periodEndNanos;

    UnwatchedEndpoints(Kernel kernel, Sockets sockets) {
        this.kernel = kernel;
        this.sockets = sockets;
    }

    /** Queues an endpoint. No effect on one that is queued. */
    void add(Endpoint endpoint) {
        if ((endpoint.readiness & Readiness.QUEUED_UNWATCHED) != 0) {
            return;
        }
        if (queue.isEmpty()) {
            periodEndNanos = kernel.nanoTime() + PERIOD_NANOS;
            ripe = 1;
        }
        endpoint.readiness |= Readiness.QUEUED_UNWATCHED;
        queue.add(endpoint);
    }

    /** Limits a wait to the end of the period. */
    long limit(long timeoutMillis) {
        if (queue.isEmpty()) {
            return timeoutMillis;
        }
        long nanos = Math.max(0, periodEndNanos - kernel.nanoTime());
        long millis = (nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1) / TimeUnit.MILLISECONDS.toNanos(1);
        return timeoutMillis < 0 ? millis : Math.min(timeoutMillis, millis);
    }

    /** Returns the number of endpoints that are due, which the caller then takes with {@link #next()}. */
    int due() {
        if (queue.isEmpty()) {
            return 0;
        }
        long now = kernel.nanoTime();
        if (now - periodEndNanos < 0) {
            return 0;
        }
        int due = ripe;
        ripe = queue.size() - due;
        periodEndNanos = now + PERIOD_NANOS;
        return due;
    }

    /** Takes the oldest out. */
    @Nullable
    Endpoint next() {
        Endpoint endpoint = queue.poll();
        if (endpoint != null) {
            endpoint.readiness &= ~Readiness.QUEUED_UNWATCHED;
        }
        return endpoint;
    }

    // --- what becomes known ------------------------------------------------------------------------------------------

    /** Notes events of poll(2) or epoll(7) that tell of an end. */
    static void note(Endpoint endpoint, int events) {
        int ends = 0;
        if ((events & (Constants.EPOLLERR | Constants.EPOLLHUP)) != 0) {
            ends = Readiness.HANGUP | Readiness.BROKEN;
        } else if ((events & Constants.EPOLLRDHUP) != 0) {
            ends = Readiness.HANGUP;
        }
        if ((endpoint.readiness & ends) != ends) {
            endpoint.readiness |= (byte) (ends | Readiness.UNEXAMINED);
        }
    }

    /** Notes that a receive is asked for: what it takes may be all that stood before the peer's end. */
    static void noteReceive(Endpoint endpoint) {
        if ((endpoint.readiness & Readiness.HANGUP) != 0) {
            endpoint.readiness |= Readiness.UNEXAMINED;
        }
    }

    /** Notes that a receive has met the peer's end; a reset may stand behind it. */
    static void noteEnd(Endpoint endpoint) {
        if ((endpoint.readiness & Readiness.BROKEN) == 0) {
            endpoint.readiness &= ~Readiness.UNEXAMINED;
        }
    }

    /** Returns true when something is known that {@link #examine} has not examined. */
    static boolean isUnexamined(Endpoint endpoint) {
        return (endpoint.readiness & Readiness.UNEXAMINED) != 0;
    }

    /**
     * Tells an unwatched endpoint that its connection is broken, or that nothing is left to be read but the peer's end.
     *
     * @return true when it was told
     */
    boolean examine(Endpoint endpoint) {
        if (!isUnexamined(endpoint)) {
            return false;
        }
        endpoint.readiness &= ~Readiness.UNEXAMINED;
        int error = (endpoint.readiness & Readiness.BROKEN) != 0 ? error(endpoint) : 0;
        int next = error != 0 ? error : next(endpoint);
        if (next > 0 || next == -Errno.EAGAIN) {
            return false;
        }
        try {
            tell(endpoint, next);
        } catch (Throwable t) {
            endpoint.onThrown(t);
        }
        return true;
    }

    private static void tell(Endpoint endpoint, int next) {
        if (next < 0) {
            endpoint.onBroken(next);
        } else if ((endpoint.wanted & Operation.RECEIVE) != 0) {
            // It waits for a buffer, which an end does not need.
            endpoint.wanted &= ~Operation.RECEIVE;
            endpoint.onReceived(0, null);
        } else {
            endpoint.onPeerEnded();
        }
    }

    /**
     * Returns the error that broke the connection; 0 when both sides have sent FIN. Consumes it, so that the endpoint
     * has to be told.
     */
    private int error(Endpoint endpoint) {
        int error = sockets.pendingError(endpoint.fd);
        return error == 0 && isReset(endpoint) ? -Errno.ECONNRESET : error;
    }

    /** Returns what a receive of one byte would. */
    private int next(Endpoint endpoint) {
        HeldBack held = endpoint.heldBack;
        if (held != null && !held.holdsNothing()) {
            return held.isBroken() || held.isEmpty() ? held.end() : 1;
        }
        int next = sockets.peek(endpoint.fd);
        if (next == -Errno.EIO && endpoint.recordsInKernel) {
            return 1; // an alert or a message is unread
        }
        return next == 0 && isReset(endpoint) ? -Errno.ECONNRESET : next;
    }

    /**
     * Returns true when what looks like the peer's end is a reset. The kernel tells an error once: on io_uring a send
     * that had taken some bytes before it met the reset swallows it and ends short (io_send in io_uring/net.c), and the
     * receive finds nothing but an end. A socket that was reset has no peer any more; one that met FIN has.
     */
    boolean isReset(Endpoint endpoint) {
        boolean inDoubt = endpoint.sendWasShort || (endpoint.inKernel & Operation.SEND) != 0;
        return inDoubt && sockets.peerAddress(endpoint.fd) == null;
    }
}
