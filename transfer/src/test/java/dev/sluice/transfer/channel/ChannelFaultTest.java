package dev.sluice.transfer.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.OutOfNativeMemoryException;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A handshake in which each allocation, and each call of OpenSSL's ciphers, fails once: nothing is left behind. */
@Timeout(120)
class ChannelFaultTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private final OwnKey anna = OwnKey.generate(OwnKeyType.ED25519);
    private final OwnKey bert = OwnKey.generate(OwnKeyType.ED25519);

    /** An allocator whose nth allocation fails; knows what is not freed. */
    private static final class Failing implements NativeAllocator {
        private final NativeAllocator allocator = new MallocAllocator();
        private final Map<Long, Long> live = new ConcurrentHashMap<>();
        private final int failing;
        private int calls;

        Failing(int failing) {
            this.failing = failing;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            calls++;
            if (calls == failing) {
                throw new OutOfNativeMemoryException("injected by a test");
            }
            MemorySegment memory = allocator.allocate(byteSize, byteAlignment);
            live.put(memory.address(), byteSize);
            return memory;
        }

        @Override
        public void free(MemorySegment segment) {
            assertThat(live.remove(segment.address())).isEqualTo(segment.byteSize());
            allocator.free(segment);
        }
    }

    @AfterEach
    void free() {
        anna.close();
        bert.close();
    }

    @Test
    void aFailedAllocationLeavesNothing() {
        int failures = 0;
        Failing allocator = new Failing(1);
        while (!opens(allocator)) {
            assertThat(allocator.live).as("after call " + allocator.failing).isEmpty();
            failures++;
            allocator = new Failing(failures + 1);
        }
        assertThat(allocator.live).isEmpty();
        assertThat(failures).isEqualTo(allocator.calls).isGreaterThan(8);
    }

    @Test
    void aFailedCipherLeavesNothing() {
        long calls = 0;
        boolean opened = false;
        while (!opened) {
            calls++;
            Failing allocator = new Failing(0);
            Thread client = Thread.currentThread();
            try (FaultPoint.Armed armed =
                    FaultPoint.arm(FaultPoint.EVP, calls, client::equals, ChannelFaultTest::explode)) {
                opened = opens(allocator);
                assertThat(opened).isNotEqualTo(armed.hasHit());
            }
            assertThat(allocator.live).isEmpty();
        }
        assertThat(calls).isGreaterThan(4);
    }

    private static void explode() {
        throw new IllegalStateException("injected by a test");
    }

    /** Opens a channel on this thread, and closes it; returns false if that failed. */
    private boolean opens(NativeAllocator allocator) {
        ChannelSocket[] pair = Ends.pair();
        CompletableFuture<Boolean> server = Ends.async(() -> {
            try (SecureChannel channel =
                    SecureChannel.accept(pair[1], bert, AllowedKeys.of(anna.fingerprint()), Ends.SETTINGS)) {
                return channel.peer().equals(anna.fingerprint());
            } catch (ChannelException e) {
                return false; // the other side is gone
            }
        });
        try (SecureChannel channel = new Handshake(pair[0], Ends.SETTINGS, allocator)
                .run(Handshake.Role.CLIENT, anna, wire -> new PinnedPeer(AllowedKeys.of(bert.fingerprint())))) {
            return channel.peer().equals(bert.fingerprint());
        } catch (OutOfNativeMemoryException | IllegalStateException | ChannelException e) {
            return false;
        } finally {
            server.join();
        }
    }
}
