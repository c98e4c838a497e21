package dev.sluice.tls.lean;

import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.agreement.Signer;
import dev.sluice.tls.record.Hash;
import java.util.List;
import java.util.Locale;

/**
 * The signature schemes of the lean handshake, by preference: RFC 8446 section 4.2.3. RSASSA-PKCS1-v1_5 is not among
 * them, since TLS 1.3 forbids it in CertificateVerify.
 */
public enum SignatureScheme {
    ECDSA_SECP256R1_SHA256(0x0403, Hash.SHA_256),
    ECDSA_SECP384R1_SHA384(0x0503, Hash.SHA_384),
    RSA_PSS_RSAE_SHA256(0x0804, Hash.SHA_256),
    RSA_PSS_RSAE_SHA384(0x0805, Hash.SHA_384);

    private static final int MIN_RSA_BYTES = 128;

    private final int id;
    private final Hash hash;
    private final String text = name().toLowerCase(Locale.ROOT);

    SignatureScheme(int id, Hash hash) {
        this.id = id;
        this.hash = hash;
    }

    /** Returns the schemes for a key by preference; empty when none is implemented. */
    static List<SignatureScheme> of(EvpPkey key) {
        return switch (Signer.algorithm(key)) {
            case "EC" ->
                switch (Signer.curve(key)) {
                    case "prime256v1", "P-256" -> List.of(ECDSA_SECP256R1_SHA256);
                    case "secp384r1", "P-384" -> List.of(ECDSA_SECP384R1_SHA384);
                    default -> List.of();
                };
            case "RSA" ->
                Signer.signatureBytes(key) < MIN_RSA_BYTES
                        ? List.of()
                        : List.of(RSA_PSS_RSAE_SHA256, RSA_PSS_RSAE_SHA384);
            default -> List.of();
        };
    }

    /** Returns the number in the TLS registry. */
    int id() {
        return id;
    }

    Hash hash() {
        return hash;
    }

    boolean isRsa() {
        return this == RSA_PSS_RSAE_SHA256 || this == RSA_PSS_RSAE_SHA384;
    }

    /** Returns the name in the TLS registry. */
    public String text() {
        return text;
    }
}
