package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.testkit.CProbe;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MallocStatisticsTest {
    private static final long LARGE = 64L << 20;

    @Test
    void structMatchesTheHeader() {
        assertThat(new CProbe("malloc.h")
                        .ask("sizeof(struct mallinfo2)")
                        .ask("offsetof(struct mallinfo2, hblkhd)")
                        .ask("offsetof(struct mallinfo2, uordblks)")
                        .answers())
                .isEqualTo(Map.of(
                        "sizeof(struct mallinfo2)", (long) MallocStatistics.BYTES,
                        "offsetof(struct mallinfo2, hblkhd)", (long) MallocStatistics.MAPPED_OFFSET,
                        "offsetof(struct mallinfo2, uordblks)", (long) MallocStatistics.IN_USE_OFFSET));
    }

    @Test
    void growsByTheBytesAllocated() {
        long before = MallocStatistics.bytesInUse();
        assumeTrue(before != MallocStatistics.UNKNOWN, "this C library has no mallinfo2");
        long memory = LibC.calloc(1, LARGE);

        long between = MallocStatistics.bytesInUse();
        LibC.free(memory);

        // Threads of the JVM allocate and free memory meanwhile.
        assertThat(between - before).isBetween(LARGE - LARGE / 64, LARGE + LARGE / 4);
    }
}
