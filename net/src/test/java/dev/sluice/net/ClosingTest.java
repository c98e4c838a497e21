package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The ends of connections: half and whole, in order and broken, from either side. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class ClosingTest extends ConformanceTest {
    /** The kernel raises it to its own least: a few kilobytes. */
    private static final int SMALLEST_BUFFER = 1024;

    @Test
    void thePeerEndsFirstAndStillGetsOurAnswer() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(utf8("question"));
            socket.shutdownOutput();
            LoopFixture.await(recorder.ended);
            assertThat(recorder.received()).asString().isEqualTo("question");
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(() -> {
                connection.send(slab(fixture.loop, utf8("answer")));
                connection.shutdownOutput();
            });
            assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("answer");
            LoopFixture.await(recorder.closed);
        }
        assertThat(recorder.failed).isNotDone();
    }

    @Test
    void weEndFirstAndStillGetThePeersAnswer() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(() -> {
                connection.send(slab(fixture.loop, utf8("question")));
                connection.shutdownOutput();
            });
            assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("question");
            assertThat(recorder.closed).isNotDone();
            socket.getOutputStream().write(utf8("answer"));
        }
        LoopFixture.await(recorder.closed);
        assertThat(recorder.ended).isDone();
        assertThat(recorder.received()).asString().isEqualTo("answer");
    }

    @Test
    void closeSendsEverythingThatIsQueuedFirst() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        byte[] piece = randomBytes(16_000);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(() -> {
                for (int i = 0; i < 3; i++) {
                    connection.send(slab(fixture.loop, piece));
                }
                connection.close();
                connection.close();
            });
            // What the peer still sends must not turn the end into a reset.
            socket.getOutputStream().write(new byte[100_000]);
            InputStream in = socket.getInputStream();
            for (int i = 0; i < 3; i++) {
                assertThat(in.readNBytes(piece.length)).isEqualTo(piece);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
        LoopFixture.await(recorder.closed);
        assertThat(recorder.failed).isNotDone();
        assertThat(recorder.ended).isNotDone();
    }

    @Test
    void closeGivesUpOnAPeerThatNeverReads() throws IOException {
        Recorder recorder = recorder();
        try (LoopFixture impatient = new LoopFixture(config.withCloseTimeoutMillis(200));
                Socket socket = new Socket()) {
            InetSocketAddress address = impatient.listen(recorder);
            socket.setReceiveBufferSize(SMALLEST_BUFFER);
            socket.connect(address);
            TcpConnection connection = LoopFixture.await(recorder.made);
            impatient.run(() -> {
                setSendBuffer(connection, SMALLEST_BUFFER);
                for (int i = 0; i < 3; i++) {
                    connection.send(slab(impatient.loop, new byte[16_000]));
                }
            });
            impatient.run(() -> {
                assertThat(connection.queuedBytes()).isPositive();
                connection.close();
            });
            LoopFixture.await(recorder.closed);
            assertThatThrownBy(() -> socket.getInputStream().readAllBytes()).isInstanceOf(SocketException.class);
        }
    }

    private static void setSendBuffer(TcpConnection connection, int bytes) {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_INT, bytes);
            assertThat(libc.setsockopt(
                            connection.descriptor(), Constants.SOL_SOCKET, Constants.SO_SNDBUF, value.address(), 4))
                    .isZero();
        }
    }

    @Test
    void abortResetsThePeer() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(() -> {
                connection.abort();
                assertThat(recorder.closed).isNotDone();
                connection.abort();
            });
            LoopFixture.await(recorder.closed);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
        }
        assertThat(recorder.failed).isNotDone();
    }

    @Test
    void aResetByThePeerIsAFailureWithAName() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        Socket socket = connect(address);
        LoopFixture.await(recorder.made);
        reset(socket);
        assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
        LoopFixture.await(recorder.closed);
    }

    @Test
    void resetsAtAnyMomentHarmNobodyElse() throws IOException {
        Echo echo = new Echo();
        InetSocketAddress address = fixture.listen(echo);
        Random random = new Random(7);
        int resets = 150;
        for (int i = 0; i < resets; i++) {
            Socket socket = connect(address);
            int bytes = random.nextInt(3) * random.nextInt(100_000);
            socket.getOutputStream().write(new byte[bytes]);
            socket.getInputStream().readNBytes(random.nextInt(Math.min(bytes, 2) + 1));
            reset(socket);
        }
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(42);
            assertThat(socket.getInputStream().read()).isEqualTo(42);
        }
        Waiting.until(LIMIT, () -> echo.closed.get() == echo.accepted.get(), () -> echo.closed + " closed");
        assertThat(echo.accepted.get() + echo.acceptFailures.get()).isEqualTo(resets + 1);
    }

    @Test
    void sendingAfterOurEndIsAnErrorThatKeepsNothing() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(recorder.made);
            fixture.run(() -> {
                connection.shutdownOutput();
                assertThatThrownBy(() -> connection.send(slab(fixture.loop, new byte[1])))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("after shutdownOutput");
            });
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
        LoopFixture.await(recorder.closed);
        fixture.run(() -> LoopFixture.await(recorder.made).send(slab(fixture.loop, new byte[1])));
    }

    @Test
    void closingTheLoopEndsEveryConnectionOnce() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(recorder);
        List<Socket> peers = new ArrayList<>();
        Recorder client = recorder();
        try (ServerSocket server = new ServerSocket(0)) {
            fixture.connect(server.getLocalSocketAddress(), 1_000, client);
            peers.add(connect(address));
            LoopFixture.await(recorder.made);
            LoopFixture.await(client.made);
            fixture.close();
            assertThat(recorder.closed).isDone();
            assertThat(client.closed).isDone();
        } finally {
            for (Socket peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void endsOnlyTheConnectionWhoseHandlerThrows() throws IOException {
        for (String where : List.of("onReceived", "onEndOfStream", "onSent", "onFailed", "onClosed")) {
            Recorder throwing = recorder();
            throwing.onEvent(event -> {
                if (event.equals(where)) {
                    throw new IllegalArgumentException("thrown in " + where);
                }
                if (event.equals("onReceived") && where.equals("onSent")) {
                    LoopFixture.await(throwing.made).send(slab(fixture.loop, new byte[1]));
                }
            });
            InetSocketAddress address = fixture.listen(throwing);
            Socket socket = connect(address);
            socket.getOutputStream().write(1);
            throwing.awaitReceived(1);
            if (where.equals("onEndOfStream")) {
                socket.shutdownOutput();
            } else if (where.equals("onFailed")) {
                reset(socket);
            } else if (where.equals("onClosed")) {
                fixture.run(() -> LoopFixture.await(throwing.made).abort());
            }
            LoopFixture.await(throwing.closed);
            Waiting.until(LIMIT, () -> !fixture.uncaught.isEmpty(), () -> "nothing uncaught in " + where);
            assertThat(fixture.uncaught).singleElement().asString().contains("thrown in " + where);
            fixture.uncaught.clear();
            socket.close();
        }
    }
}
