package dev.sluice.ffi.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of the ring against the kernel. Skipped with a message where the kernel or a container refuses io_uring. */
final class RingTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    /** IO_RINGFD_REG_MAX of linux/io_uring_types.h. */
    private static final int RINGS_PER_THREAD = 16;

    private final LibC libc = new LibC();

    @SuppressWarnings("NullAway.Init")
    private Ring ring;

    @BeforeEach
    void open() {
        try {
            ring = Ring.open(libc, Ledger.process().account("test ring"), 8);
        } catch (UringUnavailableException e) {
            assumeTrue(false, "skipped: " + e.getMessage());
        }
    }

    @AfterEach
    void close() {
        if (ring != null) {
            ring.close();
        }
        libc.close();
    }

    @Test
    void completesASubmissionWithItsToken() {
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < 8; i++) {
                Sqe.cancel(ring.submissions().next(), round * 8L + i, 4711);
            }
            assertThat(ring.submissions().next()).as("a ninth entry").isZero();
            assertThat(ring.enter(0)).isEqualTo(8);
            for (int i = 0; i < 8; i++) {
                assertThat(ring.completions().next()).isTrue();
                assertThat(ring.completions().token()).isEqualTo(round * 8L + i);
                assertThat(ring.completions().result()).isEqualTo(-Errno.ENOENT);
            }
            assertThat(ring.completions().next()).isFalse();
        }
    }

    /** A thread has 16 places for registered rings: the kernel refuses the next, and a closed ring gives its back. */
    @Test
    void entersRegisteredOrNotAndGivesItsPlaceBack() {
        for (int round = 0; round < 3; round++) {
            List<Ring> rings = new ArrayList<>();
            for (int i = 0; i < RINGS_PER_THREAD + 1; i++) {
                rings.add(Ring.open(libc, Ledger.process().account("test ring"), 8));
            }
            for (Ring one : rings) {
                Sqe.cancel(one.submissions().next(), 7, 4711);
                assertThat(one.enter(0)).isEqualTo(1);
                assertThat(one.enter(1)).isZero();
                assertThat(one.completions().next()).isTrue();
                assertThat(one.enter(1)).isEqualTo(-Errno.ETIME);
            }
            assertThat(rings.getFirst().isRegistered()).isTrue();
            assertThat(rings.getLast().isRegistered()).isFalse();
            rings.forEach(Ring::close);
        }
    }

    @Test
    void hasWorkWhileEntriesOrCompletionsWait() {
        assertThat(ring.hasWork()).isFalse();
        int eventfd = libc.eventfd(0, Constants.EFD_CLOEXEC);
        Sqe.poll(ring.submissions().next(), 1, eventfd, Constants.EPOLLIN);
        assertThat(ring.hasWork()).as("with a queued entry").isTrue();
        ring.enter(0);
        assertThat(ring.hasWork()).as("while nothing has happened").isFalse();
        libc.signal(eventfd);
        assertThat(ring.hasWork()).as("with a completion in the kernel").isTrue();
        ring.enter(0);
        assertThat(ring.completions().next()).isTrue();
        assertThat(ring.hasWork()).isFalse();
        libc.close(eventfd);
    }

    @Test
    void reportsOnlyAFailedClose() {
        int eventfd = libc.eventfd(0, Constants.EFD_CLOEXEC);
        Sqe.close(ring.submissions().next(), 2, eventfd);
        assertThat(ring.enter(0)).isEqualTo(1);
        assertThat(ring.completions().next()).as("a completion of a close").isFalse();
        Sqe.close(ring.submissions().next(), 3, eventfd);
        ring.enter(0);
        assertThat(ring.completions().next()).isTrue();
        assertThat(ring.completions().result()).isEqualTo(-Errno.EBADF);
    }

    @Test
    void endsAWaitAtItsTimeout() {
        assertThat(ring.enter(1)).isEqualTo(-Errno.ETIME);
    }

    @Test
    void losesNothingWhenTheCompletionQueueOverflows() {
        int many = 8 * 64;
        for (int i = 0; i < many; i++) {
            long sqe = ring.submissions().next();
            if (sqe == 0) {
                assertThat(ring.enter(0)).isEqualTo(8);
                sqe = ring.submissions().next();
            }
            Sqe.cancel(sqe, i, 4711);
        }
        int seen = 0;
        for (int turn = 0; seen < many && turn < many; turn++) {
            ring.enter(0);
            while (ring.completions().next()) {
                assertThat(ring.completions().token()).isEqualTo(seen++);
            }
        }
        assertThat(seen).isEqualTo(many);
    }

    @Test
    void receivesIntoAProvidedBufferWhenBytesArrive() {
        MmapAllocator allocator = new MmapAllocator();
        MemorySegment memory = allocator.allocate(4 * 64, 64);
        int[] pair = socketPair();
        try (BufferRing buffers = BufferRing.register(ring, allocator, 4, 7)) {
            for (int id = 0; id < 4; id++) {
                buffers.provide(memory.address() + id * 64L, 64, id + 100);
            }
            buffers.publish();
            assertThat(buffers.room()).isZero();
            Sqe.receiveIntoGroup(ring.submissions().next(), 1, pair[0], 64, 7);
            ring.enter(0);
            assertThat(ring.completions().next())
                    .as("a completion without bytes")
                    .isFalse();
            memory.fill((byte) 7);
            assertThat(libc.send(pair[1], memory.address(), 5, 0)).isEqualTo(5);
            ring.enter(-1);
            assertThat(ring.completions().next()).isTrue();
            assertThat(ring.completions().result()).isEqualTo(5);
            assertThat(ring.completions().flags() & UringConstants.IORING_CQE_F_BUFFER)
                    .isNotZero();
            assertThat(buffers.taken(ring.completions().flags())).isEqualTo(100);
            assertThat(buffers.provided()).isEqualTo(3);
        } finally {
            libc.close(pair[0]);
            libc.close(pair[1]);
            allocator.free(memory);
        }
    }

    @Test
    void reportsAReceiveWithoutBuffers() {
        int[] pair = socketPair();
        try (BufferRing buffers = BufferRing.register(ring, new MmapAllocator(), 4, 7)) {
            assertThat(buffers.provided()).isZero();
            assertThat(libc.send(pair[1], ring.submissions().next(), 5, 0)).isEqualTo(5);
            Sqe.receiveIntoGroup(ring.submissions().next(), 2, pair[0], 64, 7);
            ring.enter(-1);
            assertThat(ring.completions().next()).isTrue();
            while (ring.completions().token() != 2) {
                assertThat(ring.completions().next()).isTrue();
            }
            assertThat(ring.completions().result()).isEqualTo(-Errno.ENOBUFS);
        } finally {
            libc.close(pair[0]);
            libc.close(pair[1]);
        }
    }

    private int[] socketPair() {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(8, 8).address();
            assertThat(libc.socketpair(Constants.AF_UNIX, Constants.SOCK_STREAM, 0, address))
                    .isZero();
            return new int[] {RawMemory.getInt(address), RawMemory.getInt(address + 4)};
        }
    }
}
