package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.LoopStatistics;
import dev.sluice.net.LoopStatistics.Counter;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SendQueueTest {
    private final Ledger ledger = new Ledger();
    private final SlabPool pool =
            new SlabPool(new MallocAllocator(), ledger.account("test"), BufferGeometry.SLAB_BYTES, 4, 64);
    private final LoopStatistics statistics = new LoopStatistics();
    private final SendQueue queue = new SendQueue();

    @AfterEach
    void nothingIsLeft() {
        queue.clear();
        assertThat(queue.bytes()).isZero();
        assertThat(pool.leasedCount()).isZero();
        pool.close();
        assertThat(ledger.liveBytes()).isZero();
    }

    @Test
    void smallPayloadsShareASlabButNeverWhatTheKernelHas() {
        queue.add(slab(new byte[10]), true, statistics);
        queue.add(slab(new byte[10]), true, statistics);
        assertThat(pool.leasedCount()).as("the head is the kernel's").isEqualTo(2);
        queue.add(slab(new byte[10]), true, statistics);
        assertThat(pool.leasedCount()).isEqualTo(2);
        queue.add(slab(new byte[SendQueue.COALESCE_BYTES + 1]), true, statistics);
        assertThat(pool.leasedCount()).as("a large one is not copied").isEqualTo(3);
        assertThat(queue.bytes()).isEqualTo(31 + SendQueue.COALESCE_BYTES);
        assertThat(statistics.get(Counter.BYTES_COPIED)).isEqualTo(10);
    }

    @Test
    void anEmptyPayloadIsReturnedAtOnce() {
        queue.add(slab(new byte[0]), false, statistics);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(pool.leasedCount()).isZero();
    }

    /** The tailroom stays free, so that a coalesced payload can still be sealed where it lies. */
    @Test
    void aSlabIsFilledUpToItsTailroom() {
        for (int i = 0; i < 20; i++) {
            queue.add(slab(new byte[SendQueue.COALESCE_BYTES]), false, statistics);
        }
        int most = BufferGeometry.SLAB_BYTES - BufferGeometry.TAILROOM;
        assertThat(queue.head().end()).isLessThanOrEqualTo(most).isGreaterThan(most - SendQueue.COALESCE_BYTES);
        assertThat(pool.leasedCount()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void keepsTheOrder(long seed) {
        Random random = new Random(seed);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int step = 0; step < 3_000; step++) {
            if (pool.leasedCount() < 30 && random.nextInt(3) > 0) {
                byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 40 : 3_000)];
                random.nextBytes(bytes);
                in.writeBytes(bytes);
                queue.add(slab(bytes), random.nextBoolean(), statistics);
            } else if (!queue.isEmpty()) {
                take(out, random.nextInt(queue.head().length()) + 1);
            }
            assertThat(queue.bytes()).isEqualTo(in.size() - out.size());
        }
        while (!queue.isEmpty()) {
            take(out, queue.head().length());
        }
        assertThat(out.toByteArray()).isEqualTo(in.toByteArray());
    }

    private void take(ByteArrayOutputStream out, int count) {
        Slab head = queue.head();
        out.writeBytes(head.segment().asSlice(head.start(), count).toArray(ValueLayout.JAVA_BYTE));
        queue.consume(count);
    }

    private Slab slab(byte[] bytes) {
        Slab slab = Objects.requireNonNull(pool.lease());
        slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + bytes.length);
        MemorySegment.copy(bytes, 0, slab.segment(), ValueLayout.JAVA_BYTE, slab.start(), bytes.length);
        return slab;
    }
}
