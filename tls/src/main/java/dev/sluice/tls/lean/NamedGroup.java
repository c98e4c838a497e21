package dev.sluice.tls.lean;

import dev.sluice.ffi.openssl.agreement.KeyAgreement;
import dev.sluice.ffi.openssl.agreement.KeyAgreement.Kind;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The key-exchange groups of the lean handshake: RFC 8446 section 4.2.7, and the hybrid of ML-KEM-768 and X25519. */
public enum NamedGroup {
    P_256(0x0017, "P-256", Kind.ELLIPTIC, 65, 65, 32),
    P_384(0x0018, "P-384", Kind.ELLIPTIC, 97, 97, 48),
    X25519(0x001D, "X25519", Kind.MONTGOMERY, 32, 32, 32),
    X25519MLKEM768(0x11EC, "X25519MLKEM768", Kind.HYBRID, 1216, 1120, 64);

    /** The size of the largest share of a server. */
    static final int MAX_SHARE_BYTES = 1120;

    /** The size of the largest secret. */
    static final int MAX_SECRET_BYTES = 64;

    private final int id;
    private final String text;
    private final Kind kind;
    private final int clientShareBytes;
    private final int serverShareBytes;
    private final int secretBytes;

    NamedGroup(int id, String text, Kind kind, int clientShareBytes, int serverShareBytes, int secretBytes) {
        this.id = id;
        this.text = text;
        this.kind = kind;
        this.clientShareBytes = clientShareBytes;
        this.serverShareBytes = serverShareBytes;
        this.secretBytes = secretBytes;
    }

    /** Returns the group of a name in a configuration; null for one that is not implemented here. */
    static @Nullable NamedGroup byName(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "p-256", "secp256r1", "prime256v1" -> P_256;
            case "p-384", "secp384r1" -> P_384;
            case "x25519" -> X25519;
            case "x25519mlkem768" -> X25519MLKEM768;
            default -> null;
        };
    }

    /** Returns the number in the TLS registry. */
    int id() {
        return id;
    }

    /** Returns the name in logs and metrics, which is also OpenSSL's. */
    public String text() {
        return text;
    }

    /** Returns the size of a client's share. */
    int clientShareBytes() {
        return clientShareBytes;
    }

    /** Returns the size of a server's share. */
    int serverShareBytes() {
        return serverShareBytes;
    }

    /** Returns the size of the agreed secret. */
    int secretBytes() {
        return secretBytes;
    }

    KeyAgreement newAgreement() {
        return KeyAgreement.of(kind, text);
    }
}
