package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.uring.UringConstants;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.ListenerOptions;
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

/** The cost of watching for peers that leave, while none does. */
class RestingCallsTest {
    private static final int PORT = 4433;
    private static final int SOCKET_BYTES = 1_000;
    private static final int MESSAGES = 30_000;

    /** Of simulated time. */
    private static final long MANY_PERIODS_NANOS = 3 * UnwatchedEndpoints.PERIOD_MILLIS * 1_000_000;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @ParameterizedTest
    @EnumSource
    void costsNothingWhileReceivingIsOn(Backend backend) {
        assertThat(pollsOf(backend, new PlainEcho())).isZero();
    }

    /** A poll that was begun stays, however often receiving stops and goes on. */
    @ParameterizedTest
    @EnumSource
    void costsOnePollWhenReceivingStopsAgainAndAgain(Backend backend) {
        assertThat(pollsOf(backend, new RestingEcho())).isEqualTo(backend == Backend.IO_URING ? 1 : 0);
    }

    /**
     * Exchanges messages for a long time, and returns the number of polls. No call may ask what has become of the
     * client.
     */
    private static int pollsOf(Backend backend, PlainEcho server) {
        SimulatedKernel simulated = new SimulatedKernel(new Chance(1), Faults.none(), SOCKET_BYTES, SOCKET_BYTES);
        WatchedKernel kernel = new WatchedKernel(simulated);
        Loop loop = Loop.driven(EventLoopConfig.defaults().withBackend(backend), kernel.watched());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
        loop.listen(address, ListenerOptions.defaults(), server);
        Asker client = new Asker(simulated, Objects.requireNonNull(simulated.dial(PORT)), MESSAGES);
        simulated.add(client);
        simulated.endWhen(() -> client.answers() == MESSAGES);
        while (!simulated.isFinished()) {
            loop.turn();
        }
        loop.end();
        assertThat(client.lastNanos()).isGreaterThan(MANY_PERIODS_NANOS);
        assertThat(kernel.calls("getsockopt")).isZero();
        assertThat(kernel.calls("recv")).isEqualTo(backend == Backend.EPOLL ? MESSAGES : 0);
        return simulated.submissions(UringConstants.IORING_OP_POLL_ADD);
    }

    /** Rests after each message. */
    private static final class RestingEcho extends PlainEcho {
        @Override
        public void onReceived(Connection connection, Slab buffer) {
            connection.send(buffer);
            connection.stopReceiving();
            connection.loop().schedule(1, connection::startReceiving);
        }

        @Override
        public void onSent(Connection connection) {
            // Goes on when it has rested.
        }
    }
}
