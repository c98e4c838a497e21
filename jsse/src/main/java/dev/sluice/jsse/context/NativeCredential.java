package dev.sluice.jsse.context;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.delegation.PeerOffer;
import dev.sluice.ffi.openssl.delegation.SigningProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLKeyException;
import org.jspecify.annotations.Nullable;

/**
 * A certificate chain with its private key in native memory, for many handshakes. A key without an encoding, as those
 * of tokens and key services, is a number there, and signs in its provider: see {@link DelegatedPrivateKey}.
 */
final class NativeCredential implements AutoCloseable {
    /** The number of a key that is copied. */
    private static final long COPIED = 0;

    private static final AtomicLong NUMBERS = new AtomicLong(COPIED);

    private final List<X509Certificate> certificates;
    private final List<X509> chain;
    private final EvpPkey key;
    private final long number;

    private NativeCredential(List<X509Certificate> certificates, List<X509> chain, EvpPkey key, long number) {
        this.certificates = certificates;
        this.chain = chain;
        this.key = key;
        this.number = number;
    }

    /**
     * Copies a chain, and its key if that has an encoding, which is zeroed after use; the caller's {@link PrivateKey}
     * is not.
     *
     * @throws SSLKeyException when the key is damaged, does not match, or is of a type that OpenSSL lacks
     */
    static NativeCredential of(PrivateKey key, List<X509Certificate> certificates) throws SSLKeyException {
        byte[] encoded = "PKCS#8".equals(key.getFormat()) ? key.getEncoded() : null;
        List<X509> chain = new ArrayList<>();
        try {
            for (X509Certificate each : certificates) {
                chain.add(X509.fromDer(each.getEncoded()));
            }
            List<X509> copies = List.copyOf(chain);
            if (encoded == null) {
                long number = NUMBERS.incrementAndGet();
                return new NativeCredential(
                        certificates, copies, SigningProvider.key(copies.getFirst(), number), number);
            }
            return new NativeCredential(certificates, copies, copied(encoded), COPIED);
        } catch (OpenSslException | CertificateEncodingException e) {
            chain.forEach(X509::close);
            SSLKeyException failure = new SSLKeyException(
                    "the private key of " + certificates.getFirst().getSubjectX500Principal()
                            + " cannot be used (" + e.getMessage() + "); check that OpenSSL supports "
                            + key.getAlgorithm());
            failure.initCause(e);
            throw failure;
        } catch (RuntimeException | Error e) {
            chain.forEach(X509::close);
            throw e;
        } finally {
            if (encoded != null) {
                Arrays.fill(encoded, (byte) 0);
            }
        }
    }

    private static EvpPkey copied(byte[] encoded) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkcs8 = arena.allocateFrom(ValueLayout.JAVA_BYTE, encoded);
            try {
                return EvpPkey.fromPkcs8(pkcs8);
            } finally {
                pkcs8.fill((byte) 0);
            }
        }
    }

    /** Returns a key if it signs in its provider; null if its copy signs. */
    @Nullable
    DelegatedPrivateKey delegated(PrivateKey own) {
        return number == COPIED
                ? null
                : new DelegatedPrivateKey(number, own, certificates.getFirst().getPublicKey());
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
