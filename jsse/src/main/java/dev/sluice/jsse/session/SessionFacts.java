package dev.sluice.jsse.session;

import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIServerName;
import org.jspecify.annotations.Nullable;

/**
 * The agreements of a handshake so far.
 *
 * @param protocol such as {@code TLSv1.3}; {@code NONE} before it is known
 * @param suite the cipher suite's IANA name
 * @param peerHost the peer as the application names it; null if it does not
 * @param peerPort its port; -1 if unknown
 * @param peer the peer's certificates, its own first; empty for none
 * @param local the certificates that we presented; empty for none
 * @param localSchemes the signature algorithms that we accept, JCA's names
 * @param peerSchemes those of the peer
 * @param serverNames the names requested by SNI
 * @param staples the stapled OCSP responses in DER
 */
public record SessionFacts(
        String protocol,
        String suite,
        @Nullable String peerHost,
        int peerPort,
        List<X509Certificate> peer,
        List<X509Certificate> local,
        List<String> localSchemes,
        List<String> peerSchemes,
        List<SNIServerName> serverNames,
        List<byte[]> staples) {
    /** The protocol of a connection without a handshake. */
    public static final String NO_PROTOCOL = "NONE";

    private static final String NO_SUITE = "SSL_NULL_WITH_NULL_NULL";

    /** Returns the facts before a handshake. */
    public static SessionFacts none(@Nullable String peerHost, int peerPort) {
        return new SessionFacts(
                NO_PROTOCOL,
                NO_SUITE,
                peerHost,
                peerPort,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns the facts once the peer's certificates are accepted. */
    public SessionFacts withPeer(List<X509Certificate> certificates) {
        return new SessionFacts(
                protocol,
                suite,
                peerHost,
                peerPort,
                List.copyOf(certificates),
                local,
                localSchemes,
                peerSchemes,
                serverNames,
                staples);
    }
}
