package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeapWatchTest {
    private static final long MIB = 1 << 20;

    private long used = 4 * MIB;
    private long live = 4 * MIB;
    private int collections;

    private HeapWatch watch() {
        return new HeapWatch(() -> used, () -> {
            collections++;
            used = live;
        });
    }

    @Test
    void leavesAllowedGrowthAlone() {
        HeapWatch watch = watch();
        used = 2 * live + HeapWatch.GROWTH_BYTES;

        watch.look();

        assertThat(collections).isZero();
    }

    @Test
    void collectsWhenGarbageExceedsTheAllowedGrowth() {
        HeapWatch watch = watch();
        used = 2 * live + HeapWatch.GROWTH_BYTES + 1;

        watch.look();
        watch.look();

        assertThat(collections).isOne();
        assertThat(used).isEqualTo(live);
    }

    @Test
    void collectsRarelyWhenMuchIsLive() {
        HeapWatch watch = watch();
        live = 200 * MIB;
        used = 300 * MIB;
        watch.look();
        used = 2 * live + HeapWatch.GROWTH_BYTES;

        watch.look();

        assertThat(collections).isOne();
    }

    @Test
    void readsTheHeapOfThisProcess() {
        HeapWatch watch = HeapWatch.ofProcess();

        watch.look();

        assertThat(collections).isZero();
    }
}
