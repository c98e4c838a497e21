package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.uring.UringConstants;
import dev.sluice.memory.Ledger;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.TcpConnection;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.SimulatedKernel;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.tls.failure.EndReason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The system calls that a connection takes besides those that move its bytes. */
class ClosingCallsTest {
    private static final int PORT = 4433;
    private static final int CONNECTIONS = 10;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    /**
     * TCP_NODELAY is the listener's, and a close behind the peer's FIN needs no shutdown. accept4(2) says who the peer
     * is; an accept of io_uring that goes on by itself cannot.
     */
    @ParameterizedTest
    @EnumSource
    void aConnectionThatThePeerEndsIsOnlyNamedAndClosed(Backend backend) {
        SimulatedKernel simulated = new SimulatedKernel(new Chance(1), Faults.none(), 1_000, 1_000);
        WatchedKernel kernel = new WatchedKernel(simulated);
        Loop loop = Loop.driven(EventLoopConfig.defaults().withBackend(backend), kernel.watched());
        loop.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT),
                ListenerOptions.defaults(),
                new PlainEcho());
        int named = kernel.calls("getpeername");
        int closed = kernel.calls("close");
        int options = kernel.calls("setsockopt");
        for (int i = 0; i < CONNECTIONS; i++) {
            MemorySocket client = Objects.requireNonNull(simulated.dial(PORT));
            client.write(new byte[10], 0, 10);
            client.shutdownOutput();
        }
        while (loop.statistics().get(Counter.CLOSED) < CONNECTIONS) {
            loop.turn();
        }
        assertThat(kernel.calls("getpeername") - named).isEqualTo(backend == Backend.IO_URING ? CONNECTIONS : 0);
        // What closes in the ring is handed over in the next turn.
        simulated.endWhen(() -> true);
        loop.turn();
        assertThat(kernel.calls("close") - closed).isEqualTo(backend == Backend.IO_URING ? 0 : CONNECTIONS);
        assertThat(simulated.submissions(UringConstants.IORING_OP_CLOSE))
                .isEqualTo(backend == Backend.IO_URING ? CONNECTIONS : 0);
        assertThat(kernel.calls("setsockopt") - options).isZero();
        assertThat(kernel.calls("shutdown")).isZero();
        assertThat(kernel.calls("getsockopt")).isZero();
        loop.end();
    }

    /** Whoever is told of a listener's end may listen at its address again. */
    @ParameterizedTest
    @EnumSource
    void aListenerIsClosedBeforeItsEndIsTold(Backend backend) {
        SimulatedKernel simulated = new SimulatedKernel(new Chance(1), Faults.none(), 1_000, 1_000);
        WatchedKernel kernel = new WatchedKernel(simulated);
        Loop loop = Loop.driven(EventLoopConfig.defaults().withBackend(backend), kernel.watched());
        Listener listener = loop.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT),
                ListenerOptions.defaults(),
                new PlainEcho());
        int closed = kernel.calls("close");
        listener.close();
        simulated.endWhen(() -> kernel.calls("close") > closed);
        while (kernel.calls("close") == closed) {
            loop.turn();
        }
        assertThat(simulated.submissions(UringConstants.IORING_OP_CLOSE)).isZero();
        loop.end();
    }

    /** The event that ends a connect says whether it has failed: only then the kernel is asked for the error. */
    @ParameterizedTest
    @EnumSource
    void aConnectIsAskedForItsErrorOnlyWhenItHasFailed(Backend backend) {
        SimulatedKernel simulated = new SimulatedKernel(new Chance(1), Faults.none(), 1_000, 1_000);
        simulated.serve(PORT, server -> {});
        WatchedKernel kernel = new WatchedKernel(simulated);
        Loop loop = Loop.driven(EventLoopConfig.defaults().withBackend(backend), kernel.watched());
        Outcomes outcomes = new Outcomes();
        for (int i = 0; i < CONNECTIONS; i++) {
            connect(loop, PORT, outcomes);
        }
        assertThat(outcomes.reasons).containsOnly("connected");
        assertThat(kernel.calls("socket")).isEqualTo(CONNECTIONS);
        assertThat(kernel.calls("getsockopt")).isZero();

        outcomes.reasons.clear();
        for (int i = 0; i < CONNECTIONS; i++) {
            connect(loop, PORT + 1, outcomes);
        }
        assertThat(outcomes.reasons).containsOnly(EndReason.CONNECTION_REFUSED.label());
        assertThat(kernel.calls("getsockopt")).isLessThanOrEqualTo(CONNECTIONS);
        loop.end();
    }

    private static void connect(Loop loop, int port, Outcomes outcomes) {
        int before = outcomes.reasons.size();
        loop.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000, outcomes);
        while (outcomes.reasons.size() == before) {
            loop.turn();
        }
    }

    /** A recorder of the outcomes of connects. */
    private static final class Outcomes implements ConnectHandler {
        private final List<String> reasons = new ArrayList<>();

        @Override
        public void onConnected(TcpConnection connection) {
            reasons.add("connected");
            connection.abort();
        }

        @Override
        public void onConnectFailed(ConnectionFailure failure) {
            reasons.add(failure.reason().label());
        }
    }
}
