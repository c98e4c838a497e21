package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.delegation.PeerOffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLKeyException;

/** A private key and its chain in native memory, for many handshakes. */
final class NativeCredential implements AutoCloseable {
    private final List<X509> chain;
    private final EvpPkey key;

    private NativeCredential(List<X509> chain, EvpPkey key) {
        this.chain = chain;
        this.key = key;
    }

    /**
     * Copies a key and its chain. The encoded key is zeroed after use; the caller's {@link PrivateKey} is not.
     *
     * @throws SSLKeyException when the key does not leave its provider, is damaged, or does not match
     */
    static NativeCredential of(PrivateKey key, List<X509Certificate> chain) throws SSLKeyException {
        byte[] encoded = key.getEncoded();
        if (encoded == null || !"PKCS#8".equals(key.getFormat())) {
            throw new SSLKeyException("the private key of " + chain.getFirst().getSubjectX500Principal()
                    + " cannot be used (" + key.getClass().getName() + " has no PKCS#8 encoding, as keys of tokens and"
                    + " key services have none); use a key in software, or the provider SunJSSE for this context");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkcs8 = arena.allocate(encoded.length);
            MemorySegment.copy(encoded, 0, pkcs8, ValueLayout.JAVA_BYTE, 0, encoded.length);
            Arrays.fill(encoded, (byte) 0);
            try {
                return of(EvpPkey.fromPkcs8(pkcs8), chain);
            } finally {
                pkcs8.fill((byte) 0);
            }
        } catch (OpenSslException | CertificateEncodingException e) {
            SSLKeyException failure = new SSLKeyException("the private key of "
                    + chain.getFirst().getSubjectX500Principal() + " cannot be used (" + e.getMessage()
                    + "); check that OpenSSL supports " + key.getAlgorithm());
            failure.initCause(e);
            throw failure;
        }
    }

    private static NativeCredential of(EvpPkey key, List<X509Certificate> chain) throws CertificateEncodingException {
        List<X509> copies = new ArrayList<>();
        try {
            for (X509Certificate each : chain) {
                copies.add(X509.fromDer(each.getEncoded()));
            }
            return new NativeCredential(List.copyOf(copies), key);
        } catch (Throwable t) {
            copies.forEach(X509::close);
            key.close();
            throw t;
        }
    }

    /** Presents the certificate in a handshake. */
    void answer(Ssl ssl) {
        PeerOffer.answer(ssl, chain.getFirst(), key, chain.subList(1, chain.size()));
    }

    @Override
    public void close() {
        chain.forEach(X509::close);
        key.close();
    }
}
