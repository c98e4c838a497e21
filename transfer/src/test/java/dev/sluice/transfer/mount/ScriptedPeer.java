package dev.sluice.transfer.mount;

import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.export.Exporting;
import dev.sluice.transfer.files.FileOperation;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.FrameWriter;
import java.util.Objects;

/** A peer that exports an empty directory, and answers as a test says otherwise. Its answers keep to no rule. */
final class ScriptedPeer {
    private static final int ROOT_INODE = 1;
    private static final int TIMES_BYTES = 36;

    private ScriptedPeer() {}

    /** The answers of a test. */
    @FunctionalInterface
    interface Script {
        /**
         * Answers a request, whose fields it may take.
         *
         * @return false to leave the answer to the empty directory
         */
        boolean answer(FileOperation operation, FrameReader in, FrameWriter out) throws ChannelException;
    }

    static Exporting exporting(Script script) throws ChannelException {
        return Exporting.by(channel -> serve(channel, script));
    }

    private static void serve(SecureChannel channel, Script script) throws ChannelException {
        FrameReader in = new FrameReader(channel.incoming());
        FrameWriter out = new FrameWriter(channel);
        while (in.next()) {
            FileOperation operation = Objects.requireNonNull(FileOperation.of(in.get()));
            if (!script.answer(operation, in, out)) {
                answer(operation, out);
            }
            in.skip();
            out.flush();
        }
        channel.finish();
    }

    private static void answer(FileOperation operation, FrameWriter out) {
        out.begin(0);
        switch (operation) {
            case HELLO -> {
                out.putInt(FileProtocol.EXTENDED_ATTRIBUTES);
                out.putInt(0);
                out.putInt(0);
            }
            case STAT -> putAttributes(out, FileConstants.S_IFDIR | 0755, ROOT_INODE);
            case OPEN_DIRECTORY -> out.putInt(0);
            default -> {
                // Success, without fields.
            }
        }
        out.end();
    }

    /** Appends attributes of an empty file or directory. */
    static void putAttributes(FrameWriter out, int mode, long inode) {
        out.putInt(mode);
        out.putInt(1);
        out.putInt(0);
        out.putInt(0);
        out.putLong(inode);
        out.putLong(0);
        out.putLong(0);
        for (int i = 0; i < TIMES_BYTES; i++) {
            out.put(0);
        }
    }
}
