package dev.sluice.bench.buffers.work;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** A file of 64 MiB that is read into a buffer, changed there, and written to another file. */
final class FileCopyTask implements MeasuredTask {
    private static final int BYTES = 64 << 20;

    private final ByteBuffer buffer;
    private final FileChange change;
    private final Path from;
    private final Path to;

    /** Creates both files in a directory, if they are not there yet. */
    FileCopyTask(ByteBuffer buffer, FileChange change, Path directory) throws IOException {
        this.buffer = buffer;
        this.change = change;
        this.from = directory.resolve("copy-from");
        this.to = directory.resolve("copy-to");
        if (Files.notExists(from)) {
            byte[] bytes = new byte[BYTES];
            new SplittableRandom(1).nextBytes(bytes);
            Files.write(from, bytes);
            Files.write(to, bytes);
        }
    }

    /** Returns a buffer as in the published code. */
    static ByteBuffer buffer(BufferKind kind) {
        return kind == BufferKind.DIRECT
                ? ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder())
                : ByteBuffer.allocate(BYTES);
    }

    @Override
    public void run(int times) throws IOException {
        for (int i = times; i > 0; i--) {
            copy();
        }
    }

    private void copy() throws IOException {
        buffer.clear();
        try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel target = FileChannel.open(to, StandardOpenOption.WRITE)) {
            while (buffer.hasRemaining()) {
                source.read(buffer);
            }
            change();
            buffer.flip();
            while (buffer.hasRemaining()) {
                target.write(buffer);
            }
        }
    }

    private void change() {
        switch (change) {
            case ONE_BYTE -> buffer.put(0, buffer.get(BYTES - 1));
            case EACH_LONG -> {
                for (int at = 0; at < BYTES; at += Long.BYTES) {
                    buffer.putLong(at, Long.reverseBytes(buffer.getLong(at)));
                }
            }
        }
    }
}
