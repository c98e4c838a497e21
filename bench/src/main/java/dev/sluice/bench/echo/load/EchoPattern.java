package dev.sluice.bench.echo.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/** The bytes to send: random, and different for consecutive messages and for neighbouring connections. */
final class EchoPattern implements AutoCloseable {
    /** The longest message. */
    static final int MESSAGE_BYTES_MAX = 1024 * 1024;

    /** The number of different start positions. A power of two. */
    private static final int STARTS = 4096;

    private static final int SEED = 20_261_121;
    /** Odd, so that a connection's messages visit all positions, and neighbours are far apart. */
    private static final int STRIDE = 1_237;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes;

    EchoPattern() {
        byte[] random = new byte[MESSAGE_BYTES_MAX + STARTS];
        new Random(SEED).nextBytes(random);
        bytes = arena.allocate(random.length);
        MemorySegment.copy(random, 0, bytes, java.lang.foreign.ValueLayout.JAVA_BYTE, 0, random.length);
    }

    MemorySegment bytes() {
        return bytes;
    }

    /** Returns the start position of a message. */
    int start(int connection, long message) {
        return (int) ((connection * 31L + message * STRIDE) & (STARTS - 1));
    }

    @Override
    public void close() {
        arena.close();
    }
}
