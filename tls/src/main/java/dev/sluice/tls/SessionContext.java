package dev.sluice.tls;

import dev.sluice.ffi.openssl.OfferedSession;

/** What a server's sessions are made under, and must be resumed under: the session id context of libssl. */
final class SessionContext {
    /** A client's. */
    static final SessionContext NONE = new SessionContext(new byte[0]);

    private final byte[] id;

    SessionContext(byte[] id) {
        this.id = id.clone();
    }

    /** Whether the session was made under it. */
    boolean isOf(OfferedSession session) {
        return session.isOf(id);
    }
}
