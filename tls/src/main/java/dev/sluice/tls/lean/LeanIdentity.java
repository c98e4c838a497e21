package dev.sluice.tls.lean;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.X509;
import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * A certificate of a context, ready for the Certificate message (RFC 8446 section 4.4.2), with its key. Immutable; may
 * be used from any thread. Owns its references; {@link #close()} releases them.
 */
public final class LeanIdentity implements AutoCloseable {
    private final X509 certificate;
    private final EvpPkey key;
    private final byte[] leaf;
    private final byte[] rest;
    private final List<SignatureScheme> schemes;

    /**
     * Takes ownership.
     *
     * @param intermediates in the order in which they are sent; the caller keeps them
     */
    public LeanIdentity(X509 certificate, EvpPkey key, List<X509> intermediates) {
        this.certificate = certificate;
        this.key = key;
        this.schemes = SignatureScheme.of(key);
        this.leaf = certificate.toDer();
        ByteArrayOutputStream entries = new ByteArrayOutputStream();
        for (X509 each : intermediates) {
            byte[] der = each.toDer();
            entries.write(der.length >>> 16);
            entries.write(der.length >>> 8);
            entries.write(der.length);
            entries.writeBytes(der);
            entries.write(0); // no extensions
            entries.write(0);
        }
        this.rest = entries.toByteArray();
    }

    /** Returns the schemes that its key signs with, by preference; empty when none is implemented here. */
    List<SignatureScheme> schemes() {
        return schemes;
    }

    EvpPkey key() {
        return key;
    }

    /** Returns the certificate's DER, which must not be modified. */
    byte[] leaf() {
        return leaf;
    }

    /** Returns the entries of the intermediates, which must not be modified. */
    byte[] rest() {
        return rest;
    }

    /** Returns the certificate's address, which identifies it among the context's. */
    public long certificateAddress() {
        return certificate.address();
    }

    @Override
    public void close() {
        certificate.close();
        key.close();
    }
}
