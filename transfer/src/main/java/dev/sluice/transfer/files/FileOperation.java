package dev.sluice.transfer.files;

import org.jspecify.annotations.Nullable;

/**
 * The operations, in the order of their codes on the wire. Fields of the request before the arrow, of the answer after
 * it; numbers in brackets are bits. An answer with an errno has no fields.
 */
public enum FileOperation {
    /** {@code magic (32) → flags (32), user (32), group (32)}: the first request. */
    HELLO(0),
    /** {@code → nothing}: keeps the connection alive. */
    PING(1),
    /** {@code handle (32), path → attributes}. */
    STAT(2),
    /** {@code flags (32), mode (32), path → handle (32), attributes}. */
    OPEN(3),
    /** {@code handle (32) → nothing}. */
    CLOSE(4),
    /** {@code handle (32), offset (64), bytes (32) → data}; fewer bytes at the end of the file only. */
    READ(5),
    /** {@code handle (32), offset (64), data → nothing}. */
    WRITE(6),
    /** {@code handle (32), data only (8) → nothing}. */
    SYNC(7),
    /** {@code bits (32), mode (32), size (64), atime (64, 32), mtime (64, 32), handle (32), path → attributes}. */
    CHANGE(8),
    /** {@code path → handle (32)}. */
    OPEN_DIRECTORY(9),
    /** {@code handle (32), cookie (64) → entries: cookie (64), attributes, name}; none at the end. */
    LIST(10),
    /** {@code mode (32), path → attributes}. */
    MAKE_DIRECTORY(11),
    /** {@code path → nothing}. */
    REMOVE_FILE(12),
    /** {@code path → nothing}. */
    REMOVE_DIRECTORY(13),
    /** {@code flags (32), path, path → nothing}; flag 1 fails when the new name exists. */
    RENAME(14),
    /** {@code path, target → attributes}. */
    LINK_SYMBOLICALLY(15),
    /** {@code path → target}. */
    READ_LINK(16),
    /** {@code → block bytes (32), name bytes (32), then 64 bits each: blocks, free, available, files, free files}. */
    FIGURES(17),
    /** {@code path, name → value}. */
    GET_ATTRIBUTE(18),
    /** {@code path, name, flags (32), value → nothing}. */
    SET_ATTRIBUTE(19),
    /** {@code path, name → nothing}. */
    REMOVE_ATTRIBUTE(20),
    /** {@code path → names, each ended by NUL}. */
    LIST_ATTRIBUTES(21);

    private static final FileOperation[] ALL = values();

    private final byte code;

    FileOperation(int code) {
        this.code = (byte) code;
    }

    /** Returns the code on the wire. */
    public byte code() {
        return code;
    }

    /** Returns the operation with a code, or null. */
    public static @Nullable FileOperation of(byte code) {
        return code >= 0 && code < ALL.length ? ALL[code] : null;
    }
}
