package dev.sluice.bench.buffers.work;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.SplittableRandom;

/** The sum of all longs in 256 MiB of a direct buffer, read one by one. */
final class LongSumTask implements MeasuredTask {
    /** The size of the buffer. */
    static final int BYTES = 256 << 20;

    private final LongBuffer longs;
    private final long expected;

    /** Fills the buffer. */
    LongSumTask(ByteOrder order) {
        this.longs = ByteBuffer.allocateDirect(BYTES).order(order).asLongBuffer();
        SplittableRandom random = new SplittableRandom(1);
        long sum = 0;
        for (int i = 0; i < BYTES / Long.BYTES; i++) {
            long next = random.nextLong();
            longs.put(i, next);
            sum += next;
        }
        this.expected = sum;
    }

    @Override
    public void run(int times) {
        for (int i = times; i > 0; i--) {
            if (sum() != expected) {
                throw new IllegalStateException("the sum differs from that of the written numbers");
            }
        }
    }

    private long sum() {
        LongBuffer buffer = longs;
        long sum = 0;
        for (int i = 0; i < BYTES / Long.BYTES; i++) {
            sum += buffer.get(i);
        }
        return sum;
    }
}
