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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that leave while nothing is received from them. */
class RestingSimulationTest {
    private static final int SEEDS = 1_000;
    private static final long STREAM = 1;
    private static final int MOST_BYTES = 60_000;
    private static final int FEW_BUFFERS = 8;

    /** Of simulated time. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource
    void noticesResetWhileReceivingIsOff(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            try (SimulatedWorld world = world(seed, backend)) {
                int bytes = world.chance.sized(1, MOST_BYTES) - 1;
                Rester server = new Rester(world.chance.oneIn(3) ? 0 : world.chance.sized(1, MOST_BYTES));
                world.listen(server);
                Leaver client = new Leaver(world, server, bytes, world.chance.oneIn(3), /* resets= */ true);
                world.runUntil(() -> server.closed);
                assertThat(server.failed).as("failures told").isEqualTo(1);
                assertThat(client.nanosSince()).isLessThan(LIMIT_NANOS);
            }
        });
    }

    /** All came before it: the end needs nobody who receives. */
    @ParameterizedTest
    @EnumSource
    void noticesEndBehindWhatWasReceived(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            try (SimulatedWorld world = world(seed, backend)) {
                int bytes = world.chance.sized(1, MOST_BYTES);
                Rester server = new Rester(bytes);
                world.listen(server);
                Leaver client = new Leaver(world, server, bytes, true, /* resets= */ false);
                world.runUntil(() -> server.ends == 1);
                assertThat(client.nanosSince()).isLessThan(LIMIT_NANOS);
                assertThat(server.received).isEqualTo(bytes);
                world.runUntilQuiet();
                assertThat(server.failed).isZero();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void losesNothingBeforeAnEnd(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            try (SimulatedWorld world = world(seed, backend)) {
                int bytes = world.chance.sized(1, MOST_BYTES);
                Rester server = new Rester(world.chance.below(bytes));
                world.listen(server);
                new Leaver(world, server, bytes, true, /* resets= */ false);
                while (server.ends == 0) {
                    // Long enough for the transport to look at it, or not.
                    boolean[] rested = new boolean[1];
                    world.loop.schedule(world.chance.below(400), () -> rested[0] = true);
                    world.runUntil(() -> rested[0]);
                    server.wakeUp(world.chance.sized(1, MOST_BYTES));
                }
                assertThat(server.received).isEqualTo(bytes);
                world.runUntilQuiet();
                assertThat(server.ends).isEqualTo(1);
                assertThat(server.failed).isZero();
            }
        });
    }

    /** Whoever waits for a buffer is not received from either, and it may hold those that are missing. */
    @ParameterizedTest
    @EnumSource
    void noticesResetWhileItWaitsForABuffer(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            Chance chance = new Chance(seed);
            Setting setting = new Setting(Faults.by(chance), RingRules.by(chance), FEW_BUFFERS, 8, MOST_BYTES);
            try (SimulatedWorld world = new SimulatedWorld(chance, backend, setting)) {
                Rester server = new Rester(Integer.MAX_VALUE);
                server.hoards = true;
                world.listen(server);
                Dripper client = new Dripper(world);
                world.runUntil(() -> server.hoarded.size() == FEW_BUFFERS);
                client.leave(world.chance.oneIn(2));
                world.runUntil(() -> server.closed);
                assertThat(client.nanosSince()).isLessThan(LIMIT_NANOS);
            }
        });
    }

    private static SimulatedWorld world(long seed, Backend backend) {
        Chance chance = new Chance(seed);
        int buffers = chance.oneIn(2) ? 64 : 512;
        int entries = chance.oneIn(2) ? 8 : 64;
        return new SimulatedWorld(
                chance, backend, new Setting(Faults.by(chance), RingRules.by(chance), buffers, entries, MOST_BYTES));
    }

    /** A peer that sends some bytes, perhaps ends its stream, and perhaps resets the connection later. */
    private static final class Leaver implements Peer {
        private final SimulatedWorld world;
        private final Rester server;
        private final MemorySocket socket;
        private final int bytes;
        private final boolean ends;
        private final boolean resets;
        private final long pauseNanos;
        private int sent;
        private boolean ended;
        private boolean reset;
        private long lastNanos;

        Leaver(SimulatedWorld world, Rester server, int bytes, boolean ends, boolean resets) {
            this.world = world;
            this.server = server;
            this.socket = world.dial();
            this.bytes = bytes;
            this.ends = ends;
            this.resets = resets;
            this.pauseNanos = TimeUnit.MICROSECONDS.toNanos(world.chance.sized(1, 300_000));
            world.kernel.add(this);
        }

        /** Returns the simulated time since it left. */
        long nanosSince() {
            return world.kernel.nanoTime() - lastNanos;
        }

        @Override
        public boolean step() {
            if (reset) {
                return false;
            }
            if (sent < bytes) {
                return write();
            }
            if (ends && !ended) {
                ended = true;
                socket.shutdownOutput();
                lastNanos = world.kernel.nanoTime();
                return true;
            }
            if (resets && server.connection != null && world.kernel.nanoTime() - lastNanos >= pauseNanos) {
                reset = true;
                socket.reset();
                lastNanos = world.kernel.nanoTime();
                return true;
            }
            return resets;
        }

        private boolean write() {
            byte[] piece = new byte[world.chance.sized(1, bytes - sent)];
            Pattern.fill(STREAM, sent, piece, 0, piece.length);
            int count = socket.write(piece, 0, piece.length);
            sent += Math.max(0, count);
            lastNanos = world.kernel.nanoTime();
            return count > 0;
        }
    }

    /** A peer that sends byte by byte. */
    private static final class Dripper implements Peer {
        private final SimulatedWorld world;
        private final MemorySocket socket;
        private long leftNanos;
        private int sent;
        private boolean left;

        Dripper(SimulatedWorld world) {
            this.world = world;
            this.socket = world.dial();
            world.kernel.add(this);
        }

        void leave(boolean inOrder) {
            left = true;
            leftNanos = world.kernel.nanoTime();
            if (inOrder) {
                socket.shutdownOutput();
            }
            socket.reset();
        }

        long nanosSince() {
            return world.kernel.nanoTime() - leftNanos;
        }

        @Override
        public boolean step() {
            byte[] piece = new byte[1];
            Pattern.fill(STREAM, sent, piece, 0, 1);
            int count = left ? 0 : Math.max(0, socket.write(piece, 0, 1));
            sent += count;
            return count > 0;
        }
    }

    /** Receives so many bytes and then rests. */
    private static final class Rester implements AcceptHandler, ConnectionHandler {
        private final List<Slab> hoarded = new ArrayList<>();
        private int limit;
        private boolean hoards;
        private int received;
        private int ends;
        private int failed;
        private boolean closed;
        private @Nullable TcpConnection connection;

        Rester(int limit) {
            this.limit = limit;
        }

        @Override
        public void onAccepted(TcpConnection accepted, SocketAddress peer) {
            connection = accepted;
            accepted.handler(this);
            if (limit > 0) {
                accepted.startReceiving();
            }
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            // The listener goes on by itself.
        }

        void wakeUp(int more) {
            if (connection != null) {
                limit = received + more;
                connection.startReceiving();
            }
        }

        @Override
        public void onReceived(Connection from, Slab buffer) {
            assertThat(ends + failed).as("ends told before bytes").isZero();
            byte[] bytes =
                    buffer.segment().asSlice(buffer.start(), buffer.length()).toArray(ValueLayout.JAVA_BYTE);
            Pattern.check(STREAM, received, bytes, 0, bytes.length);
            received += bytes.length;
            if (hoards) {
                hoarded.add(buffer);
            } else {
                buffer.release();
            }
            if (received >= limit) {
                from.stopReceiving();
            }
        }

        @Override
        public void onSent(Connection to) {
            // Nothing is sent.
        }

        @Override
        public void onEndOfStream(Connection from) {
            ends++;
        }

        @Override
        public void onFailed(Connection from, ConnectionFailure failure) {
            failed++;
        }

        @Override
        public void onClosed(Connection from) {
            closed = true;
            hoarded.forEach(Slab::release);
            hoarded.clear();
        }
    }
}
