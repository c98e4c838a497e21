package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A listening socket that goes from one loop to another, and what becomes of connections meanwhile. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class SharedListenerTest extends ConformanceTest {
    private static final int CONNECTIONS = 40;

    /** Another descriptor of the same socket, as a process that it is passed to would have. */
    private static int copyOf(Listener listener) {
        try (LibC libc = new LibC()) {
            return libc.fcntl(listener.descriptor(), Constants.F_DUPFD_CLOEXEC, 0);
        }
    }

    @Test
    void servesConnectionsThatCameWhileNobodyAccepted() throws IOException {
        Echo first = new Echo();
        Echo second = new Echo();
        Listener listener =
                fixture.call(() -> fixture.loop.listen(LoopFixture.ANY_PORT, ListenerOptions.defaults(), first));
        int copy = copyOf(listener);
        CompletableFuture<Void> resting = new CompletableFuture<>();
        fixture.run(() -> listener.rest(() -> resting.complete(null)));
        LoopFixture.await(resting);
        fixture.run(listener::close);

        List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            waiting.add(connect((InetSocketAddress) listener.address()));
        }
        assertThat(first.accepted).hasValue(0);
        try (LoopFixture other = new LoopFixture(config)) {
            Listener next = other.call(() -> other.loop.adopt(copy, ListenerOptions.defaults(), second));
            assertThat(next.address()).isEqualTo(listener.address());
            for (Socket socket : waiting) {
                assertEchoes(socket);
                socket.close();
            }
            assertThat(second.accepted).hasValue(CONNECTIONS);
        }
    }

    /** Clients come all the time: none may get lost between the end of one and the begin of the other. */
    @Test
    void losesNoConnectionWhenOneOfTwoStops() throws IOException {
        Echo first = new Echo();
        Echo second = new Echo();
        Listener listener =
                fixture.call(() -> fixture.loop.listen(LoopFixture.ANY_PORT, ListenerOptions.defaults(), first));
        InetSocketAddress address = (InetSocketAddress) listener.address();
        int copy = copyOf(listener);
        List<Socket> sockets = new ArrayList<>();
        try (LoopFixture other = new LoopFixture(config)) {
            connectSome(sockets, address);
            other.run(() -> other.loop.adopt(copy, ListenerOptions.defaults(), second));
            connectSome(sockets, address);
            CompletableFuture<Void> resting = new CompletableFuture<>();
            fixture.loop.execute(() -> listener.rest(() -> {
                listener.close();
                resting.complete(null);
            }));
            connectSome(sockets, address);
            LoopFixture.await(resting);
            int atRest = first.accepted.get();
            connectSome(sockets, address);
            for (Socket socket : sockets) {
                assertEchoes(socket);
            }
            assertThat(first.accepted).hasValue(atRest);
            assertThat(first.accepted.get() + second.accepted.get()).isEqualTo(4 * CONNECTIONS);
            assertThat(second.accepted.get()).isGreaterThanOrEqualTo(CONNECTIONS);
            for (Socket socket : sockets) {
                socket.close();
            }
            Waiting.until(
                    Duration.ofSeconds(LoopFixture.LIMIT_SECONDS),
                    () -> first.closed.get() + second.closed.get() == 4 * CONNECTIONS,
                    () -> "open still: " + (4 * CONNECTIONS - first.closed.get() - second.closed.get()));
        }
    }

    private static void connectSome(List<Socket> sockets, InetSocketAddress address) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            sockets.add(connect(address));
        }
    }

    private static void assertEchoes(Socket socket) throws IOException {
        socket.getOutputStream().write('x');
        assertThat(socket.getInputStream().read()).isEqualTo('x');
    }

    @Test
    void refusesAndClosesASocketThatDoesNotListen() {
        try (LibC libc = new LibC()) {
            int plain = libc.socket(Constants.AF_INET, Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC, 0);
            assertThatThrownBy(
                            () -> fixture.run(() -> fixture.loop.adopt(plain, ListenerOptions.defaults(), new Echo())))
                    .isInstanceOf(ListenException.class)
                    .hasMessageContaining("descriptor " + plain + " is no TCP socket that listens");
        }
    }
}
