package dev.sluice.gateway.proxyprotocol;

import dev.sluice.tls.certificate.CommonName;
import dev.sluice.tls.certificate.PeerCertificate;
import dev.sluice.tls.engine.HandshakeInfo;
import org.jspecify.annotations.Nullable;

/**
 * The content of a version 2 header about the client's TLS connection. Texts are "" where nothing is said.
 *
 * @param version such as {@code TLSv1.3}; "" when the client does not use TLS
 * @param cipher the suite's name
 * @param group the key-exchange group
 * @param serverName what the client asked for by SNI
 * @param alpn the protocol negotiated
 * @param commonName the common name of the client's certificate
 * @param clientCertificate whether the client sent a certificate, which was verified
 * @param resumed whether a session was resumed
 * @param handshakeMicros time that the TLS library took for the handshake; -1 when not said
 * @param earlyData whether bytes of the client follow before it has proven to be there: they may be a copy
 * @param client the certificate that the client sent; null when it sent none, or nothing else is said of it
 * @param fingerprint the client's JA4 fingerprint; "" when none was made
 */
public record TlsFacts(
        String version,
        String cipher,
        String group,
        String serverName,
        String alpn,
        String commonName,
        boolean clientCertificate,
        boolean resumed,
        long handshakeMicros,
        boolean earlyData,
        @Nullable PeerCertificate client,
        String fingerprint) {
    /** No TLS, or nothing said of it. */
    public static final TlsFacts NONE = new TlsFacts("", "", "", "", "", "", false, false, -1);

    /** Without early data. */
    public TlsFacts(
            String version,
            String cipher,
            String group,
            String serverName,
            String alpn,
            String commonName,
            boolean clientCertificate,
            boolean resumed,
            long handshakeMicros) {
        this(
                version,
                cipher,
                group,
                serverName,
                alpn,
                commonName,
                clientCertificate,
                resumed,
                handshakeMicros,
                false,
                null,
                "");
    }

    /** Returns the result of a handshake. */
    public static TlsFacts of(HandshakeInfo info) {
        return new TlsFacts(
                info.version(),
                info.cipher(),
                info.group(),
                info.serverName(),
                info.alpn(),
                CommonName.of(info.peerSubject()),
                !info.peerSubject().isEmpty(),
                info.resumed(),
                info.handshakeMicros(),
                false,
                info.client(),
                "");
    }

    /** Returns what a ClientHello that is not answered says; the texts are "" where it says nothing. */
    public static TlsFacts ofHello(String serverName, String alpn) {
        return new TlsFacts("", "", "", serverName, alpn, "", false, false, -1);
    }

    /** The same, and bytes follow before the client has proven to be there. */
    public TlsFacts withEarlyData() {
        return new TlsFacts(
                version,
                cipher,
                group,
                serverName,
                alpn,
                commonName,
                clientCertificate,
                resumed,
                handshakeMicros,
                true,
                client,
                fingerprint);
    }

    /** The same, and the client has sent this certificate. */
    TlsFacts withClient(PeerCertificate certificate) {
        return new TlsFacts(
                version,
                cipher,
                group,
                serverName,
                alpn,
                commonName,
                true,
                resumed,
                handshakeMicros,
                earlyData,
                certificate,
                fingerprint);
    }

    /** The same with the client's fingerprint; "" for none. */
    public TlsFacts withFingerprint(String made) {
        return made.equals(fingerprint)
                ? this
                : new TlsFacts(
                        version,
                        cipher,
                        group,
                        serverName,
                        alpn,
                        commonName,
                        clientCertificate,
                        resumed,
                        handshakeMicros,
                        earlyData,
                        client,
                        made);
    }

    /** Returns true when the client uses TLS. */
    boolean isTls() {
        return !version.isEmpty();
    }
}
