package dev.sluice.tls;

import org.jspecify.annotations.Nullable;

/**
 * What a completed handshake came to. Names are those of the registries: {@code TLSv1.3}, {@code TLS_AES_128_GCM_SHA256},
 * {@code X25519}.
 *
 * @param version protocol version
 * @param cipher cipher suite, IANA name
 * @param group key-exchange group; "" where the library cannot tell
 * @param serverName what the client asked for by SNI; "" when it did not
 * @param alpn the protocol chosen; "" when none
 * @param resumed whether a session was resumed
 * @param handshakeMicros time spent inside the library for this handshake, in microseconds, waits excluded
 * @param peerSubject the peer's certificate subject as RFC 2253 text; "" when it sent none
 * @param client the certificate by which a client has shown who it is; null when it has not, and at the client's own end
 */
public record HandshakeInfo(
        String version,
        String cipher,
        String group,
        String serverName,
        String alpn,
        boolean resumed,
        long handshakeMicros,
        String peerSubject,
        @Nullable PeerCertificate client) {}
