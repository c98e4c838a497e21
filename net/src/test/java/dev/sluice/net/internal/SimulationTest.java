package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.internal.SimulatedWorld.Setting;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.RingRules;
import dev.sluice.simulator.Seeds;
import dev.sluice.testkit.NativeBalance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections on a kernel in memory that goes wrong as seeds tell. */
class SimulationTest {
    private static final int SERVERS = 9_000;
    private static final int CONNECTS = 24;
    private static final int SEEDS = 2_000;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource
    void everyByteComesBackOnceAndInOrder(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            try (SimulatedWorld world = new SimulatedWorld(new Chance(seed), backend)) {
                SimulatedEcho echo = new SimulatedEcho(world.loop, world.chance, world.config.maxLateBuffers());
                world.run(echo, () -> echo.closed == echo.opened);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyByteComesBackThroughMemoryOfOthers(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            try (SimulatedWorld world = new SimulatedWorld(new Chance(seed), backend)) {
                LentMemoryEcho echo = new LentMemoryEcho(world.loop, world.chance);
                world.run(echo, () -> echo.closed == echo.opened);
            }
        });
    }

    /** The send swallows the error, and the receive finds an end: seed 768 of the gateway's relay on io_uring. */
    @ParameterizedTest
    @EnumSource
    void aResetThatASendHasMetIsNoEnd(Backend backend) {
        Seeds.run(SEEDS / 10, seed -> {
            try (SimulatedWorld world = new SimulatedWorld(new Chance(seed), backend)) {
                ResetWitness witness = new ResetWitness(world.loop);
                world.listen(witness);
                MemorySocket client = world.dial();
                world.runUntil(witness::isSending);
                client.reset();
                world.runUntil(witness::isOver);
                assertThat(witness.ends).as("ends told").isZero();
            }
        });
    }

    /** The kernel may take only some of what is submitted; the addresses of the rest must stay. */
    @ParameterizedTest
    @EnumSource
    void everyConnectGoesToItsOwnAddress(Backend backend) {
        Seeds.run(SEEDS / 10, seed -> {
            try (SimulatedWorld world = new SimulatedWorld(new Chance(seed), backend)) {
                int[] connected = new int[CONNECTS];
                for (int i = 0; i < CONNECTS; i++) {
                    int number = i;
                    world.kernel.serve(SERVERS + i, socket -> connected[number]++);
                }
                List<String> outcomes = new ArrayList<>();
                for (int i = 0; i < CONNECTS; i++) {
                    world.loop.connect(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), SERVERS + i),
                            1_000,
                            new Departing(outcomes));
                }
                world.runUntil(() -> outcomes.size() == CONNECTS);
                // None at all where the connect failed; two where another's address was taken.
                assertThat(Arrays.stream(connected).max().orElse(0)).isEqualTo(1);
            }
        });
    }

    /** A cancel may miss an operation that is just being issued again, and a silent peer never ends it. */
    @ParameterizedTest
    @EnumSource
    void anAbortComesThroughThoughThePeerIsSilent(Backend backend) {
        Seeds.run(SEEDS / 10, seed -> {
            Setting setting = new Setting(Faults.ofCancels(2), RingRules.LINUX_6_6, 64, 8, 1_000);
            try (SimulatedWorld world = new SimulatedWorld(new Chance(seed), backend, setting)) {
                Impatient server = new Impatient(world.loop);
                world.listen(server);
                world.dial();
                world.runUntil(() -> server.closed);
            }
        });
    }

    /** Aborts after a while. */
    private static final class Impatient extends PlainEcho {
        private final EventLoop loop;
        private boolean closed;

        Impatient(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            super.onAccepted(connection, peer);
            loop.schedule(1, connection::abort);
        }

        @Override
        public void onClosed(Connection connection) {
            closed = true;
        }
    }

    /** Leaves as soon as it is connected. */
    private record Departing(List<String> outcomes) implements ConnectHandler {
        @Override
        public void onConnected(TcpConnection connection) {
            outcomes.add("connected");
            connection.abort();
        }

        @Override
        public void onConnectFailed(ConnectionFailure failure) {
            outcomes.add(failure.message());
        }
    }
}
