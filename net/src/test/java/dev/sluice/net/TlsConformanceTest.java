package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Slab;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** TLS on a loop, with the JDK's SSLSocket as the peer: the same for every engine. */
abstract class TlsConformanceTest extends ConformanceTest {
    static final long QUEUE_LIMIT = 64 * 1024;
    private static final long HANDSHAKE_TIMEOUT_MILLIS = 60_000;
    static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");
    private static final TestCertificates AUTHORITY = TestCertificates.shared();
    static final JdkTls JDK = new JdkTls(AUTHORITY);

    final TlsContext serverContext = TlsContext.server()
            .certificate(AUTHORITY.server().chainFile(), AUTHORITY.server().keyFile())
            .build();
    private final TlsContext clientContext =
            TlsContext.client().trust(AUTHORITY.rootFile()).build();

    @AfterEach
    void freeContexts() {
        fixture.close();
        serverContext.close();
        clientContext.close();
    }

    TlsAcceptor server(ConnectionHandler handler) {
        return server(serverContext, HANDSHAKE_TIMEOUT_MILLIS, handler);
    }

    /** An acceptor whose connections use the engine under test. */
    abstract TlsAcceptor server(TlsContext context, long handshakeTimeoutMillis, ConnectionHandler handler);

    /** Most bytes that one delivery, or what is under way when receiving stops, adds to what is queued. */
    abstract long mostDeliveredAtOnce();

    TlsAcceptor client(String host, ConnectionHandler handler) {
        return new TlsAcceptor(() -> MemoryEngine.client(clientContext, host), HANDSHAKE_TIMEOUT_MILLIS, handler);
    }

    @Test
    void everySizeComesBackUnchanged() throws IOException {
        InetSocketAddress address = fixture.listen(server(new Echo(QUEUE_LIMIT)));
        for (String version : VERSIONS) {
            for (int size : new int[] {1, 1024, 16_383, 16_384, 16_385, 100_000, 2_000_000}) {
                try (SSLSocket socket = JDK.connect(address, version)) {
                    CompletableFuture<Void> written = writeInBackground(socket, randomBytes(size));
                    assertThat(socket.getInputStream().readNBytes(size)).isEqualTo(randomBytes(size));
                    written.join();
                }
            }
        }
    }

    @Test
    void reportsTheOutcomeOfHandshakes() throws IOException {
        for (String version : VERSIONS) {
            TlsAcceptor acceptor = server(new Echo());
            InetSocketAddress address = fixture.listen(acceptor);
            try (SSLSocket socket = JDK.connect(address, version)) {
                socket.startHandshake();
                assertThat(LoopFixture.await(acceptor.info).version()).isEqualTo(version);
                assertThat(LoopFixture.await(acceptor.info).cipher())
                        .isEqualTo(socket.getSession().getCipherSuite());
                assertThat(LoopFixture.await(acceptor.made).transport().peerAddress())
                        .isEqualTo(socket.getLocalSocketAddress());
            }
        }
    }

    @Test
    void manyHandshakesAtOnce() throws IOException {
        int many = 100;
        Echo echo = new Echo();
        TlsAcceptor acceptor = server(echo);
        InetSocketAddress address = fixture.listen(acceptor);
        List<CompletableFuture<Void>> peers = new ArrayList<>();
        // Platform threads: for virtual ones the JDK keeps descriptors for good.
        try (ExecutorService threads = Executors.newFixedThreadPool(many)) {
            for (int i = 0; i < many; i++) {
                int number = i;
                peers.add(CompletableFuture.runAsync(() -> echoOnce(address, "peer " + number), threads));
            }
            peers.forEach(LoopFixture::await);
        }
        Waiting.until(LIMIT, () -> echo.closed.get() == many, () -> echo.closed + " closed");
        assertThat(acceptor.handshakes).hasValue(many);
        assertThat(echo.failed).hasValue(0);
    }

