package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.MemorySocket;
import dev.sluice.simulator.SimulatedKernel;
import dev.sluice.testkit.NativeBalance;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
     * TCP_NODELAY is the listener's, and a close behind the peer's FIN needs no shutdown: what is left is two calls.
     */
    @ParameterizedTest
    @EnumSource
    void aConnectionThatThePeerEndsIsNamedAndClosed(Backend backend) {
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
        assertThat(kernel.calls("getpeername") - named).isEqualTo(CONNECTIONS);
        assertThat(kernel.calls("close") - closed).isEqualTo(CONNECTIONS);
        assertThat(kernel.calls("setsockopt") - options).isZero();
        assertThat(kernel.calls("shutdown")).isZero();
        assertThat(kernel.calls("getsockopt")).isZero();
        loop.end();
    }
}
