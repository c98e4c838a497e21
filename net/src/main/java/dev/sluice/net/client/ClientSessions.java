package dev.sluice.net.client;

import dev.sluice.tls.engine.SessionKeeper;
import dev.sluice.tls.engine.TlsSession;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The TLS sessions of one loop, the newest for each server; the server that was not used for longest gives way.
 * Confined to the loop's thread, but for {@link #close()}, which comes after the loop's end.
 *
 * <p>A session is offered once: RFC 8446 appendix C.4 advises against more, since an observer could link the
 * connections. Each connection brings the next one.
 */
final class ClientSessions implements AutoCloseable {
    private final int sessionsMax;
    private final Map<String, TlsSession> sessions = new LinkedHashMap<>();
    private boolean closed;

    ClientSessions(int sessionsMax) {
        this.sessionsMax = sessionsMax;
    }

    /** Returns the session to offer to a server, which the caller closes; null for none. */
    @Nullable
    TlsSession take(String server) {
        return sessions.remove(server);
    }

    /** Returns the receiver of a new session with a server; null when none are kept. */
    @Nullable
    SessionKeeper keeper(String server) {
        return sessionsMax == 0 ? null : session -> keep(server, session);
    }

    private void keep(String server, TlsSession session) {
        if (closed) {
            session.close();
            return;
        }
        closeIfAny(sessions.remove(server));
        if (sessions.size() == sessionsMax) {
            closeIfAny(sessions.remove(sessions.keySet().iterator().next()));
        }
        sessions.put(server, session);
    }

    private static void closeIfAny(@Nullable TlsSession session) {
        if (session != null) {
            session.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        sessions.values().forEach(TlsSession::close);
        sessions.clear();
    }
}
