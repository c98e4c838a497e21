package dev.sluice.gateway.backend;

import dev.sluice.tls.engine.SessionKeeper;
import dev.sluice.tls.engine.TlsSession;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The TLS sessions of one loop with the servers of a backend, the newest for each. One serves any number of
 * connections: what single use protects, that nobody can tell which connections are one client's, is worth nothing
 * between a gateway and its own servers. Confined to the loop's thread, but for {@link #close()}.
 *
 * <p>A connection that is to bring a new session stays with libssl until it has, and is the dearer for it. So there is
 * one such connection when there is no session, and one a minute.
 */
final class BackendSessions implements AutoCloseable {
    /** The age from which on a session is renewed by the next connection. */
    static final long RENEWAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Servers that make no sessions are not waited for again before this. */
    static final long AWAITED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable Slot[] slots;
    private boolean closed;

    /** One server's. */
    private final class Slot implements SessionKeeper {
        @Nullable
        TlsSession session;

        long keptNanos;
        /** The time since which a new session is awaited; meaningful while one is. */
        long awaitedNanos;

        boolean awaited;

        @Override
        public void keep(TlsSession made) {
            awaited = false;
            if (closed) {
                made.close();
                return;
            }
            forget();
            session = made;
            keptNanos = awaitedNanos;
        }

        void forget() {
            if (session != null) {
                session.close();
                session = null;
            }
        }

        boolean isRenewalDue(long now) {
            boolean old = session == null || now - keptNanos >= RENEWAL_NANOS;
            boolean asked = awaited && now - awaitedNanos < AWAITED_NANOS;
            return old && !asked;
        }
    }

    /**
     * Creates an empty table.
     *
     * @param servers how many there are
     */
    BackendSessions(int servers) {
        this.slots = new Slot[servers];
    }

    /** Returns the session that a connection to a server offers; null when there is none. Stays this object's. */
    @Nullable
    TlsSession offer(int server) {
        return slot(server).session;
    }

    /** Returns the receiver of the session that a connection to a server creates; null when none is needed. */
    @Nullable
    SessionKeeper keeper(int server, long now) {
        Slot slot = slot(server);
        if (!slot.isRenewalDue(now)) {
            return null;
        }
        slot.awaited = true;
        slot.awaitedNanos = now;
        return slot;
    }

    /**
     * A server does not take the session that was offered: it is not kept, so that the next connection brings another.
     */
    void refused(int server, TlsSession offered) {
        Slot slot = slot(server);
        if (offered.equals(slot.session)) {
            slot.forget();
        }
    }

    private Slot slot(int server) {
        Slot slot = slots[server];
        if (slot == null) {
            slot = new Slot();
            slots[server] = slot;
        }
        return slot;
    }

    /** Frees the sessions; those that come later are not kept. From any thread when the loop has ended. */
    @Override
    public void close() {
        closed = true;
        for (Slot slot : slots) {
            if (slot != null) {
                slot.forget();
            }
        }
    }
}
