package dev.sluice.transfer.export;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FrameReader;

/** The fields of {@link FileOperation#CHANGE}; those whose bit is not set mean nothing. */
record Changes(int bits, int mode, long size, long atimeSeconds, int atimeNanos, long mtimeSeconds, int mtimeNanos) {
    /** Takes the fields from a request. */
    static Changes read(FrameReader in) throws ChannelException {
        return new Changes(
                in.getInt(), in.getInt(), in.getLong(), in.getLong(), in.getInt(), in.getLong(), in.getInt());
    }

    /** Returns whether a bit is set. */
    boolean has(int bit) {
        return (bits & bit) != 0;
    }
}
