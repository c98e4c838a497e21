package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibSslSessions;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.util.Arrays;

/**
 * The session in a client's ticket, before libssl decides about its resumption. Owned by libssl and valid during {@link
 * HandshakeCallbacks.Target#onTicketOpened}.
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

    /** Returns the protocol version of the session, such as {@link OpenSslConstants#TLS1_3_VERSION}. */
    public int version() {
        return LibSslSessions.SSL_SESSION_get_protocol_version(session);
    }

    /** Returns whether the session has this id context. */
    public boolean isOf(byte[] idContext) {
        long address = LibSslSessions.SSL_SESSION_get0_id_context(session, lengthOut);
        byte[] own = new byte[RawMemory.getInt(lengthOut)];
        RawMemory.copy(address, own, 0, own.length);
        return Arrays.equals(own, idContext);
    }

    /** Returns the server name of the session; "" for none. */
    public String hostName() {
        return RawMemory.getString(LibSslSessions.SSL_SESSION_get0_hostname(session));
    }

    /** Returns the expiry of the session in seconds since 1970. */
    public long endSeconds() {
        return LibSslSessions.SSL_SESSION_get_time(session) + LibSslSessions.SSL_SESSION_get_timeout(session);
    }

    /** Returns whether the chosen suite has the same hash as the session's suite, as TLS 1.3 requires. */
    public boolean fitsSuite() {
        long own = LibSslSessions.SSL_SESSION_get0_cipher(session);
        long chosen = LibSslSessions.SSL_get_pending_cipher(ssl);
        return own == 0
                || chosen == 0
                || LibSslSessions.SSL_CIPHER_get_handshake_digest(own)
                        == LibSslSessions.SSL_CIPHER_get_handshake_digest(chosen);
    }
}
