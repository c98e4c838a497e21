package dev.sluice.gateway.tickets;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Native memory for secrets, wiped when it is closed. Confined to one thread. */
final class SecretMemory implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment whole;
    private MemorySegment used;

    private SecretMemory(long bytes) {
        this.whole = arena.allocate(bytes, Long.BYTES);
        this.used = whole;
    }

    /** Zeroed memory. */
    static SecretMemory of(long bytes) {
        return new SecretMemory(Math.max(1, bytes));
    }

    /**
     * A file's content, which never comes to lie on the Java heap.
     *
     * @param most bytes that it may have
     */
    static SecretMemory read(Path file, int most) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > most) {
                throw new IOException("it has " + channel.size() + " bytes, and at most " + most + " make sense");
            }
            SecretMemory memory = of(channel.size());
            try {
                ByteBuffer buffer = memory.whole.asByteBuffer();
                while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                    // until the end, which may come early
                }
                memory.used = memory.whole.asSlice(0, buffer.position());
                return memory;
            } catch (IOException | RuntimeException e) {
                memory.close();
                throw e;
            }
        }
    }

    /** The bytes. */
    MemorySegment segment() {
        return used;
    }

    @Override
    public void close() {
        whole.fill((byte) 0);
        arena.close();
    }
}
