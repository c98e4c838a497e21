package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;

/**
 * One entry of an {@code OSSL_PARAM} array, {@code <openssl/core.h>}; an entry with a NULL key ends the array.
 *
 * <pre>
 *   0          8             12      16         24          32            40
 *   +----------+-------------+-------+----------+-----------+-------------+
 *   | key      | data_type   | (pad) | data     | data_size | return_size |
 *   +----------+-------------+-------+----------+-----------+-------------+
 * </pre>
 */
public final class OsslParam {
    /** Size of one entry. */
    public static final int BYTES = 40;

    /** {@code OSSL_PARAM_INTEGER}. */
    public static final int INTEGER = 1;

    /** {@code OSSL_PARAM_UTF8_STRING}. */
    public static final int UTF8_STRING = 4;

    /** {@code OSSL_PARAM_OCTET_STRING}. */
    public static final int OCTET_STRING = 5;

    static final int KEY_OFFSET = 0;
    static final int DATA_TYPE_OFFSET = 8;
    static final int DATA_OFFSET = 16;
    static final int DATA_SIZE_OFFSET = 24;
    static final int RETURN_SIZE_OFFSET = 32;

    private static final long UNMODIFIED = -1;

    private OsslParam() {}

    /**
     * Writes an entry.
     *
     * @param entry its address
     * @param key address of its name, a C string
     * @param type {@link #UTF8_STRING} or {@link #OCTET_STRING}
     * @param data address of the value; both must outlive the use of the array
     * @param size of the value in bytes; for a string, without its NUL
     */
    public static void set(long entry, long key, int type, long data, long size) {
        RawMemory.putLong(entry + KEY_OFFSET, key);
        RawMemory.putInt(entry + DATA_TYPE_OFFSET, type);
        RawMemory.putInt(entry + DATA_TYPE_OFFSET + Integer.BYTES, 0);
        RawMemory.putLong(entry + DATA_OFFSET, data);
        RawMemory.putLong(entry + DATA_SIZE_OFFSET, size);
        RawMemory.putLong(entry + RETURN_SIZE_OFFSET, UNMODIFIED);
    }

    /** Changes the value of an entry, keeping its type and size. */
    public static void data(long entry, long data) {
        RawMemory.putLong(entry + DATA_OFFSET, data);
    }

    /** Returns the first entry of an array with a name; 0 for none. */
    public static long find(long array, String name) {
        for (long entry = array; entry != 0; entry += BYTES) {
            long key = RawMemory.getLong(entry + KEY_OFFSET);
            if (key == 0) {
                return 0;
            }
            if (name.equals(RawMemory.getString(key))) {
                return entry;
            }
        }
        return 0;
    }

    /** Returns the type of an entry's value. */
    public static int type(long entry) {
        return RawMemory.getInt(entry + DATA_TYPE_OFFSET);
    }

    /** Returns the address of an entry's value. */
    public static long data(long entry) {
        return RawMemory.getLong(entry + DATA_OFFSET);
    }

    /** Returns the size of an entry's value in bytes. */
    public static long size(long entry) {
        return RawMemory.getLong(entry + DATA_SIZE_OFFSET);
    }

    /** Writes the terminating entry of an array. */
    public static void end(long entry) {
        RawMemory.zero(entry, BYTES);
    }
}
