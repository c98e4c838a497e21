package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.ScriptedPeer;
import dev.sluice.simulator.ScriptedPeer.Script;
import dev.sluice.simulator.Seeds;
import dev.sluice.simulator.SimulatedKernel;
import dev.sluice.testkit.NativeBalance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections on a kernel in memory that goes wrong as seeds tell. */
class SimulationTest {
    private static final int SERVERS = 9_000;
    private static final int CONNECTS = 24;
    private static final int SEEDS = 2_000;
    private static final int MOST_SOCKET_BYTES = 100_000;
    private static final int PORT = 4433;
    private static final int MOST_BYTES = 300_000;
    /** A narrow socket is not made to carry much: it would take too many turns. */
    private static final int FILLS_MAX = 40;

    private static final int TURNS_MAX = 100_000;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource
    void everyByteComesBackOnceAndInOrder(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            try (World world = new World(new Chance(seed), backend)) {
                SimulatedEcho echo = new SimulatedEcho(world.loop, world.chance, world.config.maxLateBuffers());
                world.run(echo, () -> echo.closed == echo.opened);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyByteComesBackThroughMemoryOfOthers(Backend backend) {
        Seeds.run(SEEDS, seed -> {
            try (World world = new World(new Chance(seed), backend)) {
                DirectEcho echo = new DirectEcho(world.loop, world.chance);
                world.run(echo, () -> echo.closed == echo.opened);
            }
        });
    }

    /** The send swallows the error, and the receive finds an end: seed 768 of the gateway's relay on io_uring. */
    @ParameterizedTest
    @EnumSource
    void aResetThatASendHasMetIsNoEnd(Backend backend) {
        Seeds.run(SEEDS / 10, seed -> {
            try (World world = new World(new Chance(seed), backend)) {
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
            try (World world = new World(new Chance(seed), backend)) {
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

    /** A loop on a kernel in memory, and clients that want an echo. */
    private static final class World implements AutoCloseable {
        final Chance chance;
        final EventLoopConfig config;
        final Loop loop;
        private final SimulatedKernel kernel;
        private final List<Throwable> uncaught = new ArrayList<>();

        World(Chance chance, Backend backend) {
            this.chance = chance;
            this.kernel = new SimulatedKernel(chance, Faults.by(chance), 1, MOST_SOCKET_BYTES);
            this.config = EventLoopConfig.defaults()
                    .withName("simulated")
                    .withBackend(backend)
                    .withMaxBuffers(chance.oneIn(2) ? 8 : 64)
                    .withRingEntries(chance.oneIn(2) ? 8 : 64)
                    .withUncaughtHandler((where, what, thrown) -> uncaught.add(thrown));
            this.loop = Loop.driven(config, kernel);
        }

        void listen(AcceptHandler server) {
            loop.listen(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), ListenerOptions.defaults(), server);
        }

        MemorySocket dial() {
            return Objects.requireNonNull(kernel.dial(PORT));
        }

        /** Runs turns until that is reached, or nothing can happen any more. */
        void runUntil(BooleanSupplier reached) {
            kernel.endWhen(reached);
            for (int turns = 0; !reached.getAsBoolean(); turns++) {
                assertThat(turns).as("turns").isLessThan(TURNS_MAX);
                loop.turn();
                assertThat(uncaught).isEmpty();
            }
        }

        void run(AcceptHandler server, BooleanSupplier serverIsDone) {
            listen(server);
            List<ScriptedPeer> clients = clients();
            kernel.endWhen(() -> serverIsDone.getAsBoolean() && clients.stream().allMatch(ScriptedPeer::isOver));
            for (int turns = 0; !kernel.isFinished(); turns++) {
                assertThat(turns).as("turns, %s", clients).isLessThan(TURNS_MAX);
                loop.turn();
                assertThat(uncaught).isEmpty();
            }
            assertThat(clients).allMatch(client -> client.isComplete() || client.hasMisbehaved());
        }

        private List<ScriptedPeer> clients() {
            List<ScriptedPeer> clients = new ArrayList<>();
            for (int count = chance.between(1, 6); count > 0; count--) {
                MemorySocket socket = dial();
                int bytes = chance.sized(1, Math.min(MOST_BYTES, socket.capacity() * FILLS_MAX)) - 1;
                int breaksAfter = chance.oneIn(4) ? chance.below(2 * bytes + 1) : -1;
                clients.add(new ScriptedPeer(kernel, socket, Script.echo(count, bytes, breaksAfter)));
            }
            return clients;
        }

        /** The end of the loop leaves nothing behind, whatever came before. */
        @Override
        public void close() {
            kernel.heal();
            loop.end();
            assertThat(uncaught).isEmpty();
            assertThat(kernel.openDescriptors()).as("open descriptors").isZero();
        }
    }
}