    private static void echoOnce(InetSocketAddress address, String text) {
        try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
            socket.getOutputStream().write(utf8(text));
            byte[] back = socket.getInputStream().readNBytes(text.length());
            assertThat(new String(back, StandardCharsets.UTF_8)).isEqualTo(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aClientReachesTheJdksServer() throws IOException {
        for (String version : VERSIONS) {
            Recorder recorder = recorder();
            TlsAcceptor connector = client("localhost", recorder);
            try (SSLServerSocket server = JDK.listen(version)) {
                fixture.connect(server.getLocalSocketAddress(), 5_000, connector);
                try (SSLSocket peer = (SSLSocket) server.accept()) {
                    peer.getOutputStream().write(utf8("from the JDK"));
                    assertThat(recorder.awaitReceived(12)).isEqualTo(utf8("from the JDK"));
                    assertThat(LoopFixture.await(connector.info).version()).isEqualTo(version);
                    TlsConnection connection = LoopFixture.await(connector.made);
                    byte[] bytes = randomBytes(16_000);
                    fixture.run(() -> connection.send(slab(fixture.loop, bytes)));
                    assertThat(peer.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
                }
                LoopFixture.await(recorder.ended);
                fixture.run(() -> LoopFixture.await(connector.made).close());
                LoopFixture.await(recorder.closed);
            }
        }
    }

    @Test
    void aClientRefusesAServerWithAnotherName() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor connector = client("elsewhere.example", recorder);
        try (SSLServerSocket server = JDK.listen("TLSv1.3")) {
            fixture.connect(server.getLocalSocketAddress(), 5_000, connector);
            try (SSLSocket peer = (SSLSocket) server.accept()) {
                assertThatThrownBy(() -> peer.getInputStream().read()).isInstanceOf(SSLException.class);
                assertThat(LoopFixture.await(connector.handshakeFailed).message())
                        .contains("hostname mismatch");
            }
            LoopFixture.await(recorder.closed);
            assertThat(recorder.failed).isNotDone();
            assertThat(connector.made).isNotDone();
        }
    }

    @Test
    void plainTextIsAnsweredWithAnAlertAndANamedFailure() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor acceptor = server(recorder);
        InetSocketAddress address = fixture.listen(acceptor);
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(utf8("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            assertThat(LoopFixture.await(acceptor.handshakeFailed).reason()).isEqualTo(EndReason.HTTP_REQUEST);
            // Whatever libssl answers arrives, and then an end, not a reset.
            socket.getInputStream().readAllBytes();
        }
        LoopFixture.await(recorder.closed);
        assertThat(acceptor.handshakeFailures).hasValue(1);
    }

    @Test
    void anAlertArrivesBeforeTheEnd() throws IOException {
        Recorder recorder = recorder();
        try (TlsContext onlyNewest = TlsContext.server()
                .certificate(AUTHORITY.server().chainFile(), AUTHORITY.server().keyFile())
                .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                .build()) {
            TlsAcceptor acceptor = server(onlyNewest, HANDSHAKE_TIMEOUT_MILLIS, recorder);
            InetSocketAddress address = fixture.listen(acceptor);
            try (SSLSocket socket = JDK.connect(address, "TLSv1.2")) {
                assertThatThrownBy(socket::startHandshake)
                        .isInstanceOf(SSLException.class)
                        .hasMessageContaining("protocol_version");
            }
            LoopFixture.await(acceptor.handshakeFailed);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void aSilentPeerIsGivenUp() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor impatient = server(serverContext, 50, recorder);
        InetSocketAddress address = fixture.listen(impatient);
        try (Socket socket = connect(address)) {
            socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2});
            assertThat(LoopFixture.await(impatient.handshakeFailed).reason()).isEqualTo(EndReason.HANDSHAKE_TIMEOUT);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void aPeerThatGoesInTheHandshakeIsAFailure() throws IOException {
        for (boolean withReset : new boolean[] {true, false}) {
            Recorder recorder = recorder();
            TlsAcceptor acceptor = server(recorder);
            InetSocketAddress address = fixture.listen(acceptor);
            Socket socket = connect(address);
            socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2});
            LoopFixture.await(acceptor.begun);
            if (withReset) {
                reset(socket);
            } else {
                socket.close();
            }
            LoopFixture.await(acceptor.handshakeFailed);
            LoopFixture.await(recorder.closed);
            assertThat(acceptor.handshakeFailures).hasValue(1);
        }
    }

    @Test
    void aTruncatedStreamIsAFailureAndNotAnEnd() throws IOException {
        Recorder recorder = recorder();
        InetSocketAddress address = fixture.listen(server(recorder));
        try (Socket raw = connect(address)) {
            SSLSocket socket = JDK.over(raw);
            socket.getOutputStream().write(utf8("and then"));
            recorder.awaitReceived(8);
            raw.shutdownOutput();
            ConnectionFailure failure = LoopFixture.await(recorder.failed);
            assertThat(failure.reason()).isEqualTo(EndReason.TRUNCATED);
            assertThat(recorder.ended).isNotDone();
            LoopFixture.await(recorder.closed);
        }
    }

    /** A delivery that waits for a buffer must not ask the socket again and again. */
    @Test
    void restsBehindFinWhileNoBufferIsFree() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor acceptor = server(recorder);
        InetSocketAddress address = fixture.listen(acceptor);
        try (Socket raw = connect(address)) {
            SSLSocket socket = JDK.over(raw);
            LoopFixture.await(acceptor.made);
            List<Slab> all = new ArrayList<>();
            fixture.run(() -> leaseAll(all));
            socket.getOutputStream().write(utf8("the last"));
            raw.shutdownOutput();
            letTheTransportLook();
            long turns = fixture.loop.statistics().get(Counter.TURNS);
            letTheTransportLook();
            assertThat(fixture.loop.statistics().get(Counter.TURNS) - turns).isLessThan(200);
            fixture.run(() -> all.forEach(Slab::release));
            assertThat(recorder.awaitReceived(8)).isEqualTo(utf8("the last"));
            LoopFixture.await(recorder.closed);
        }
    }

