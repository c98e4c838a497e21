package dev.sluice.tls.lean;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.X509;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
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
    private final int issuerScheme;

    /**
     * Takes ownership, unless it throws.
     *
     * @param intermediates in the order in which they are sent; the caller keeps them
     */
    public LeanIdentity(X509 certificate, EvpPkey key, List<X509> intermediates) {
        this.certificate = certificate;
        this.key = key;
        this.schemes = SignatureScheme.of(key);
        this.leaf = certificate.toDer();
        this.issuerScheme = issuerScheme(leaf);
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

    /** Returns the number of the scheme by which the certificate is signed; -1 when it is unknown. */
    int issuerScheme() {
        return issuerScheme;
    }

    /**
     * Reads the signature algorithm of a certificate in DER (RFC 5280 section 4.1): SEQUENCE { to be signed, SEQUENCE {
     * object identifier, … }, signature }.
     */
    private static int issuerScheme(byte[] der) {
        ByteBuffer in = ByteBuffer.wrap(der);
        enter(in);
        int toBeSigned = enter(in);
        in.position(in.position() + toBeSigned);
        enter(in);
        byte[] identifier = new byte[enter(in)];
        in.get(identifier);
        return switch (HexFormat.of().formatHex(identifier)) {
            case "2a864886f70d01010b" -> 0x0401; // sha256WithRSAEncryption
            case "2a864886f70d01010c" -> 0x0501;
            case "2a864886f70d01010d" -> 0x0601;
            case "2a8648ce3d040302" -> 0x0403; // ecdsa-with-SHA256
            case "2a8648ce3d040303" -> 0x0503;
            case "2a8648ce3d040304" -> 0x0603;
            case "2b6570" -> 0x0807; // Ed25519
            default -> -1;
        };
    }

    /** Reads a tag and a length; returns the length. */
    private static int enter(ByteBuffer in) {
        in.get();
        int length = in.get() & 0xFF;
        if (length <= 0x7F) {
            return length;
        }
        int value = 0;
        for (int i = length & 0x7F; i > 0; i--) {
            value = value << 8 | (in.get() & 0xFF);
        }
        return value;
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
