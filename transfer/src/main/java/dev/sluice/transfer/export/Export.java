package dev.sluice.transfer.export;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.FileConstants;
import dev.sluice.ffi.libc.LibCFiles;
import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.files.FrameReader;
import dev.sluice.transfer.files.FrameWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A directory that peers mount. Sessions of several channels run on threads of their own. */
public final class Export implements AutoCloseable {
    private final ExportSettings settings;
    private final int root;

    private Export(int root, ExportSettings settings) {
        this.root = root;
        this.settings = settings;
    }

    /**
     * Opens a directory.
     *
     * @throws IOException when it is none, or cannot be opened
     */
    public static Export open(Path directory, ExportSettings settings) throws IOException {
        try (LibCFiles files = new LibCFiles();
                NativePath path = new NativePath()) {
            int flags = FileConstants.O_RDONLY | FileConstants.O_DIRECTORY | FileConstants.O_CLOEXEC;
            int root = files.openat(
                    FileConstants.AT_FDCWD, path.of(directory.toString().getBytes(StandardCharsets.UTF_8)), flags, 0);
            if (root < 0) {
                throw new IOException("export: cannot open " + directory + " (" + Errno.describe(root)
                        + "); name a readable directory");
            }
            return new Export(root, settings);
        }
    }

    /**
     * Answers a peer's requests until it ends the conversation, then closes what it left open.
     *
     * @param channel kept by the caller
     * @throws ChannelException when the channel fails, or the peer violates the protocol
     */
    public void serve(SecureChannel channel) throws ChannelException {
        try (ExportSession session = new ExportSession(root, settings, channel)) {
            session.run();
            channel.finish();
        }
    }

    /** Returns true for a conversation that begins with this byte: the first of the length of a short frame. */
    public static boolean isFirst(byte first) {
        return first == 0;
    }

    /** Returns settings for channels that {@link #serve} answers on: their batches hold the largest answer. */
    public static ChannelSettings settings(ChannelSettings base) {
        return FileProtocol.settings(base);
    }

    /**
     * Answers a peer's first request with EACCES, and ends the conversation.
     *
     * @param channel kept by the caller
     * @throws ChannelException when the channel fails
     */
    public static void refuse(SecureChannel channel) throws ChannelException {
        FrameReader in = new FrameReader(channel.incoming());
        if (in.next()) {
            FrameWriter out = new FrameWriter(channel);
            out.begin(Errno.EACCES);
            out.end();
            out.flush();
        }
        channel.finish();
    }

    /** Closes the directory, after the last session. */
    @Override
    public void close() {
        LibCFiles.closeFd(root);
    }
}
