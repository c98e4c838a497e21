package dev.sluice.transfer.identity;

import dev.sluice.ffi.openssl.EvpPkey;

/** The kinds of keys that identify a machine; both sign a handshake with 128 bits of security. */
public enum OwnKeyType {
    /** Ed25519: RFC 8032. */
    ED25519,
    /** ECDSA on P-256, for machines whose policy permits only NIST's curves. */
    P_256;

    /** Creates a key, which the caller closes. */
    EvpPkey generate() {
        return switch (this) {
            case ED25519 -> EvpPkey.generate("ED25519");
            case P_256 -> EvpPkey.generateElliptic("P-256");
        };
    }
}
