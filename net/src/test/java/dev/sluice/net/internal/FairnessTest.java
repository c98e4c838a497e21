package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.memory.Ledger;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.internal.SimulatedWorld.Setting;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.Peer;
import dev.sluice.simulator.RingRules;
import dev.sluice.testkit.NativeBalance;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One connection that has always more to send, and a thousand that exchange small messages, on one loop. */
class FairnessTest {
    private static final int SMALL_CONNECTIONS = 1_000;
    private static final int SEEDS = 1;
    private static final int MESSAGES = 8;
    private static final int MESSAGE_BYTES = 100;
    private static final int SOCKET_BYTES = 90_000;
    private static final int BUFFERS = 1_024;
    private static final int RING_ENTRIES = 256;

    private static final int MOST_TURNS = (SMALL_CONNECTIONS + 1) / Transport.LEAST_SERVED_PER_TURN + 2;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource
    void nobodyWaitsLongerThanItTakesToServeAllOthersOnce(Backend backend) {
        for (RingRules rules : List.of(RingRules.LINUX_5_19, RingRules.LINUX_6_6)) {
            for (int seed = 0; seed < SEEDS; seed++) {
                assertFair(new Chance(seed), backend, rules);
            }
        }
    }

    private static void assertFair(Chance chance, Backend backend, RingRules rules) {
        try (SimulatedWorld world = new SimulatedWorld(
                chance, backend, new Setting(Faults.none(), rules, BUFFERS, RING_ENTRIES, SOCKET_BYTES))) {
            world.listen(new PlainEcho());
            Bulk bulk = new Bulk(world.dial());
            Crowd crowd = new Crowd(world);
            world.runUntil(() -> world.loop.statistics().get(Counter.ACCEPTED) == SMALL_CONNECTIONS + 1);
            world.kernel.add(bulk);
            world.kernel.add(crowd);
            int longest = 0;
            while (!crowd.isDone()) {
                world.turn();
                longest = Math.max(longest, crowd.longestWait());
            }
            assertThat(longest).as("turns that a readable connection waited").isLessThanOrEqualTo(MOST_TURNS);
            assertThat(bulk.received).as("bytes of bulk").isGreaterThan((long) SOCKET_BYTES);
        }
    }

    /** A peer that sends as much as there is room for, and reads everything. */
    private static final class Bulk implements Peer {
        private final MemorySocket socket;
        private final byte[] piece = new byte[SOCKET_BYTES];
        private long received;

        Bulk(MemorySocket socket) {
            this.socket = socket;
        }

        @Override
        public boolean step() {
            int wrote = socket.write(piece, 0, piece.length);
            int read = socket.read(piece, 0, piece.length);
            received += Math.max(0, read);
            return wrote > 0 || read > 0;
        }
    }

    /** All send their next message as soon as the last one has come back. */
    private static final class Crowd implements Peer {
        private final MemorySocket[] sockets = new MemorySocket[SMALL_CONNECTIONS];
        private final int[] left = new int[SMALL_CONNECTIONS];
        private final int[] awaited = new int[SMALL_CONNECTIONS];
        private final int[] waits = new int[SMALL_CONNECTIONS];
        private final byte[] message = new byte[MESSAGE_BYTES];

        Crowd(SimulatedWorld world) {
            Arrays.setAll(sockets, i -> world.dial());
            Arrays.fill(left, MESSAGES);
        }

        @Override
        public boolean step() {
            boolean acted = false;
            for (int i = 0; i < SMALL_CONNECTIONS; i++) {
                acted |= step(i);
            }
            return acted;
        }

        private boolean step(int i) {
            if (awaited[i] > 0) {
                int read = sockets[i].read(message, 0, awaited[i]);
                awaited[i] -= Math.max(0, read);
                return read != -Errno.EAGAIN;
            }
            if (left[i] == 0) {
                return false;
            }
            left[i]--;
            awaited[i] = sockets[i].write(message, 0, MESSAGE_BYTES);
            return true;
        }

        boolean isDone() {
            return Arrays.stream(left).sum() + Arrays.stream(awaited).sum() == 0;
        }

        /** Returns the turns, up to now, in which somebody's bytes have been there and were not received. */
        int longestWait() {
            for (int i = 0; i < SMALL_CONNECTIONS; i++) {
                waits[i] = sockets[i].canPeerRead() ? waits[i] + 1 : 0;
            }
            return Arrays.stream(waits).max().orElse(0);
        }
    }
}
