package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.net.AcceptHandler;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.ListenerOptions;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.RingRules;
import dev.sluice.simulator.ScriptedPeer;
import dev.sluice.simulator.ScriptedPeer.Script;
import dev.sluice.simulator.SimulatedKernel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** A loop on a kernel in memory, and clients that want an echo. */
final class SimulatedWorld implements AutoCloseable {
    static final int MOST_SOCKET_BYTES = 100_000;
    private static final int PORT = 4433;
    private static final int MOST_BYTES = 300_000;
    /** A narrow socket is not made to carry much: it would take too many turns. */
    private static final int FILLS_MAX = 40;

    /** Next to none, few, and enough for receives that go on by themselves. */
    private static final int[] BUFFERS = {8, 64, 512};

    private static final int TURNS_MAX = 100_000;
    private static final int BACKLOG = 100;
    /** Short, since a kernel that wakes the loop for nothing makes many turns of it. */
    private static final long ACCEPT_PAUSE_MILLIS = 5;

    private static final int QUIET_TURNS = 300;

    final Chance chance;
    final EventLoopConfig config;
    final Loop loop;
    final SimulatedKernel kernel;
    private final List<Throwable> uncaught = new ArrayList<>();

    /**
     * The equipment of a world.
     *
     * @param buffers of the loop
     * @param ringEntries submissions of io_uring
     * @param leastSocketBytes least bytes that a socket buffers
     */
    record Setting(Faults faults, RingRules rules, int buffers, int ringEntries, int leastSocketBytes) {
        /** One that goes wrong, and is as narrow, as chance will have it. */
        static Setting by(Chance chance) {
            return new Setting(
                    Faults.by(chance),
                    RingRules.by(chance),
                    BUFFERS[chance.below(BUFFERS.length)],
                    chance.oneIn(2) ? 8 : 64,
                    1);
        }
    }

    SimulatedWorld(Chance chance, Backend backend) {
        this(chance, backend, Setting.by(chance));
    }

    SimulatedWorld(Chance chance, Backend backend, Setting setting) {
        this.chance = chance;
        this.kernel = new SimulatedKernel(chance, setting.faults, setting.leastSocketBytes, MOST_SOCKET_BYTES);
        kernel.ringRules = setting.rules;
        this.config = EventLoopConfig.defaults()
                .withName("simulated")
                .withBackend(backend)
                .withMaxBuffers(setting.buffers)
                .withRingEntries(setting.ringEntries)
                .withUncaughtHandler((where, what, thrown) -> uncaught.add(thrown));
        this.loop = Loop.driven(config, kernel);
    }

    void listen(AcceptHandler server) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
        loop.listen(address, new ListenerOptions(BACKLOG, ACCEPT_PAUSE_MILLIS), server);
    }

    MemorySocket dial() {
        return Objects.requireNonNull(kernel.dial(PORT));
    }

    /** Runs turns until that is reached, or nothing can happen any more. */
    void runUntil(BooleanSupplier reached) {
        kernel.endWhen(reached);
        for (int turns = 0; !reached.getAsBoolean(); turns++) {
            assertThat(turns).as("turns").isLessThan(TURNS_MAX);
            turn();
        }
    }

    /** Runs turns until nothing can happen any more, or for long enough that something would have. */
    void runUntilQuiet() {
        kernel.endWhen(() -> true);
        for (int turns = 0; !kernel.isFinished() && turns < QUIET_TURNS; turns++) {
            turn();
        }
    }

    /** Runs so many turns, whether anything happens or not. */
    void turns(int count) {
        kernel.endWhen(() -> true);
        for (int i = 0; i < count; i++) {
            turn();
        }
    }

    void turn() {
        loop.turn();
        assertThat(uncaught).isEmpty();
    }

    void run(AcceptHandler server, BooleanSupplier serverIsDone) {
        listen(server);
        List<ScriptedPeer> clients = clients();
        kernel.endWhen(() -> serverIsDone.getAsBoolean() && clients.stream().allMatch(ScriptedPeer::isOver));
        for (int turns = 0; !kernel.isFinished(); turns++) {
            assertThat(turns).as("turns, %s", clients).isLessThan(TURNS_MAX);
            turn();
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