    private void leaseAll(List<Slab> all) {
        for (Slab slab = fixture.loop.buffers().lease();
                slab != null;
                slab = fixture.loop.buffers().lease()) {
            all.add(slab);
        }
    }

    @Test
    void halfCloseWorksBothWays() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor acceptor = server(recorder);
        InetSocketAddress address = fixture.listen(acceptor);
        try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
            socket.getOutputStream().write(utf8("question"));
            socket.shutdownOutput();
            LoopFixture.await(recorder.ended);
            assertThat(recorder.received()).isEqualTo(utf8("question"));
            TlsConnection connection = LoopFixture.await(acceptor.made);
            fixture.run(() -> {
                connection.send(slab(fixture.loop, utf8("answer")));
                connection.shutdownOutput();
                assertThatThrownBy(() -> connection.send(slab(fixture.loop, new byte[1])))
                        .hasMessageContaining("after shutdownOutput");
            });
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(utf8("answer"));
        }
        LoopFixture.await(recorder.closed);
        assertThat(recorder.failed).isNotDone();
    }

    @Test
    void closeSendsEverythingAndCloseNotify() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor acceptor = server(recorder);
        InetSocketAddress address = fixture.listen(acceptor);
        byte[] piece = randomBytes(16_000);
        try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
            socket.startHandshake();
            TlsConnection connection = LoopFixture.await(acceptor.made);
            fixture.run(() -> {
                for (int i = 0; i < 3; i++) {
                    connection.send(slab(fixture.loop, piece));
                }
                connection.close();
                connection.close();
            });
            InputStream in = socket.getInputStream();
            for (int i = 0; i < 3; i++) {
                assertThat(in.readNBytes(piece.length)).isEqualTo(piece);
            }
            // Without close_notify the JDK would throw here.
            assertThat(in.read()).isEqualTo(-1);
        }
        LoopFixture.await(recorder.closed);
    }

    @Test
    void aPeerThatDoesNotReadIsNotReadFrom() throws IOException {
        Echo echo = new Echo(QUEUE_LIMIT);
        InetSocketAddress address = fixture.listen(server(echo));
        byte[] bytes = randomBytes(20_000_000);
        try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
            socket.startHandshake();
            CompletableFuture<Void> written = writeInBackground(socket, bytes);
            Waiting.until(LIMIT, () -> echo.mostQueuedBytes > QUEUE_LIMIT, () -> "queue " + echo.mostQueuedBytes);
            assertThat(written).isNotDone();
            assertThat(socket.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
            written.join();
        }
        assertThat(echo.mostQueuedBytes).isLessThanOrEqualTo(QUEUE_LIMIT + mostDeliveredAtOnce());
    }

    @Test
    void aReaderThatStopsBoundsWhatIsTaken() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor acceptor = server(recorder);
        InetSocketAddress address = fixture.listen(acceptor);
        byte[] bytes = randomBytes(20_000_000);
        try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
            socket.startHandshake();
            TlsConnection connection = LoopFixture.await(acceptor.made);
            fixture.run(connection::stopReceiving);
            int before = recorder.received().length;
            CompletableFuture<Void> written = writeInBackground(socket, bytes);
            fixture.run(() -> {});
            assertThat(recorder.received()).hasSize(before);
            fixture.run(connection::startReceiving);
            assertThat(recorder.awaitReceived(bytes.length)).isEqualTo(bytes);
            written.join();
        }
        LoopFixture.await(recorder.ended);
    }

    @Test
    void abortAndClosingTheLoopEndItOnce() throws IOException {
        Recorder aborted = recorder();
        Recorder left = recorder();
        TlsAcceptor first = server(aborted);
        TlsAcceptor second = server(left);
        InetSocketAddress firstAddress = fixture.listen(first);
        InetSocketAddress secondAddress = fixture.listen(second);
        try (SSLSocket one = JDK.connect(firstAddress, "TLSv1.3");
                SSLSocket two = JDK.connect(secondAddress, "TLSv1.3")) {
            one.startHandshake();
            two.startHandshake();
            TlsConnection connection = LoopFixture.await(first.made);
            fixture.run(connection::abort);
            LoopFixture.await(aborted.closed);
            assertThatThrownBy(() -> one.getInputStream().read()).isInstanceOf(IOException.class);
            LoopFixture.await(second.made);
            fixture.close();
            assertThat(left.closed).isDone();
        }
    }

    @Test
    void endsTheConnectionWhoseHandlerThrows() throws IOException {
        for (String where : List.of("onReceived", "onEndOfStream", "onClosed")) {
            Recorder throwing = recorder();
            throwing.onEvent(event -> {
                if (event.equals(where)) {
                    throw new IllegalArgumentException("thrown in " + where);
                }
            });
            TlsAcceptor acceptor = server(throwing);
            InetSocketAddress address = fixture.listen(acceptor);
            try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
                socket.getOutputStream().write(1);
                throwing.awaitReceived(1);
                if (where.equals("onEndOfStream")) {
                    socket.shutdownOutput();
                } else if (where.equals("onClosed")) {
                    fixture.run(() -> LoopFixture.await(acceptor.made).abort());
                }
                LoopFixture.await(throwing.closed);
                Waiting.until(LIMIT, () -> !fixture.uncaught.isEmpty(), () -> "nothing uncaught in " + where);
                assertThat(fixture.uncaught).singleElement().asString().contains("thrown in " + where);
                fixture.uncaught.clear();
            } catch (IOException e) {
                // The JDK complains about the reset when it closes.
                assertThat(throwing.closed).isDone();
            }
        }
    }

    // --- while receiving is off ------------------------------------------------------------------------------------

    @Test
    void noticesResetBeforeReceivingBegan() throws IOException {
        for (String version : VERSIONS) {
            Recorder recorder = recorder();
            TlsAcceptor acceptor = server(recorder);
            acceptor.receivesAtOnce = false;
            Socket raw = connect(fixture.listen(acceptor));
            JDK.over(raw, version).getOutputStream().write(utf8("and then"));
            LoopFixture.await(acceptor.made);
            reset(raw);
            assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void noticesResetBehindWhatWasReceived() throws IOException {
        for (String version : VERSIONS) {
            Recorder recorder = recorder();
            TlsAcceptor acceptor = restingAfterFirst(recorder);
            Socket raw = connect(fixture.listen(acceptor));
            SSLSocket socket = JDK.over(raw, version);
            socket.getOutputStream().write(1);
            recorder.awaitReceived(1);
            socket.getOutputStream().write(randomBytes(50_000));
            reset(raw);
            assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.CONNECTION_RESET);
            LoopFixture.await(recorder.closed);
        }
    }

    @Test
    void noticesTruncationWhenNothingIsUnread() throws IOException {
        for (String version : VERSIONS) {
            for (boolean begun : new boolean[] {true, false}) {
                Recorder recorder = recorder();
                TlsAcceptor acceptor = restingAfterFirst(recorder);
                acceptor.receivesAtOnce = begun;
                try (Socket raw = connect(fixture.listen(acceptor))) {
                    SSLSocket socket = JDK.over(raw, version);
                    if (begun) {
                        socket.getOutputStream().write(1);
                        recorder.awaitReceived(1);
                    }
                    LoopFixture.await(acceptor.made);
                    raw.shutdownOutput();
                    assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.TRUNCATED);
                    LoopFixture.await(recorder.closed);
                    assertThat(recorder.ended).isNotDone();
                }
            }
        }
    }

    /** A client may end its side behind its question and wait for the answer, also when nobody reads the question. */
    @Test
    void losesNothingBeforeCloseNotify() throws IOException {
        for (String version : VERSIONS) {
            Recorder recorder = recorder();
            TlsAcceptor acceptor = restingAfterFirst(recorder);
            byte[] more = randomBytes(50_000);
            try (Socket raw = connect(fixture.listen(acceptor))) {
                SSLSocket socket = JDK.over(raw, version);
                socket.getOutputStream().write(1);
                recorder.awaitReceived(1);
                socket.getOutputStream().write(more);
                socket.shutdownOutput();
                raw.shutdownOutput();
                letTheTransportLook();
                assertThat(recorder.received()).hasSize(1);
                assertThat(recorder.failed).isNotDone();
                goOn(acceptor, recorder);
                assertThat(recorder.awaitReceived(1 + more.length)).endsWith(more);
                LoopFixture.await(recorder.ended);
                fixture.run(LoopFixture.await(acceptor.made)::close);
                LoopFixture.await(recorder.closed);
            }
            assertThat(recorder.failed).isNotDone();
        }
    }

    /** A late receive has brought a record when receiving stops, and the peer's FIN stands right behind it. */
    @Test
    void opensWhatWasReceivedLateBeforeATruncation() throws IOException {
        for (String version : VERSIONS) {
            Recorder recorder = recorder();
            TlsAcceptor acceptor = server(recorder);
            byte[] late = randomBytes(1_000);
            try (Socket raw = connect(fixture.listen(acceptor))) {
                SSLSocket socket = JDK.over(raw, version);
                TlsConnection connection = LoopFixture.await(acceptor.made);
                socket.getOutputStream().write(1);
                recorder.awaitReceived(1);
                fixture.run(connection::stopReceiving);
                socket.getOutputStream().write(late);
                raw.shutdownOutput();
                letTheTransportLook();
                assertThat(recorder.received()).hasSize(1);
                assertThat(recorder.failed).isNotDone();
                goOn(acceptor, recorder);
                assertThat(recorder.awaitReceived(1 + late.length)).endsWith(late);
                assertThat(LoopFixture.await(recorder.failed).reason()).isEqualTo(EndReason.TRUNCATED);
                LoopFixture.await(recorder.closed);
            }
        }
    }

    private TlsAcceptor restingAfterFirst(Recorder recorder) {
        TlsAcceptor acceptor = server(recorder);
        recorder.onEvent(event -> {
            if (event.equals("onReceived")) {
                LoopFixture.await(acceptor.made).stopReceiving();
            }
        });
        return acceptor;
    }

    private void goOn(TlsAcceptor acceptor, Recorder recorder) {
        recorder.onEvent(event -> {});
        fixture.run(LoopFixture.await(acceptor.made)::startReceiving);
    }

    static CompletableFuture<Void> writeInBackground(SSLSocket socket, byte[] bytes) {
        return CompletableFuture.runAsync(() -> {
            try {
                socket.getOutputStream().write(bytes);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }
}
