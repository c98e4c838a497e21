package dev.sluice.transfer.files;

import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.OutgoingBatch;

/** The version and the limits of the protocol. */
public final class FileProtocol {
    /** The first field of a conversation: "SLF" and the version. */
    public static final int MAGIC = 'S' << 24 | 'L' << 16 | 'F' << 8 | 1;
    /** The most bytes of data in one request or answer. */
    public static final int MAX_DATA_BYTES = 1 << 20;
    /** The most bytes of a request or answer besides its data, and of an extended attribute's value. */
    public static final int MAX_HEAD_BYTES = 1 << 16;
    /** The most bytes of an extended attribute's value. */
    public static final int MAX_ATTRIBUTE_BYTES = 1 << 15;
    /** The most bytes of entries in the answer to a listing. */
    public static final int MAX_PAGE_BYTES = 1 << 16;
    /** The greatest errno: the kernel's FUSE refuses an answer with a greater one. */
    public static final int MAX_ERRNO = 511;
    /** The bytes of answers after which they are sent although more requests are here. */
    public static final int EAGER_BYTES = 1 << 18;

    /** The flag of the answer to {@link FileOperation#HELLO} that the export is read-only. */
    public static final int READ_ONLY = 1;
    /** The flag of the answer to {@link FileOperation#HELLO} that extended attributes are served. */
    public static final int EXTENDED_ATTRIBUTES = 2;

    /** The flag of {@link FileOperation#OPEN} to read. */
    public static final int OPEN_READ = 1;
    /** The flag of {@link FileOperation#OPEN} to write. */
    public static final int OPEN_WRITE = 2;
    /** The flag of {@link FileOperation#OPEN} to empty the file. */
    public static final int OPEN_TRUNCATE = 4;
    /** The flag of {@link FileOperation#OPEN} to create the file when it is absent. */
    public static final int OPEN_CREATE = 8;
    /** The flag of {@link FileOperation#OPEN} to fail when the file exists. */
    public static final int OPEN_EXCLUSIVE = 16;

    /** The bit of {@link FileOperation#CHANGE} for permissions. */
    public static final int CHANGE_MODE = 1;
    /** The bit of {@link FileOperation#CHANGE} for the size. */
    public static final int CHANGE_SIZE = 2;
    /** The bit of {@link FileOperation#CHANGE} for the access time. */
    public static final int CHANGE_ATIME = 4;
    /** The bit of {@link FileOperation#CHANGE} for the modification time. */
    public static final int CHANGE_MTIME = 8;
    /** The nanoseconds that mean the time of the exporting machine. */
    public static final int NOW = -1;

    /** The handle that means none: the file is named by its path. */
    public static final int NO_HANDLE = -1;

    private static final int RECORDS = (MAX_DATA_BYTES + MAX_HEAD_BYTES + EAGER_BYTES) / OutgoingBatch.RECORD_BYTES + 1;

    private FileProtocol() {}

    /** Returns settings whose batches hold the largest request or answer. */
    public static ChannelSettings settings(ChannelSettings base) {
        return base.withRecords(RECORDS);
    }
}
