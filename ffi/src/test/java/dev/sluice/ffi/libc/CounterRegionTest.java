package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import org.junit.jupiter.api.Test;

class CounterRegionTest {
    private static final int SLOTS = 100;

    @Test
    void startsAtZeroWithIndependentSlots() {
        try (CounterRegion region = new CounterRegion("region test", SLOTS)) {
            assertThat(region.get(0)).isZero();
            region.add(0, 3);
            region.add(SLOTS - 1, Long.MAX_VALUE);
            region.add(0, -1);

            assertThat(region.get(0)).isEqualTo(2);
            assertThat(region.get(1)).isZero();
            assertThat(region.get(SLOTS - 1)).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void keepsValuesAndFreesMemoryOnClose() {
        Ledger.Account account = Ledger.process().account("region to be closed");
        CounterRegion region = new CounterRegion(account.owner(), SLOTS);
        region.add(7, 5);
        assertThat(account.liveBytes()).isEqualTo(SLOTS * Long.BYTES);

        region.close();
        region.close();
        region.add(7, 1);

        assertThat(account.liveBytes()).isZero();
        assertThat(region.get(7)).isEqualTo(5);
    }

    @Test
    void rejectsUnknownSlots() {
        assertThatThrownBy(() -> new CounterRegion("region test", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("slots=0");
        try (CounterRegion region = new CounterRegion("region test", SLOTS)) {
            assertThatThrownBy(() -> region.get(SLOTS)).hasMessageContaining("slot=100, slots=100");
            assertThatThrownBy(() -> region.get(-1)).hasMessageContaining("slot=-1");
        }
    }

    @Test
    void isReadableFromAnotherThread() throws InterruptedException {
        try (CounterRegion region = new CounterRegion("region test", 1)) {
            Thread owner = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 100_000; i++) {
                    region.add(0, 1);
                }
            });
            long last = 0;
            while (owner.isAlive()) {
                long now = region.get(0);
                assertThat(now).isGreaterThanOrEqualTo(last);
                last = now;
            }
            owner.join();
            assertThat(region.get(0)).isEqualTo(100_000);
        }
    }
}
