package dev.sluice.transfer.protocol;

import dev.sluice.transfer.tree.Entry;
import dev.sluice.transfer.tree.FieldReader;
import dev.sluice.transfer.tree.FieldWriter;
import dev.sluice.transfer.tree.Names;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;

/**
 * The payload of READ, HASHES and EXTENTS: a version of a file, and a range. A source reuses one object, which keeps
 * the path of the request before: an empty path on the wire stands for it.
 */
public final class FileRequest {
    /** The bytes on the wire besides the path. */
    public static final int FIXED_BYTES = 2 + 8 + 8 + 4 + 8 + 4;

    private byte[] path = {};
    private long size;
    private long mtimeSeconds;
    private int mtimeNanos;
    private long offset;
    private int length;

    /** Creates an empty request, for reading. */
    public FileRequest() {}

    /**
     * Writes a request.
     *
     * @param path empty for the path of the request before
     */
    static void write(FieldWriter out, byte[] path, Entry entry, long offset, int length) {
        out.putString(path).putLong(entry.size()).putLong(entry.mtimeSeconds()).putInt(entry.mtimeNanos());
        out.putLong(offset).putInt(length);
    }

    /**
     * Reads a request.
     *
     * @param lengthMax the most bytes of the range
     */
    public void read(FieldReader in, int lengthMax) throws TransferException {
        byte[] next = in.getString();
        if (next.length > 0) {
            path = next;
        }
        size = in.getLong();
        mtimeSeconds = in.getLong();
        mtimeNanos = in.getInt();
        offset = in.getLong();
        length = in.getInt();
        in.end();
        boolean inside = offset >= 0 && length >= 0 && length <= lengthMax && size >= offset && size - offset >= length;
        if (path.length == 0 || !Names.isPath(path) || !inside) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION,
                    "request rejected: path=" + Names.printable(path) + ", size=" + size + ", offset=" + offset
                            + ", length=" + length);
        }
    }

    /** Returns the path of the file. */
    public byte[] path() {
        return path;
    }

    /** Returns the size that the file must have. */
    public long size() {
        return size;
    }

    /** Returns the modification time that it must have, in whole seconds. */
    public long mtimeSeconds() {
        return mtimeSeconds;
    }

    /** Returns the nanoseconds beyond them. */
    public int mtimeNanos() {
        return mtimeNanos;
    }

    /** Returns the offset of the range. */
    public long offset() {
        return offset;
    }

    /** Returns the length of the range in bytes. */
    public int length() {
        return length;
    }
}
