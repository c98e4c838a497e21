package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * What a completed handshake came to. Names are those of the registries: {@code TLSv1.3}, {@code TLS_AES_128_GCM_SHA256},
 * {@code X25519}.
 *
 * @param version protocol version
 * @param cipher cipher suite, IANA name
 * @param group key-exchange group; "" where there was no exchange, or the library cannot tell
 * @param signature what the server has signed with; "" when it has signed nothing, and at a client's end
 * @param serverName what the client asked for by SNI; "" when it did not
 * @param alpn the protocol chosen; "" when none
 * @param kind whether a session was resumed
 * @param miss why none was; null when one was, and at a client's end
 * @param ticket what became of the client's ticket; {@link TicketResult#NONE} at a client's end
 * @param handshakeMicros time spent inside the library for this handshake, in microseconds, waits excluded
 * @param wallMicros time from the first step of the handshake to its end, in microseconds, waits for the peer included
 * @param peerSubject the peer's certificate subject as RFC 2253 text; "" when it sent none
 * @param client the certificate by which a client has shown who it is; null when it has not, and at the client's own end
 */
public record HandshakeInfo(
        String version,
        String cipher,
        String group,
        String signature,
        String serverName,
        String alpn,
        HandshakeKind kind,
        @Nullable ResumptionMiss miss,
        TicketResult ticket,
        long handshakeMicros,
        long wallMicros,
        String peerSubject,
        @Nullable PeerCertificate client) {
    /** Whether a session was resumed. */
    public boolean resumed() {
        return kind != HandshakeKind.FULL;
    }
}
