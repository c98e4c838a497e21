package dev.sluice.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SlabPoolTest {
    private static final long CHUNK_BYTES = 4 * (64 + SlabPool.GUARD_BYTES);

    private final Ledger ledger = new Ledger();
    private final ArenaAllocator allocator = new ArenaAllocator();
    private final SlabPool pool = new SlabPool(allocator, ledger.account("test"), 64, 4, 10, true);

    @Test
    void returnsNullWhenAllSlabsAreLeased() {
        List<Slab> leased = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            leased.add(Objects.requireNonNull(pool.lease()));
        }
        assertThat(pool.lease()).isNull();
        assertThat(pool.leasedCount()).isEqualTo(10);
        assertThat(leased.stream().map(Slab::index).distinct()).hasSize(10);
        assertThat(leased.stream().map(Slab::address).distinct()).hasSize(10);
        leased.forEach(Slab::release);
        assertThat(pool.leasedCount()).isZero();
        pool.close();
    }

    @Test
    void allocatesInChunksAndFreesThemAll() {
        Slab slab = Objects.requireNonNull(pool.lease());
        assertThat(ledger.liveBytes()).isEqualTo(CHUNK_BYTES);
        assertThat(pool.heldBytes()).isEqualTo(CHUNK_BYTES);
        slab.release();
        Map<String, Ledger.Balance> before = new HashMap<>();
        assertThat(ledger.leaksSince(before)).singleElement().asString().contains("owner=test", "bytes=" + CHUNK_BYTES);
        pool.close();
        assertThat(ledger.liveBytes()).isZero();
        assertThat(ledger.leaksSince(before)).isEmpty();
        assertThat(allocator.live).isEmpty();
    }

    @Test
    void findsSlabsByNumber() {
        Slab slab = Objects.requireNonNull(pool.lease());
        assertThat(pool.slab(slab.index())).isSameAs(slab);
        assertThatThrownBy(() -> pool.slab(4)).isInstanceOf(IndexOutOfBoundsException.class);
        slab.release();
        pool.close();
    }

    @Test
    void rejectsASecondRelease() {
        Slab slab = Objects.requireNonNull(pool.lease());
        slab.release();
        assertThatThrownBy(slab::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released twice");
    }

    @Test
    void detectsAWriteAfterRelease() {
        Slab slab = Objects.requireNonNull(pool.lease());
        slab.release();
        slab.segment().set(ValueLayout.JAVA_BYTE, 7, (byte) 1);
        assertThatThrownBy(pool::lease)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("offset=7");
    }

    @Test
    void detectsAWritePastTheEnd() {
        Slab slab = Objects.requireNonNull(pool.lease());
        MemorySegment chunk = allocator.live.keySet().iterator().next();
        chunk.set(ValueLayout.JAVA_BYTE, slab.address() - chunk.address() + 64, (byte) 1);
        assertThatThrownBy(slab::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("past its end", "offset=64");
    }

    @Test
    void forbidsAllButLeasedSlabs() {
        Slab slab = Objects.requireNonNull(pool.lease());
        assertThat(allocator.forbidden).hasSize(Math.toIntExact(CHUNK_BYTES - 64));
        assertThat(allocator.forbidden)
                .doesNotContain(slab.address(), slab.address() + 63)
                .contains(slab.address() + 64);
        slab.release();
        assertThat(allocator.forbidden).hasSize(Math.toIntExact(CHUNK_BYTES)).contains(slab.address());
        pool.close();
        assertThat(allocator.forbidden).isEmpty();
    }

    @Test
    void keepsSlabsTogetherWithoutPoisoning() {
        try (SlabPool plain = new SlabPool(allocator, ledger.account("plain"), 60, 4, 4, false)) {
            Slab one = Objects.requireNonNull(plain.lease());
            Slab other = Objects.requireNonNull(plain.lease());
            assertThat(Math.abs(one.address() - other.address())).isEqualTo(60);
            assertThat(plain.heldBytes()).isEqualTo(4 * 60);
            one.release();
            other.release();
        }
    }

    @Test
    void rejectsCloseWhileSlabsAreLeased() {
        Slab slab = Objects.requireNonNull(pool.lease());
        assertThatThrownBy(pool::close).hasMessageContaining("leased=1");
        assertThat(ledger.liveBytes()).isEqualTo(CHUNK_BYTES);
        slab.release();
        pool.close();
        assertThat(ledger.liveBytes()).isZero();
    }

    @Test
    void windowStaysInsideTheSlab() {
        Slab slab = Objects.requireNonNull(pool.lease());
        slab.window(5, 47);
        assertThat(slab.payloadAddress()).isEqualTo(slab.address() + 5);
        slab.consume(40);
        assertThat(slab.length()).isEqualTo(2);
        assertThatThrownBy(() -> slab.consume(3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slab.window(0, 65)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slab.window(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        slab.release();
    }

    @Test
    void rejectsReleasingMoreThanWasAcquired() {
        Ledger.Account account = ledger.account("handles");
        account.acquired(0);
        account.released(0);
        assertThatThrownBy(() -> account.released(0)).hasMessageContaining("double free");
    }

    private static final class ArenaAllocator implements NativeAllocator {
        final Map<MemorySegment, Arena> live = new HashMap<>();
        final Set<Long> forbidden = new HashSet<>();

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            Arena arena = Arena.ofShared();
            MemorySegment segment = arena.allocate(byteSize, byteAlignment);
            live.put(segment, arena);
            return segment;
        }

        @Override
        public void free(MemorySegment segment) {
            Objects.requireNonNull(live.remove(segment)).close();
        }

        @Override
        public void forbid(long address, long byteSize) {
            for (long i = 0; i < byteSize; i++) {
                forbidden.add(address + i);
            }
        }

        @Override
        public void permit(long address, long byteSize) {
            for (long i = 0; i < byteSize; i++) {
                forbidden.remove(address + i);
            }
        }
    }
}
