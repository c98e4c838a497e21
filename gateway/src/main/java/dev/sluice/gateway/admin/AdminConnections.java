package dev.sluice.gateway.admin;

import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections to the admin endpoint, with a bound on those of each kind, so that none can keep the others out.
 * Thread-safe.
 *
 * <pre>
 *   accepted ──▶ PENDING ──the request is there──▶ HEALTH or OTHER ──answered──▶ over
 *                   │
 *                   └──another one is accepted, and this is the oldest of too many; or its time is over──▶ over
 * </pre>
 *
 * <p>Whoever sends half a request, or half a handshake, or nothing, takes the place of another who does so, never that
 * of a request which is there. Health requests have places of their own beside all others.
 */
final class AdminConnections {
    /** The time limit for a request and its answer; an event of a stream counts as a new answer. */
    static final Duration TIME_MAX = Duration.ofSeconds(10);

    /** Connections whose request is not there yet. */
    static final int PENDING_MAX = 48;

    /** Health requests that are being answered, which takes long only where an event loop does not respond. */
    static final int HEALTH_MAX = 32;

    /** Other requests that are being answered, streams of events included. */
    static final int OTHER_MAX = 48;

    private final LinkedHashSet<AdminConnection> pending = new LinkedHashSet<>();
    private final Set<AdminConnection> health = new HashSet<>();
    private final Set<AdminConnection> others = new HashSet<>();
    private boolean closed;

    /** The decision on a request that has arrived. */
    enum Admission {
        /** It is to be answered. */
        ADMITTED,
        /** Too many like it are being answered. */
        TOO_MANY,
        /** It came too late: its connection is closed. */
        TOO_LATE
    }

    /** Takes a connection that was just accepted, and ends the oldest that waits when there are too many. */
    void accepted(AdminConnection connection) {
        AdminConnection oldest = add(connection);
        if (oldest != null) {
            oldest.end();
        }
    }

    private synchronized @Nullable AdminConnection add(AdminConnection connection) {
        if (closed) {
            return connection;
        }
        pending.add(connection);
        if (pending.size() <= PENDING_MAX) {
            return null;
        }
        Iterator<AdminConnection> byAge = pending.iterator();
        AdminConnection oldest = byAge.next();
        byAge.remove();
        return oldest;
    }

    /**
     * The request of a connection has arrived. With {@link Admission#TOO_MANY} it keeps its place among those that
     * wait.
     */
    synchronized Admission arrived(AdminConnection connection, boolean isHealth) {
        if (closed || !pending.contains(connection)) {
            return Admission.TOO_LATE;
        }
        Set<AdminConnection> kind = isHealth ? health : others;
        if (kind.size() == (isHealth ? HEALTH_MAX : OTHER_MAX)) {
            return Admission.TOO_MANY;
        }
        pending.remove(connection);
        kind.add(connection);
        return Admission.ADMITTED;
    }

    /** A connection is closed, and its thread about to end. */
    synchronized void over(AdminConnection connection) {
        pending.remove(connection);
        health.remove(connection);
        others.remove(connection);
        notifyAll();
    }

    /** Ends those whose time is over. To be called now and then. */
    void endOverdue() {
        endOverdue(System.nanoTime());
    }

    void endOverdue(long now) {
        all().stream().filter(connection -> connection.isOverdue(now)).forEach(AdminConnection::end);
    }

    /** Ends all, takes no more, and waits until they have ended, {@link #TIME_MAX} at most. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        all().forEach(AdminConnection::end);
        awaitNone(System.nanoTime() + TIME_MAX.toNanos());
    }

    private synchronized void awaitNone(long limit) {
        boolean interrupted = false;
        long left = limit - System.nanoTime();
        while (running() > 0 && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = limit - System.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Set<AdminConnection> all() {
        Set<AdminConnection> all = new HashSet<>(pending);
        all.addAll(health);
        all.addAll(others);
        return all;
    }

    /** Returns the number of connections. */
    synchronized int running() {
        return pending.size() + health.size() + others.size();
    }
}
