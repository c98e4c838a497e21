package dev.sluice.gateway.backend;

import dev.sluice.tls.engine.SessionKeeper;
import dev.sluice.tls.engine.TlsSession;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest TLS session of one loop with a server. One serves any number of connections: what single use protects,
 * that nobody can tell which connections are one client's, is worth nothing between a gateway and its own servers.
 * Confined to the loop's thread, but for {@link #close()}.
 *
 * <p>A connection that is to bring a new session stays with libssl until it has, and costs more for it. So there is one
 * such connection when there is no session, and one a minute.
 */
final class ServerSession implements SessionKeeper, AutoCloseable {
    /** The age from which on a session is renewed by the next connection. */
    static final long RENEWAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Servers that make no sessions are not waited for again before this. */
    static final long AWAITED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private @Nullable TlsSession session;
    private long keptNanos;
    /** The time since which a new session is awaited; meaningful while one is. */
    private long awaitedNanos;

    private boolean awaited;
    private boolean closed;

    /** Returns the session that a connection offers; null when there is none. Stays this object's. */
    @Nullable
    TlsSession offer() {
        return session;
    }

    /** Returns the receiver of the session that a connection creates; null when none is needed. */
    @Nullable
    SessionKeeper keeper(long now) {
        if (!isRenewalDue(now)) {
            return null;
        }
        awaited = true;
        awaitedNanos = now;
        return this;
    }

    private boolean isRenewalDue(long now) {
        boolean old = session == null || now - keptNanos >= RENEWAL_NANOS;
        boolean asked = awaited && now - awaitedNanos < AWAITED_NANOS;
        return old && !asked;
    }

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

    /**
     * The server does not take the session that was offered: it is not kept, so that the next connection brings
     * another.
     */
    void refused(TlsSession offered) {
        if (offered.equals(session)) {
            forget();
        }
    }

    private void forget() {
        if (session != null) {
            session.close();
            session = null;
        }
    }

    /** Frees the session; one that comes later is not kept. From any thread when the loop has ended. */
    @Override
    public void close() {
        closed = true;
        forget();
    }
}
