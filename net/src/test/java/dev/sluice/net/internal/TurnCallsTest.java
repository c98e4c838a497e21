package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.SimulatedKernel;
import dev.sluice.testkit.NativeBalance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The system calls of turns whose work comes from tasks. */
class TurnCallsTest {
    private static final int PORT = 4433;
    private static final int SOCKET_BYTES = 1_000;
    private static final int MESSAGES = 1_000;

    /** The first turns, and waits that the end of a period cuts short. */
    private static final int OTHER_CALLS_MAX = 50;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    /** On epoll a wait, a receive and a send: the kernel is not asked for events between the task and its send. */
    @ParameterizedTest
    @EnumSource
    void aSendThatATaskAsksForTakesNoWaitOfItsOwn(Backend backend) {
        SimulatedKernel simulated = new SimulatedKernel(new Chance(1), Faults.none(), SOCKET_BYTES, SOCKET_BYTES);
        Loop loop = Loop.driven(EventLoopConfig.defaults().withBackend(backend), simulated);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
        loop.listen(address, ListenerOptions.defaults(), new EchoByTask());
        Asker client = new Asker(simulated, Objects.requireNonNull(simulated.dial(PORT)), MESSAGES);
        simulated.add(client);
        simulated.endWhen(() -> client.answers() == MESSAGES);
        while (!simulated.isFinished()) {
            loop.turn();
        }
        assertThat(loop.statistics().get(Counter.SYSTEM_CALLS)).isLessThanOrEqualTo(3 * MESSAGES + OTHER_CALLS_MAX);
        loop.end();
    }

    /** Answers in a task, as whoever decides elsewhere does. */
    private static final class EchoByTask extends PlainEcho {
        @Override
        public void onReceived(Connection connection, Slab buffer) {
            connection.loop().execute(() -> connection.send(buffer));
        }
    }
}
