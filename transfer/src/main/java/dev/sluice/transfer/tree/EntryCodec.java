package dev.sluice.transfer.tree;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The encoding of entries in the pages of a manifest; docs/transfer-protocol.md has the layout. What is decoded is
 * checked: names are safe, sizes and times are in range.
 */
public final class EntryCodec {
    /** The most bytes of an encoded entry. */
    public static final int ENTRY_BYTES_MAX = 40 * 1024;

    private static final int SPARSE_FLAG = 1;
    private static final int PERMISSIONS = 07777;
    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final byte[] NAMESPACE = ExtendedAttribute.NAMESPACE.getBytes(StandardCharsets.US_ASCII);

    private EntryCodec() {}

    /**
     * Appends an entry.
     *
     * @param out with room for {@link #ENTRY_BYTES_MAX}
     */
    public static void write(Entry entry, FieldWriter out) {
        out.putByte(entry.kind().code());
        if (entry.kind() == EntryKind.END) {
            return;
        }
        out.putShortString(entry.name());
        switch (entry.kind()) {
            case DIRECTORY -> writeAttributes(writeTime(out.putShort(entry.mode()), entry), entry);
            case FILE -> {
                writeTime(out.putShort(entry.mode()), entry);
                out.putLong(entry.size()).putByte(entry.sparse() ? SPARSE_FLAG : 0);
                writeAttributes(out, entry);
            }
            case SYMLINK -> writeTime(out, entry).putString(entry.linkTarget());
            case SKIPPED -> out.putByte(entry.failure().code());
            case END -> throw new AssertionError("written above");
        }
    }

    private static FieldWriter writeTime(FieldWriter out, Entry entry) {
        return out.putLong(entry.mtimeSeconds()).putInt(entry.mtimeNanos());
    }

    private static void writeAttributes(FieldWriter out, Entry entry) {
        out.putByte(entry.attributes().size());
        for (ExtendedAttribute attribute : entry.attributes()) {
            out.putShortString(attribute.name()).putString(attribute.value());
        }
    }

    /**
     * Reads an entry.
     *
     * @throws TransferException for what no honest source sends
     */
    public static Entry read(FieldReader in) throws TransferException {
        int code = in.getByte();
        EntryKind kind = EntryKind.of(code);
        if (kind == null) {
            throw violation("unknown kind of entry: kind=" + code);
        }
        if (kind == EntryKind.END) {
            return Entry.END;
        }
        byte[] name = in.getShortString();
        if (!Names.isName(name)) {
            throw new TransferException(
                    TransferFailure.UNSAFE_NAME, "manifest rejected: name=" + Names.printable(name));
        }
        return switch (kind) {
            case DIRECTORY -> {
                int mode = in.getShort() & PERMISSIONS;
                Entry entry = Entry.directory(name, mode, in.getLong(), nanos(in));
                yield entry.with(readAttributes(in));
            }
            case FILE -> {
                int mode = in.getShort() & PERMISSIONS;
                Entry entry = Entry.file(name, mode, in.getLong(), nanos(in), size(in), sparse(in));
                yield entry.with(readAttributes(in));
            }
            case SYMLINK -> Entry.symlink(name, in.getLong(), nanos(in), linkTarget(in));
            case SKIPPED -> Entry.skipped(name, TransferFailure.of(in.getByte()));
            case END -> throw new AssertionError("read above");
        };
    }

    private static int nanos(FieldReader in) throws TransferException {
        int nanos = in.getInt();
        if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw violation("time out of range: nanos=" + nanos);
        }
        return nanos;
    }

    private static long size(FieldReader in) throws TransferException {
        long size = in.getLong();
        if (size < 0) {
            throw violation("size out of range: size=" + size);
        }
        return size;
    }

    private static boolean sparse(FieldReader in) throws TransferException {
        int flags = in.getByte();
        if ((flags & ~SPARSE_FLAG) != 0) {
            throw violation("unknown flags of a file: flags=" + flags);
        }
        return flags == SPARSE_FLAG;
    }

    private static byte[] linkTarget(FieldReader in) throws TransferException {
        byte[] target = in.getString();
        if (target.length == 0 || target.length > Names.PATH_MAX || hasNul(target)) {
            throw violation("target of a symbolic link out of range: bytes=" + target.length);
        }
        return target;
    }

    private static List<ExtendedAttribute> readAttributes(FieldReader in) throws TransferException {
        int count = in.getByte();
        List<ExtendedAttribute> list = new ArrayList<>(count);
        int bytes = 0;
        for (int i = 0; i < count; i++) {
            byte[] name = in.getShortString();
            byte[] prefix = Arrays.copyOf(name, Math.min(name.length, NAMESPACE.length));
            if (!Arrays.equals(prefix, NAMESPACE) || hasNul(name)) {
                throw violation("attribute outside of the namespace user: name=" + Names.printable(name));
            }
            ExtendedAttribute attribute = new ExtendedAttribute(name, in.getString());
            bytes += attribute.bytes();
            list.add(attribute);
        }
        if (bytes > ExtendedAttribute.TOTAL_BYTES_MAX) {
            throw violation("attributes too long: bytes=" + bytes);
        }
        return list;
    }

    private static boolean hasNul(byte[] bytes) {
        for (byte each : bytes) {
            if (each == 0) {
                return true;
            }
        }
        return false;
    }

    private static TransferException violation(String event) {
        return new TransferException(TransferFailure.PROTOCOL_VIOLATION, event);
    }
}
