package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.internal.SimulatedWorld.Setting;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.Pattern;
import dev.sluice.simulator.Peer;
import dev.sluice.simulator.RingRules;
import dev.sluice.simulator.Seeds;
import dev.sluice.testkit.NativeBalance;
import java.lang.foreign.ValueLayout;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes that multishot receives bring when nobody asks. */
class MultishotReceivesTest {
    private static final int SEEDS = 100;
    private static final int BUFFERS = 512;
    private static final int RING_ENTRIES = 64;

    /**
     * The bytes that the kernel brings when nobody asks, and once more before it hears of the cancel: a socket's
     * content each.
     */
    private static final int MOST_IN_TWO_GOES = 2 * SimulatedWorld.MOST_SOCKET_BYTES;

    private static final int SOCKET_BYTES = 60_000;
    private static final int SMALL_MESSAGES = 5;
    private static final int SMALL_BYTES = 100;
    private static final int MANY = 100;
    private static final int TURNS_EACH = 3;
    private static final int MUCH = 3_000_000;
    private static final long STREAM = 1;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    /**
     * However the kernel goes wrong: what comes after receiving has stopped is bounded, and is told later, in order.
     */
    @ParameterizedTest
    @EnumSource
    void boundsAndKeepsWhatNobodyAsksFor(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            Chance chance = new Chance(seed);
            Faults faults = Faults.by(chance);
            try (SimulatedWorld world = new SimulatedWorld(chance, backend, setting(faults, RingRules.by(chance)))) {
                Sleepers sleepers = new Sleepers();
                Pusher pusher = calm(world, sleepers, 1).getFirst();
                Sleeper sleeper = sleepers.all.getFirst();
                pusher.limit = MUCH;
                world.runUntilQuiet();
                // One buffer was told late, the socket is full, and the rest is held back.
                int held = faults.lateCancel() > 0 ? MultishotReceives.MOST_BYTES_PER_ENDPOINT : MOST_IN_TWO_GOES;
                int mostSent = sleeper.received + held + SimulatedWorld.MOST_SOCKET_BYTES;
                assertThat(pusher.sent).isLessThanOrEqualTo(mostSent);
                sleeper.wakeUp();
                world.runUntil(() -> sleeper.received == MUCH);
                pusher.socket.close();
                world.runUntil(() -> sleeper.closed);
            }
        });
    }

    /** A kernel that fills every buffer it has for those who do not ask leaves enough for those who do. */
    @Test
    void leavesBuffersForOthers() {
        try (SimulatedWorld world =
                new SimulatedWorld(new Chance(1), Backend.IO_URING, setting(Faults.none(), RingRules.LINUX_6_6))) {
            Sleepers sleepers = new Sleepers();
            List<Pusher> pushers = calm(world, sleepers, MANY);
            // One after the other: all at once, they would find no more buffers than are on offer.
            for (Pusher pusher : pushers) {
                pusher.limit = MUCH;
                world.turns(TURNS_EACH);
            }
            // Their part, what came before the kernel heard of the end, and what is on offer.
            int most = BUFFERS / 8 + 2 * ReceiveBuffers.MOST_ON_OFFER;
            assertThat(world.loop.buffers().leasedCount()).isLessThanOrEqualTo(most);
            sleepers.all.forEach(Sleeper::wakeUp);
            world.runUntil(() -> sleepers.all.stream().allMatch(sleeper -> sleeper.received == MUCH));
        }
    }

    private static Setting setting(Faults faults, RingRules rules) {
        return new Setting(faults, rules, BUFFERS, RING_ENTRIES, SOCKET_BYTES);
    }

    /** Connections that have sent a few small messages, and to which nobody listens now. */
    private static List<Pusher> calm(SimulatedWorld world, Sleepers sleepers, int count) {
        world.listen(sleepers);
        List<Pusher> pushers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Pusher pusher = new Pusher(world.dial());
            world.kernel.add(pusher);
            pushers.add(pusher);
        }
        for (int i = 1; i <= SMALL_MESSAGES; i++) {
            int bytes = i * SMALL_BYTES;
            pushers.forEach(pusher -> pusher.limit = bytes);
            world.runUntil(() -> sleepers.all.size() == count
                    && sleepers.all.stream().allMatch(sleeper -> sleeper.received == bytes));
        }
        sleepers.all.forEach(Sleeper::sleep);
        return pushers;
    }

    /** A peer that sends as much of a stream as is allowed and there is room for. */
    private static final class Pusher implements Peer {
        private final MemorySocket socket;
        private final byte[] piece = new byte[SOCKET_BYTES];
        private int limit;
        private int sent;

        Pusher(MemorySocket socket) {
            this.socket = socket;
        }

        @Override
        public boolean step() {
            int length = Math.min(piece.length, limit - sent);
            if (length == 0 || !socket.canWrite()) {
                return false;
            }
            Pattern.fill(STREAM, sent, piece, 0, length);
            sent += socket.write(piece, 0, length);
            return true;
        }
    }

    private static final class Sleepers implements AcceptHandler {
        private final List<Sleeper> all = new ArrayList<>();

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            Sleeper sleeper = new Sleeper(connection);
            all.add(sleeper);
            connection.handler(sleeper);
            connection.startReceiving();
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            // The listener goes on by itself.
        }
    }

    /** Receives until it is put to sleep, and again when it is woken up. */
    private static final class Sleeper implements ConnectionHandler {
        private final TcpConnection connection;
        private boolean asleep;
        private int late;
        private int received;
        private boolean closed;

        Sleeper(TcpConnection connection) {
            this.connection = connection;
        }

        void sleep() {
            asleep = true;
            connection.stopReceiving();
        }

        void wakeUp() {
            asleep = false;
            connection.startReceiving();
        }

        @Override
        public void onReceived(Connection from, Slab buffer) {
            assertThat(asleep ? ++late : 0).as("late buffers").isLessThanOrEqualTo(1);
            byte[] bytes =
                    buffer.segment().asSlice(buffer.start(), buffer.length()).toArray(ValueLayout.JAVA_BYTE);
            Pattern.check(STREAM, received, bytes, 0, bytes.length);
            received += bytes.length;
            buffer.release();
        }

        @Override
        public void onSent(Connection to) {
            // Nothing is sent.
        }

        @Override
        public void onEndOfStream(Connection from) {
            connection.close();
        }

        @Override
        public void onFailed(Connection from, ConnectionFailure failure) {
            throw new AssertionError(failure.message());
        }

        @Override
        public void onClosed(Connection from) {
            closed = true;
        }
    }
}
