package dev.sluice.ffi.openssl;

import dev.sluice.ffi.RawMemory;
import java.util.Arrays;

/**
 * The session that a client's ticket held, before libssl decides whether it is resumed: for the time of
 * {@link HandshakeCallbacks.Target#onTicketOpened}. Libssl's own.
 */
public final class OfferedSession {
    private final long session;
    private final long ssl;
    private final long lengthOut;

    OfferedSession(long session, long ssl, long lengthOut) {
        this.session = session;
        this.ssl = ssl;
        this.lengthOut = lengthOut;
    }

    /** The version that it was made with, such as {@link OpenSslConstants#TLS1_3_VERSION}. */
    public int version() {
        return LibSslSessions.SSL_SESSION_get_protocol_version(session);
    }

    /** Whether it was made under this id context. */
    public boolean isOf(byte[] idContext) {
        long address = LibSslSessions.SSL_SESSION_get0_id_context(session, lengthOut);
        byte[] own = new byte[RawMemory.getInt(lengthOut)];
        RawMemory.copy(address, own, 0, own.length);
        return Arrays.equals(own, idContext);
    }

    /** The server name that it was made under; "" for none. */
    public String hostName() {
        return RawMemory.getString(LibSslSessions.SSL_SESSION_get0_hostname(session));
    }

    /** When it ceases to be good, in seconds since 1970. */
    public long endSeconds() {
        return LibSslSessions.SSL_SESSION_get_time(session) + LibSslSessions.SSL_SESSION_get_timeout(session);
    }

    /** Whether the suite that was chosen for this connection has the hash of the session's, as TLS 1.3 wants it. */
    public boolean fitsSuite() {
        long own = LibSslSessions.SSL_SESSION_get0_cipher(session);
        long chosen = LibSslSessions.SSL_get_pending_cipher(ssl);
        return own == 0
                || chosen == 0
                || LibSslSessions.SSL_CIPHER_get_handshake_digest(own)
                        == LibSslSessions.SSL_CIPHER_get_handshake_digest(chosen);
    }
}
