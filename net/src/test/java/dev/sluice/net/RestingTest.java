package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.memory.Slab;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that leave while receiving from them is off. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class RestingTest extends ConformanceTest {
    private static final int TINY_BUFFERS = 8;
    private static final byte[] MORE = randomBytes(50_000);

    @Test
    void noticesResetBeforeReceivingBegan() throws IOException {
        Recorder recorder = recorder(false);
        InetSocketAddress address = fixture.listen(recorder);
        Socket socket = connect(address);
        socket.getOutputStream().write(MORE);
        LoopFixture.await(recorder.made);
        reset(socket);
        assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
        LoopFixture.await(recorder.closed);
        assertThat(recorder.received()).isEmpty();
    }

    @Test
    void noticesResetBehindWhatWasReceived() throws IOException {
        Recorder recorder = restingAfterFirst();
        Socket socket = connectAndWriteOne(recorder);
        reset(socket);
        assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
        LoopFixture.await(recorder.closed);
    }

    @Test
    void noticesResetBehindUnreadBytes() throws IOException {
        Recorder recorder = restingAfterFirst();
        Socket socket = connectAndWriteOne(recorder);
        socket.getOutputStream().write(MORE);
        reset(socket);
        assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
        LoopFixture.await(recorder.closed);
        assertThat(recorder.received()).hasSize(1);
    }

    @Test
    void noticesResetBehindAnEnd() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        Socket socket = connect(address);
        socket.shutdownOutput();
        LoopFixture.await(recorder.ended);
        reset(socket);
        assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.BROKEN_PIPE);
        LoopFixture.await(recorder.closed);
    }

    @Test
    void noticesResetBehindAnUnreadEnd() throws IOException {
        Recorder recorder = restingAfterFirst();
        Socket socket = connectAndWriteOne(recorder);
        socket.getOutputStream().write(MORE);
        socket.shutdownOutput();
        letTheTransportLook();
        reset(socket);
        assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.BROKEN_PIPE);
        LoopFixture.await(recorder.closed);
        assertThat(recorder.ended).isNotDone();
    }

    @Test
    void noticesEndWhenNothingIsUnread() throws IOException {
        Recorder recorder = restingAfterFirst();
        try (Socket socket = connectAndWriteOne(recorder)) {
            socket.shutdownOutput();
            LoopFixture.await(recorder.ended);
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(() -> {
                connection.startReceiving();
                connection.send(slab(fixture.loop, utf8("answer")));
                connection.shutdownOutput();
            });
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(utf8("answer"));
            LoopFixture.await(recorder.closed);
        }
        assertThat(recorder.failed).isNotDone();
    }

    @Test
    void losesNothingBeforeAnEnd() throws IOException {
        Recorder recorder = restingAfterFirst();
        try (Socket socket = connectAndWriteOne(recorder)) {
            socket.getOutputStream().write(MORE);
            socket.shutdownOutput();
            letTheTransportLook();
            assertThat(recorder.received()).hasSize(1);
            assertThat(recorder.ended).isNotDone();
            receivesTheRest(recorder);
        }
    }

    /** Rests again and again, so that the end comes to stand behind less and less. */
    @Test
    void losesNothingInPieces() throws IOException {
        Recorder recorder = restingAfterFirst();
        try (Socket socket = connectAndWriteOne(recorder)) {
            socket.getOutputStream().write(MORE);
            socket.shutdownOutput();
            TcpConnection connection = LoopFixture.await(recorder.made);
            while (!recorder.ended.isDone()) {
                int before = recorder.received().length;
                fixture.run(connection::startReceiving);
                Waiting.until(
                        LIMIT,
                        () -> recorder.ended.isDone() || recorder.received().length > before,
                        () -> before + " bytes came");
                letTheTransportLook();
            }
            assertThat(recorder.received()).hasSize(1 + MORE.length).endsWith(MORE);
        }
        assertThat(recorder.failed).isNotDone();
    }

    /** The kernel tells of that by POLLHUP, as of a reset. */
    @Test
    void losesNothingWhenBothSidesHaveEnded() throws IOException {
        Recorder recorder = restingAfterFirst();
        try (Socket socket = connectAndWriteOne(recorder)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(connection::shutdownOutput);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            socket.getOutputStream().write(MORE);
        }
        letTheTransportLook();
        assertThat(recorder.ended).isNotDone();
        assertThat(recorder.failed).isNotDone();
        receivesTheRest(recorder);
        LoopFixture.await(recorder.closed);
    }

    @Test
    void keepsAnEndForWhoeverBeginsToReceive() throws IOException {
        Recorder recorder = recorder(false);
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            socket.shutdownOutput();
            TcpConnection connection = LoopFixture.await(recorder.made);
            letTheTransportLook();
            assertThat(recorder.ended).isNotDone();
            fixture.run(connection::startReceiving);
            LoopFixture.await(recorder.ended);
        }
    }

    @Test
    void noticesResetWhileNoBufferIsLeft() throws IOException {
        assumeTrue(config.maxBuffers() == TINY_BUFFERS);
        Hoarder hoarder = new Hoarder(recorder());
        InetSocketAddress address = fixture.listen(hoarder);
        Socket socket = connect(address);
        for (int i = 1; i <= TINY_BUFFERS; i++) {
            int count = i;
            socket.getOutputStream().write(i);
            Waiting.until(LIMIT, () -> hoarder.count() >= count, () -> hoarder.count() + " buffers");
        }
        socket.getOutputStream().write(0);
        Waiting.until(
                LIMIT,
                () -> fixture.loop.statistics().get(LoopStatistics.Counter.BUFFER_SHORTAGES) > 0,
                () -> "no shortage");
        reset(socket);
        assertThat(LoopFixture.await(hoarder.recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
        LoopFixture.await(hoarder.recorder.closed);
    }

    /** The close of a Unix socket ends both directions, and is an error only when something was unread. */
    @Test
    void tellsResetsAndEndsOfUnixSocketsApart(@TempDir Path directory) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("backend.sock"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            for (boolean resets : new boolean[] {true, false}) {
                Recorder recorder = restingAfterFirst();
                fixture.connect(address, 5_000, recorder);
                try (SocketChannel peer = server.accept()) {
                    TcpConnection connection = LoopFixture.await(recorder.made);
                    if (resets) {
                        fixture.run(() -> connection.send(slab(fixture.loop, utf8("unread"))));
                    }
                    peer.write(ByteBuffer.wrap(new byte[1]));
                    recorder.awaitReceived(1);
                    peer.write(ByteBuffer.wrap(MORE));
                }
                if (resets) {
                    assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
                } else {
                    letTheTransportLook();
                    receivesTheRest(recorder);
                    TcpConnection connection = LoopFixture.await(recorder.made);
                    fixture.run(connection::close);
                }
                LoopFixture.await(recorder.closed);
            }
        }
    }

    /** As whoever shares the socket may do. Its accepts fail, and the loop goes on. */
    @Test
    void survivesAListenerThatIsShutDown() throws IOException {
        Recorder nobody = recorder();
        ListenerOptions patient = new ListenerOptions(10, LIMIT.toMillis());
        Listener listener = fixture.call(() -> fixture.loop.listen(LoopFixture.ANY_PORT, patient, nobody));
        try (LibC libc = new LibC()) {
            assertThat(libc.shutdown(listener.descriptor(), Constants.SHUT_RDWR))
                    .isZero();
        }
        LoopFixture.await(nobody.notMade);
        letTheTransportLook();
        Recorder recorder = recorder();
        try (Socket socket = connect(fixture.listen(recorder))) {
            socket.getOutputStream().write(1);
            recorder.awaitReceived(1);
        }
    }

    private Recorder restingAfterFirst() {
        Recorder recorder = recorder();
        return recorder.onEvent(event -> {
            if (event.equals("onReceived")) {
                LoopFixture.await(recorder.made).stopReceiving();
            }
        });
    }

    private Socket connectAndWriteOne(Recorder recorder) throws IOException {
        Socket socket = connect(fixture.listen(recorder));
        socket.getOutputStream().write(1);
        recorder.awaitReceived(1);
        return socket;
    }

    private void receivesTheRest(Recorder recorder) {
        TcpConnection connection = LoopFixture.await(recorder.made);
        recorder.onEvent(event -> {});
        fixture.run(connection::startReceiving);
        assertThat(recorder.awaitReceived(1 + MORE.length))
                .hasSize(1 + MORE.length)
                .endsWith(MORE);
        LoopFixture.await(recorder.ended);
        assertThat(recorder.failed).isNotDone();
    }

    /** A handler that holds every buffer it receives until the connection has closed. */
    private static final class Hoarder implements AcceptHandler, ConnectionHandler {
        private final Recorder recorder;
        private final List<Slab> held = new ArrayList<>();

        Hoarder(Recorder recorder) {
            this.recorder = recorder;
        }

        synchronized int count() {
            return held.size();
        }

        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            connection.handler(this);
            connection.startReceiving();
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            recorder.onAcceptFailed(failure);
        }

        @Override
        public synchronized void onReceived(Connection connection, Slab buffer) {
            held.add(buffer);
        }

        @Override
        public void onEndOfStream(Connection connection) {
            recorder.onEndOfStream(connection);
        }

        @Override
        public void onSent(Connection connection) {
            recorder.onSent(connection);
        }

        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {
            recorder.onFailed(connection, failure);
        }

        @Override
        public synchronized void onClosed(Connection connection) {
            held.forEach(Slab::release);
            held.clear();
            recorder.onClosed(connection);
        }
    }
}
