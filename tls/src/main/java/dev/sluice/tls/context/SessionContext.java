package dev.sluice.tls.context;

import dev.sluice.ffi.openssl.OfferedSession;

/** The id context of a server's sessions: libssl's session id context, under which sessions are created and resumed. */
public final class SessionContext {
    /** The context of a client. */
    static final SessionContext NONE = new SessionContext(new byte[0]);

    private final byte[] id;

    SessionContext(byte[] id) {
        this.id = id.clone();
    }

    /** Returns the id, which must not be modified. */
    byte[] id() {
        return id;
    }

    /** Returns whether the session was created under this context. */
    public boolean isOf(OfferedSession session) {
        return session.isOf(id);
    }
}
