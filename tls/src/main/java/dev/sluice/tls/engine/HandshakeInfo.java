package dev.sluice.tls.engine;

import dev.sluice.tls.certificate.PeerCertificate;
import dev.sluice.tls.ech.EchOutcome;
import dev.sluice.tls.ticket.TicketResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a completed handshake. Names are those of the registries: {@code TLSv1.3}, {@code
 * TLS_AES_128_GCM_SHA256}, {@code X25519}.
 *
 * @param version protocol version
 * @param cipher cipher suite, IANA name
 * @param group key-exchange group; "" without an exchange, or if unknown
 * @param signature the server's signature algorithm; "" without a signature, and for a client
 * @param serverName the name requested by SNI; "" for none
 * @param alpn the chosen protocol; "" for none
 * @param kind full or resumed
 * @param miss reason of a full handshake; null for a resumed one, and for a client
 * @param ticket result of the client's ticket; {@link TicketResult#NONE} for a client
 * @param handshakeMicros time spent in the library, in microseconds, excluding waits
 * @param wallMicros time from the first step to the end, in microseconds, including waits for the peer
 * @param peerSubject the peer's certificate subject as RFC 2253 text; "" for none
 * @param client the client's certificate; null for none, and for a client
 * @param peerChain the certificates that the peer sent, its own first, each in DER; empty unless the context keeps them
 * @param ech the part of Encrypted ClientHello
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
        @Nullable PeerCertificate client,
        List<byte[]> peerChain,
        EchOutcome ech) {
    /** Returns whether a session was resumed. */
    public boolean resumed() {
        return kind != HandshakeKind.FULL;
    }
}
