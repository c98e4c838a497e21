package dev.sluice.gateway.accesslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.ffi.libc.RawMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EntryRingTest {
    private static final int CAPACITY = 1 << 12;
    private static final int VALUE_OFFSET = 8;

    private static boolean write(EntryRing ring, int bytes, long value) {
        long entry = ring.claim(bytes);
        if (entry == 0) {
            return false;
        }
        RawMemory.putLong(entry + VALUE_OFFSET, value);
        RawMemory.putLong(entry + bytes - Long.BYTES, value);
        ring.publish();
        return true;
    }

    private static void read(EntryRing ring, List<Long> into, int most) {
        ring.read(
                entry -> {
                    long value = RawMemory.getLong(entry + VALUE_OFFSET);
                    long last = RawMemory.getLong(entry + AccessEntry.length(entry) - Long.BYTES);
                    assertThat(last).isEqualTo(value);
                    into.add(value);
                },
                most);
    }

    @Test
    void keepsEntriesOfAnyLengthInOrder() {
        Random random = new Random(7);
        List<Long> read = new ArrayList<>();
        try (EntryRing ring = new EntryRing(new MmapAllocator(), CAPACITY)) {
            for (long value = 0; value < 10_000; value++) {
                int bytes = AccessEntry.bytes(random.nextInt(AccessEntry.SERVER_NAME_MAX + 1));
                while (!write(ring, bytes, value)) {
                    read(ring, read, 1 + random.nextInt(10));
                }
            }
            read(ring, read, Integer.MAX_VALUE);
        }

        assertThat(read).hasSize(10_000).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aFullRingTakesNothingAndLosesNothing() {
        List<Long> read = new ArrayList<>();
        try (EntryRing ring = new EntryRing(new MmapAllocator(), CAPACITY)) {
            long taken = 0;
            while (write(ring, 128, taken)) {
                taken++;
            }
            assertThat(write(ring, 128, -1)).isFalse();
            assertThat(taken).isEqualTo(CAPACITY / 128);
            read(ring, read, 1);
            assertThat(write(ring, 128, taken)).isTrue();
            assertThat(write(ring, 128, -1)).isFalse();
            read(ring, read, Integer.MAX_VALUE);
            assertThat(read).hasSize((int) taken + 1).doesNotContain(-1L).isSorted();
        }
    }

    @Test
    void twoThreadsShareIt() {
        int count = 300_000;
        try (EntryRing ring = new EntryRing(new MmapAllocator(), CAPACITY)) {
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                for (long value = 0; value < count; value++) {
                    while (!write(ring, (int) (104 + 8 * (value % 7)), value)) {
                        Thread.onSpinWait();
                    }
                }
            });
            List<Long> read = new ArrayList<>();
            while (read.size() < count && !writer.isCompletedExceptionally()) {
                read(ring, read, 100);
            }
            writer.join();

            assertThat(read).hasSize(count).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void otherCapacitiesAreRefused() {
        assertThatThrownBy(() -> new EntryRing(new MmapAllocator(), 3000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3000");
    }
}
