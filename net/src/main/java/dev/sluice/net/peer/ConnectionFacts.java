package dev.sluice.net.peer;

import dev.sluice.tls.engine.HandshakeInfo;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a connection's handshake. Names are those of the registries: {@code TLSv1.3}, {@code
 * TLS_AES_128_GCM_SHA256}, {@code X25519}. Immutable.
 */
public final class ConnectionFacts {
    private final HandshakeInfo info;

    /** Creates the facts of a handshake. */
    public ConnectionFacts(HandshakeInfo info) {
        this.info = info;
    }

    /** Returns the protocol version, such as {@code TLSv1.3}. */
    public String version() {
        return info.version();
    }

    /** Returns the cipher suite by its IANA name. */
    public String cipher() {
        return info.cipher();
    }

    /** Returns the key-exchange group; "" without an exchange. */
    public String group() {
        return info.group();
    }

    /** Returns the name that the client requested by SNI; "" for none. */
    public String serverName() {
        return info.serverName();
    }

    /** Returns the application protocol that ALPN chose; "" for none. */
    public String alpn() {
        return info.alpn();
    }

    /** Returns true when a session was resumed. */
    public boolean isResumed() {
        return info.resumed();
    }

    /**
     * Returns the certificates that the peer sent, its own first; empty when it sent none. Of a resumed session, a
     * server knows the client's own certificate alone. Decoded with each call.
     *
     * @throws IllegalStateException when the JDK cannot decode a certificate that OpenSSL has
     */
    public List<X509Certificate> peerCertificates() {
        try {
            CertificateFactory decoder = CertificateFactory.getInstance("X.509");
            List<X509Certificate> chain = new ArrayList<>();
            for (byte[] der : info.peerChain()) {
                chain.add((X509Certificate) decoder.generateCertificate(new ByteArrayInputStream(der)));
            }
            return List.copyOf(chain);
        } catch (CertificateException e) {
            throw new IllegalStateException(
                    "the JDK cannot decode a certificate of the peer (" + e.getMessage() + "), subject="
                            + info.peerSubject(),
                    e);
        }
    }

    /** Returns all that the handshake has reported. */
    public HandshakeInfo handshake() {
        return info;
    }

    @Override
    public String toString() {
        return version()
                + ' '
                + cipher()
                + (group().isEmpty() ? "" : ' ' + group())
                + (serverName().isEmpty() ? "" : " for " + serverName())
                + (alpn().isEmpty() ? "" : " with " + alpn())
                + (isResumed() ? ", resumed" : "");
    }
}
