package dev.sluice.cost.measure;

import dev.sluice.ffi.openssl.EvpPkey;

/** The key types of server certificates. */
public enum KeyKind {
    /** RSA with 2,048 bits. */
    RSA_2048("rsa-2048", "RSA-2048", true),
    /** RSA with 3,072 bits. */
    RSA_3072("rsa-3072", "RSA-3072", true),
    /** RSA with 4,096 bits. */
    RSA_4096("rsa-4096", "RSA-4096", true),
    /** ECDSA on P-256. */
    ECDSA_P256("ecdsa-p256", "ECDSA P-256", false),
    /** ECDSA on P-384. */
    ECDSA_P384("ecdsa-p384", "ECDSA P-384", false),
    /** Ed25519. */
    ED25519("ed25519", "Ed25519", false);

    private final String path;
    private final String text;
    private final boolean rsa;

    KeyKind(String path, String text, boolean rsa) {
        this.path = path;
        this.text = text;
        this.rsa = rsa;
    }

    /** Returns the name in figures. */
    public String path() {
        return path;
    }

    /** Returns the name for display. */
    public String text() {
        return text;
    }

    /** Returns the closest key type for which tickets and post-quantum key exchange are measured too. */
    public KeyKind measuredMore() {
        return rsa ? RSA_2048 : ECDSA_P256;
    }

    /** Returns whether the key type is RSA. */
    public boolean isRsa() {
        return rsa;
    }

    /** Creates a key; the caller closes it. */
    EvpPkey generate() {
        return switch (this) {
            case RSA_2048 -> EvpPkey.generateRsa(2048);
            case RSA_3072 -> EvpPkey.generateRsa(3072);
            case RSA_4096 -> EvpPkey.generateRsa(4096);
            case ECDSA_P256 -> EvpPkey.generateElliptic("P-256");
            case ECDSA_P384 -> EvpPkey.generateElliptic("P-384");
            case ED25519 -> EvpPkey.generate("ED25519");
        };
    }
}
