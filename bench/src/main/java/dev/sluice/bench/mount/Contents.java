package dev.sluice.bench.mount;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** The contents of large files: one block again and again. Confined to one thread. */
final class Contents {
    private static final int SEED = 17;
    private static final int BLOCK_BYTES = 1 << 20;

    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private final ByteBuffer buffer;
    private final int callBytes;

    /** Creates contents that are read and written by so many bytes, a divisor of the block's. */
    Contents(int callBytes) {
        SplittableRandom random = new SplittableRandom(SEED);
        while (block.hasRemaining()) {
            block.putLong(random.nextLong());
        }
        this.callBytes = callBytes;
        this.buffer = ByteBuffer.allocateDirect(callBytes);
    }

    /** Writes a file, which is absent or emptied, and closes it. */
    void write(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long position = 0; position < bytes; position += callBytes) {
                ByteBuffer part = part(position, (int) Math.min(callBytes, bytes - position));
                while (part.hasRemaining()) {
                    channel.write(part);
                }
            }
        }
    }

    /**
     * Reads a file and compares every byte.
     *
     * @throws BenchException when one differs, or the length does
     */
    void read(Path file, long bytes) throws IOException {
        long position = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (channel.read(buffer.clear()) >= 0) {
                buffer.flip();
                if (!buffer.equals(part(position, buffer.remaining()))) {
                    throw new BenchException("read other bytes than were written, position=" + position);
                }
                position += buffer.remaining();
            }
        }
        if (position != bytes) {
            throw new BenchException("read " + position + " bytes of " + bytes);
        }
    }

    private ByteBuffer part(long position, int length) {
        int start = (int) (position % BLOCK_BYTES);
        return block.duplicate().limit(start + length).position(start);
    }
}
