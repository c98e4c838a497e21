package dev.sluice.transfer.protocol;

import org.jspecify.annotations.Nullable;

/** The two sides of a transfer. */
public enum TransferRole {
    /** Offers a tree and answers requests. */
    SOURCE(1),
    /** Asks, and writes the tree. */
    TARGET(2);

    private final int code;

    TransferRole(int code) {
        this.code = code;
    }

    /** Returns the number on the wire. */
    public int code() {
        return code;
    }

    /** Returns the role with a number; null for none. */
    static @Nullable TransferRole of(int code) {
        return code == SOURCE.code ? SOURCE : code == TARGET.code ? TARGET : null;
    }

    /** Returns the peer's role. */
    public TransferRole other() {
        return this == SOURCE ? TARGET : SOURCE;
    }
}
