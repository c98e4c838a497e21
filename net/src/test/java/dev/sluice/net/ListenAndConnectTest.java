package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The ways in which connections come to be, and fail to. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class ListenAndConnectTest extends ConformanceTest {
    @Test
    void sharesAPortAmongListeners() throws IOException {
        Echo first = new Echo();
        Echo second = new Echo();
        InetSocketAddress address = fixture.listen(first);
        assertThat(address.getPort()).isPositive();
        try (LoopFixture other = new LoopFixture(config)) {
            other.run(() -> other.loop.listen(address, ListenerOptions.defaults(), second));
            for (int i = 0; i < 50; i++) {
                try (Socket socket = connect(address)) {
                    socket.getOutputStream().write(i);
                    assertThat(socket.getInputStream().read()).isEqualTo(i);
                }
            }
            assertThat(first.accepted.get() + second.accepted.get()).isEqualTo(50);
            assertThat(first.accepted).doesNotHaveValue(0);
            assertThat(second.accepted).doesNotHaveValue(0);
        }
    }

    @Test
    void aPortThatIsTakenIsAnErrorWithARemedy() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            SocketAddress address = taken.getLocalSocketAddress();
            assertThatThrownBy(() ->
                            fixture.run(() -> fixture.loop.listen(address, ListenerOptions.defaults(), recorder())))
                    .isInstanceOf(ListenException.class)
                    .hasMessageContaining("EADDRINUSE")
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()))
                    .hasMessageContaining("another port");
        }
    }

    @Test
    void anAddressThatIsNotOursIsAnError() {
        // 192.0.2.0/24 is for documentation (RFC 5737): no machine has it.
        SocketAddress foreign = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0);
        assertThatThrownBy(
                        () -> fixture.run(() -> fixture.loop.listen(foreign, ListenerOptions.defaults(), recorder())))
                .isInstanceOf(ListenException.class)
                .hasMessageContaining("EADDRNOTAVAIL");
    }

    @Test
    void aClosedListenerRefuses() {
        Recorder recorder = recorder();
        Listener listener =
                fixture.call(() -> fixture.loop.listen(LoopFixture.ANY_PORT, ListenerOptions.defaults(), recorder));
        fixture.run(() -> {
            listener.close();
            listener.close();
        });
        Waiting.until(LIMIT, () -> refused((InetSocketAddress) listener.address()), () -> "still accepts");
    }

    private static boolean refused(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void connectsAndKnowsBothEnds() throws IOException {
        Recorder recorder = recorder();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            fixture.connect(server.getLocalSocketAddress(), 5_000, recorder);
            TcpConnection connection = LoopFixture.await(recorder.made);
            try (Socket peer = server.accept()) {
                assertThat(connection.peerAddress()).isEqualTo(server.getLocalSocketAddress());
                assertThat(fixture.<SocketAddress>call(connection::localAddress))
                        .isEqualTo(peer.getRemoteSocketAddress());
                assertThat(fixture.<Integer>call(
                                () -> option(connection, Constants.IPPROTO_TCP, Constants.TCP_NODELAY)))
                        .isEqualTo(1);
                peer.getOutputStream().write(utf8("hello"));
                assertThat(recorder.awaitReceived(5)).asString().isEqualTo("hello");
                fixture.run(() -> connection.send(slab(fixture.loop, utf8("and back"))));
                assertThat(peer.getInputStream().readNBytes(8)).asString().isEqualTo("and back");
            }
            LoopFixture.await(recorder.ended);
            fixture.run(connection::close);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void acceptedConnectionsInheritNoDelayAndKnowBothEnds() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            assertThat(fixture.<Integer>call(() -> option(connection, Constants.IPPROTO_TCP, Constants.TCP_NODELAY)))
                    .isEqualTo(1);
            assertThat(connection.peerAddress()).isEqualTo(socket.getLocalSocketAddress());
            assertThat(fixture.<SocketAddress>call(connection::localAddress)).isEqualTo(address);
        }
        LoopFixture.await(recorder.ended);
    }

    @Test
    void acceptedConnectionsInheritHowThePeerIsAskedWhetherItIsThere() throws IOException {
        Recorder recorder = recorder();
        Listener listener = fixture.call(() -> fixture.loop.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ListenerOptions.defaults(), recorder));
        fixture.run(() -> listener.keepAlive(Duration.ofSeconds(90)));
        try (Socket socket = connect((InetSocketAddress) listener.address())) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            assertThat(keepAlive(connection)).containsExactly(1, 90, 30, 3);
            fixture.run(() -> connection.keepAlive(Duration.ofSeconds(1)));
            assertThat(keepAlive(connection)).containsExactly(1, 1, 1, 3);
            fixture.run(() -> connection.keepAlive(Duration.ZERO));
            assertThat(keepAlive(connection)).startsWith(0);
            assertThat(socket.isConnected()).isTrue();
        }
        LoopFixture.await(recorder.ended);
    }

    private List<Integer> keepAlive(TcpConnection connection) {
        return fixture.call(() -> List.of(
                option(connection, Constants.SOL_SOCKET, Constants.SO_KEEPALIVE),
                option(connection, Constants.IPPROTO_TCP, Constants.TCP_KEEPIDLE),
                option(connection, Constants.IPPROTO_TCP, Constants.TCP_KEEPINTVL),
                option(connection, Constants.IPPROTO_TCP, Constants.TCP_KEEPCNT)));
    }

    private static int option(TcpConnection connection, int level, int name) {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(8, 8);
            value.set(ValueLayout.JAVA_INT, 4, 4);
            long address = value.address();
            assertThat(libc.getsockopt(connection.descriptor(), level, name, address, address + 4))
                    .isZero();
            return value.get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Test
    void aRefusedConnectIsAFailureWithAName() throws IOException {
        InetSocketAddress nobody;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = (InetSocketAddress) server.getLocalSocketAddress();
        }
        Recorder recorder = recorder();
        fixture.connect(nobody, 5_000, recorder);
        assertThat(LoopFixture.await(recorder.notMade).reason()).isEqualTo(EndReason.CONNECTION_REFUSED);
        assertThat(fixture.loop.statistics().get(Counter.CONNECT_FAILURES)).isEqualTo(1);
    }

    @Test
    void aConnectThatNobodyAnswersTimesOut() throws IOException {
        try (DeafServer deaf = new DeafServer()) {
            Recorder recorder = recorder();
            fixture.connect(deaf.address(), 100, recorder);
            ConnectionFailure failure = LoopFixture.await(recorder.notMade);
            assertThat(failure.reason()).isEqualTo(EndReason.CONNECT_TIMEOUT);
            assertThat(failure.message()).contains("100 ms");
        }
    }

    @Test
    void anAbandonedConnectIsAFailureAtOnce() throws IOException {
        try (DeafServer deaf = new DeafServer()) {
            Recorder recorder = recorder();
            fixture.run(() -> {
                PendingConnect connect = fixture.loop.connect(deaf.address(), 60_000, recorder);
                connect.abandon();
                assertThat(recorder.notMade).isDone();
                connect.abandon();
            });
            assertThat(LoopFixture.await(recorder.notMade).reason()).isEqualTo(EndReason.CONNECT_ABANDONED);
        }
    }

    @Test
    void abandoningAConnectThatIsOverHasNoEffect() throws IOException {
        Recorder recorder = recorder();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PendingConnect connect =
                    fixture.call(() -> fixture.loop.connect(server.getLocalSocketAddress(), 60_000, recorder));
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(connect::abandon);
            assertThat(recorder.notMade).isNotDone();
            fixture.run(connection::abort);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void closingTheLoopEndsAConnectThatIsUnderWay() throws IOException {
        try (DeafServer deaf = new DeafServer()) {
            Recorder recorder = recorder();
            fixture.connect(deaf.address(), 60_000, recorder);
            fixture.close();
            assertThat(LoopFixture.await(recorder.notMade).reason()).isEqualTo(EndReason.LOOP_CLOSED);
        }
    }

    /** The kernel, with its backlog full, drops what comes: connects hang. */
    private static final class DeafServer implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final List<SocketChannel> fillers = new ArrayList<>();

        DeafServer() throws IOException {
            for (int i = 0; i < 4; i++) {
                SocketChannel filler = SocketChannel.open();
                filler.configureBlocking(false);
                filler.connect(server.getLocalSocketAddress());
                fillers.add(filler);
            }
        }

        SocketAddress address() {
            return server.getLocalSocketAddress();
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel filler : fillers) {
                filler.close();
            }
            server.close();
        }
    }

    @Test
    void connectsToUnixSockets(@TempDir Path directory) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("backend.sock"));
        Recorder recorder = recorder();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            fixture.connect(address, 5_000, recorder);
            TcpConnection connection = LoopFixture.await(recorder.made);
            byte[] bytes = randomBytes(16_000);
            try (SocketChannel peer = server.accept()) {
                fixture.run(() -> connection.send(slab(fixture.loop, bytes)));
                ByteBuffer received = ByteBuffer.allocate(bytes.length);
                while (received.hasRemaining()) {
                    peer.read(received);
                }
                assertThat(received.array()).isEqualTo(bytes);
                peer.write(ByteBuffer.wrap(bytes));
                assertThat(recorder.awaitReceived(bytes.length)).isEqualTo(bytes);
            }
            LoopFixture.await(recorder.ended);
            fixture.run(connection::close);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void aUnixSocketThatIsNotThereIsAFailureWithAName(@TempDir Path directory) {
        Recorder recorder = recorder();
        fixture.connect(UnixDomainSocketAddress.of(directory.resolve("nobody.sock")), 5_000, recorder);
        assertThat(LoopFixture.await(recorder.notMade).reason()).isEqualTo(EndReason.NO_SUCH_SOCKET);
    }

    @Test
    void acceptingRestsAtTheDescriptorLimitAndGoesOnAfter() throws IOException {
        Echo echo = new Echo();
        CountDownLatch release = new CountDownLatch(1);
        InetSocketAddress address = listenAndHold(echo, release);
        List<Socket> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                peers.add(connect(address));
            }
            try (DescriptorLimit limit = DescriptorLimit.reached()) {
                release.countDown();
                Waiting.until(
                        LIMIT,
                        () -> echo.acceptFailures.get() >= 2,
                        () -> echo.acceptFailures + " accepts have failed, " + echo.accepted + " succeeded, " + limit);
                assertThat(echo.accepted.get()).isLessThan(20);
                long turns = fixture.loop.statistics().get(Counter.TURNS);
                int failures = echo.acceptFailures.get();
                Waiting.until(LIMIT, () -> echo.acceptFailures.get() >= failures + 2, () -> "accepting has stopped");
                // A loop that spins makes thousands of turns between two attempts.
                assertThat(fixture.loop.statistics().get(Counter.TURNS) - turns).isLessThan(200);
                assertThat(limit.toString()).isNotEmpty();
            }
            for (int i = 0; i < peers.size(); i++) {
                peers.get(i).getOutputStream().write(i);
                assertThat(peers.get(i).getInputStream().read()).isEqualTo(i);
            }
        } finally {
            release.countDown();
            for (Socket peer : peers) {
                peer.close();
            }
        }
        Waiting.until(LIMIT, () -> echo.closed.get() == 20, () -> echo.closed + " closed");
    }

    /**
     * Listens and holds the loop in the same task, so that accepting begins when it is released: io_uring goes by the
     * limit that was in force when an accept was submitted.
     */
    private InetSocketAddress listenAndHold(AcceptHandler handler, CountDownLatch release) {
        CompletableFuture<SocketAddress> address = new CompletableFuture<>();
        fixture.loop.execute(() -> {
            address.complete(fixture.loop
                    .listen(LoopFixture.ANY_PORT, ListenerOptions.defaults(), handler)
                    .address());
            awaitUninterruptibly(release);
        });
        return (InetSocketAddress) LoopFixture.await(address);
    }

    @Test
    void aConnectAtTheDescriptorLimitIsAFailureWithAName() {
        Recorder recorder = recorder();
        try (DescriptorLimit limit = DescriptorLimit.reached()) {
            fixture.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), 1_000, recorder);
            assertThat(LoopFixture.await(recorder.notMade).reason()).isEqualTo(EndReason.DESCRIPTOR_LIMIT);
            assertThat(limit.toString()).isNotEmpty();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
