package dev.sluice.transfer.files;

import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.Statx;
import dev.sluice.transfer.channel.ChannelException;

/**
 * The attributes of a file, reused for one after another.
 *
 * <pre>
 * | mode 32 | links 32 | user 32 | group 32 | inode 64 | size 64 | blocks 64 | atime 96 | mtime 96 | ctime 96 |
 * </pre>
 */
public final class FileAttributes {
    /** Size on the wire. */
    public static final int BYTES = 76;

    private int mode;
    private int links;
    private int user;
    private int group;
    private long inode;
    private long size;
    private long blocks;
    private final Time atime = new Time();
    private final Time mtime = new Time();
    private final Time ctime = new Time();

    /** Creates attributes of nothing. */
    public FileAttributes() {}

    /** A time since 1970. */
    public static final class Time {
        private long seconds;
        private int nanos;

        private Time() {}

        /** Returns the whole seconds. */
        public long seconds() {
            return seconds;
        }

        /** Returns the nanoseconds beyond them. */
        public int nanos() {
            return nanos;
        }

        private void read(FrameReader in) throws ChannelException {
            seconds = in.getLong();
            nanos = in.getInt();
        }

        private void readStatx(long address) {
            seconds = RawMemory.getLong(address);
            nanos = RawMemory.getInt(address + Long.BYTES);
        }

        private void write(FrameWriter out) {
            out.putLong(seconds);
            out.putInt(nanos);
        }
    }

    /** Takes attributes from the wire. */
    public void read(FrameReader in) throws ChannelException {
        mode = in.getInt();
        links = in.getInt();
        user = in.getInt();
        group = in.getInt();
        inode = in.getLong();
        size = in.getLong();
        blocks = in.getLong();
        atime.read(in);
        mtime.read(in);
        ctime.read(in);
    }

    /** Takes attributes from a {@link Statx}. */
    public void readStatx(long address) {
        mode = Statx.mode(address);
        links = Statx.links(address);
        user = RawMemory.getInt(address + Statx.OWNER_OFFSET);
        group = RawMemory.getInt(address + Statx.GROUP_OFFSET);
        inode = RawMemory.getLong(address + Statx.INODE_OFFSET);
        size = Statx.size(address);
        blocks = RawMemory.getLong(address + Statx.BLOCKS_OFFSET);
        atime.readStatx(address + Statx.ATIME_SECONDS_OFFSET);
        mtime.readStatx(address + Statx.MTIME_SECONDS_OFFSET);
        ctime.readStatx(address + Statx.CTIME_SECONDS_OFFSET);
    }

    /** Appends the attributes. */
    public void write(FrameWriter out) {
        out.putInt(mode);
        out.putInt(links);
        out.putInt(user);
        out.putInt(group);
        out.putLong(inode);
        out.putLong(size);
        out.putLong(blocks);
        atime.write(out);
        mtime.write(out);
        ctime.write(out);
    }

    /** Returns kind and permissions. */
    public int mode() {
        return mode;
    }

    /** Returns the bits of the mode that hold the kind of file. */
    public int kind() {
        return mode & FileConstants.S_IFMT;
    }

    /** Returns the number of links. */
    public int links() {
        return links;
    }

    /** Returns the owner's number on the exporting machine. */
    public int user() {
        return user;
    }

    /** Returns the group's number on the exporting machine. */
    public int group() {
        return group;
    }

    /** Returns the inode's number. */
    public long inode() {
        return inode;
    }

    /** Returns the size in bytes. */
    public long size() {
        return size;
    }

    /** Returns the allocated blocks of 512 bytes. */
    public long blocks() {
        return blocks;
    }

    /** Returns the access time. */
    public Time atime() {
        return atime;
    }

    /** Returns the modification time. */
    public Time mtime() {
        return mtime;
    }

    /** Returns the change time. */
    public Time ctime() {
        return ctime;
    }
}
