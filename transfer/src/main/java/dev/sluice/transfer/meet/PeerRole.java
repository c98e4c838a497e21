package dev.sluice.transfer.meet;

import org.jspecify.annotations.Nullable;

/** The part of a peer in a meeting. A relay joins only peers of different roles. */
public enum PeerRole {
    /** Waits, and accepts the handshake. */
    HOST(1),
    /** Looks for the host, and connects. */
    GUEST(2);

    private final byte code;

    PeerRole(int code) {
        this.code = (byte) code;
    }

    /** Returns the byte on the wire. */
    byte code() {
        return code;
    }

    /** Returns the role of a byte on the wire, null for an unknown one. */
    static @Nullable PeerRole of(byte code) {
        for (PeerRole role : values()) {
            if (role.code == code) {
                return role;
            }
        }
        return null;
    }
}
