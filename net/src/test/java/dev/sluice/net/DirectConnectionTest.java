package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Slab;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.Detach;
import dev.sluice.tls.engine.DirectEngine;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that detach from libssl when their handshake is complete. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class DirectConnectionTest extends TlsConformanceTest {
    @Override
    TlsAcceptor server(TlsContext context, long handshakeTimeoutMillis, ConnectionHandler handler) {
        return new TlsAcceptor(
                () -> DirectEngine.server(context, fixture.loop.loopCrypto()), handshakeTimeoutMillis, handler);
    }

    /** A bulk buffer, and another that was under way. */
    @Override
    long mostDeliveredAtOnce() {
        return 2L * BufferGeometry.BULK_BYTES;
    }

    @Test
    void everyConnectionDetachesFromLibssl() throws IOException {
        InetSocketAddress address = fixture.listen(server(new Echo()));
        int count = 0;
        for (String version : VERSIONS) {
            for (int i = 0; i < 20; i++, count++) {
                try (SSLSocket socket = JDK.connect(address, version)) {
                    socket.getOutputStream().write(i);
                    assertThat(socket.getInputStream().read()).isEqualTo(i);
                }
            }
        }
        for (Detach outcome : Detach.values()) {
            long expected = outcome == Detach.DIRECT ? count : 0;
            long counted = fixture.call(() -> fixture.loop.loopCrypto().count(outcome));
            assertThat(counted).as(outcome.name()).isEqualTo(expected);
        }
    }

    /** Records of every size, in pieces of any length on the wire: they come to lie anywhere in the buffers. */
    @Test
    void recordsMayBeginAndEndAnywhere() throws IOException {
        InetSocketAddress address = fixture.listen(server(new Echo(QUEUE_LIMIT)));
        for (String version : VERSIONS) {
            Random random = new Random(7);
            try (SSLSocket socket = JDK.connect(address, version)) {
                byte[] bytes = randomBytes(3_000_000);
                CompletableFuture<Void> written = CompletableFuture.runAsync(() -> writePieces(socket, bytes, random));
                assertThat(socket.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
                written.join();
            }
        }
    }

    /**
     * A connection that may hold more than the loop has buffers: all of them are parked, or hold what is to be sealed.
     */
    @Test
    void sealsIntoASpareBufferWhenNoneIsFree() throws IOException {
        InetSocketAddress address = fixture.listen(server(new Echo(4 * QUEUE_LIMIT)));
        for (int seed = 0; seed < 5; seed++) {
            Random random = new Random(seed);
            try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
                byte[] bytes = randomBytes(3_000_000);
                CompletableFuture<Void> written = CompletableFuture.runAsync(() -> writePieces(socket, bytes, random));
                assertThat(socket.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
                written.join();
            }
        }
    }

    /** The begin of a record waits for its rest while the handler decides to receive again. */
    @Test
    void losesNothingWhenDeliveriesStopAndStartReceiving() throws IOException {
        InetSocketAddress address = fixture.listen(server(new Hesitant(new Echo(QUEUE_LIMIT))));
        for (String version : VERSIONS) {
            Random random = new Random(8);
            try (SSLSocket socket = JDK.connect(address, version)) {
                byte[] bytes = randomBytes(1_000_000);
                CompletableFuture<Void> written = CompletableFuture.runAsync(() -> writePieces(socket, bytes, random));
                assertThat(socket.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
                written.join();
            }
        }
    }

    /** A handler that stops receiving inside of each delivery, and starts again. */
    private record Hesitant(Echo echo) implements ConnectionHandler {
        @Override
        public void onReceived(Connection connection, Slab buffer) {
            connection.stopReceiving();
            connection.startReceiving();
            echo.onReceived(connection, buffer);
        }

        @Override
        public void onEndOfStream(Connection connection) {
            echo.onEndOfStream(connection);
        }

        @Override
        public void onSent(Connection connection) {
            echo.onSent(connection);
        }

        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {
            echo.onFailed(connection, failure);
        }

        @Override
        public void onClosed(Connection connection) {
            echo.onClosed(connection);
        }
    }

    /** A limit that {@code openssl s_client} asks for by max_fragment_length; it refuses longer records. */
    @Test
    void recordsAreAsShortAsTheClientAsksFor() throws IOException {
        ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
        InetSocketAddress address = fixture.listen(server(new Echo(QUEUE_LIMIT)));
        String text = "abcdefgh".repeat(25_000) + "end";
        for (String version : List.of("-tls1_2", "-tls1_3")) {
            for (String limit : List.of("512", "1024", "2048", "4096")) {
                try (RunningProgram client = openssl.command(
                                "s_client",
                                "-quiet",
                                version,
                                "-maxfraglen",
                                limit,
                                "-connect",
                                "127.0.0.1:" + address.getPort())
                        .input(text)
                        .inputStaysOpen()
                        .start()) {
                    client.awaitOutput("end", LIMIT);
                    assertThat(client.output()).isEqualTo(text);
                }
            }
        }
        long left = fixture.call(() -> fixture.loop.loopCrypto().count(Detach.DIRECT));
        assertThat(left).isEqualTo(8);
    }

    /** Whole buffers, as a relay sends them: sealed in place where a record may be as long. */
    @Test
    void buffersLongerThanTheAgreedRecordAreCut() throws IOException {
        ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");
        Recorder recorder = recorder();
        TlsAcceptor acceptor = server(recorder);
        InetSocketAddress address = fixture.listen(acceptor);
        String text = "ijklmnop".repeat(2048);
        try (RunningProgram client = openssl.command(
                        "s_client", "-quiet", "-maxfraglen", "512", "-connect", "127.0.0.1:" + address.getPort())
                .inputStaysOpen()
                .start()) {
            TlsConnection connection = LoopFixture.await(acceptor.made);
            fixture.run(() -> {
                connection.send(slab(fixture.loop, utf8(text)));
                connection.send(slab(fixture.loop, utf8("short and last")));
            });
            client.awaitOutput("short and last", LIMIT);
            assertThat(client.output()).isEqualTo(text + "short and last");
        }
    }

    private static void writePieces(SSLSocket socket, byte[] bytes, Random random) {
        try {
            OutputStream out = socket.getOutputStream();
            for (int at = 0; at < bytes.length; ) {
                int most = 1 << random.nextInt(16);
                int length = Math.min(bytes.length - at, 1 + random.nextInt(most));
                out.write(bytes, at, length);
                at += length;
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The client keeps its socket open, and the server does not wait for its FIN. */
    @Test
    void closeNotifyInBothDirectionsIsTheEnd() throws IOException {
        Recorder recorder = recorder();
        TlsAcceptor acceptor = server(recorder);
        InetSocketAddress address = fixture.listen(acceptor);
        try (Socket raw = connect(address)) {
            SSLSocket socket = JDK.over(raw);
            socket.getOutputStream().write(utf8("question"));
            recorder.awaitReceived(8);
            socket.shutdownOutput();
            LoopFixture.await(recorder.ended);
            TlsConnection connection = LoopFixture.await(acceptor.made);
            fixture.run(() -> {
                connection.send(slab(fixture.loop, utf8("answer")));
                connection.close();
            });
            LoopFixture.await(recorder.closed);
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(utf8("answer"));
            assertThat(raw.getInputStream().read()).as("FIN").isEqualTo(-1);
        }
        assertThat(recorder.failed).isNotDone();
    }

    @Test
    void aConnectionAtRestHoldsNoBuffer() throws IOException {
        InetSocketAddress address = fixture.listen(server(new Echo()));
        try (SSLSocket socket = JDK.connect(address, "TLSv1.3")) {
            byte[] bytes = randomBytes(200_000);
            CompletableFuture<Void> written = writeInBackground(socket, bytes);
            assertThat(socket.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
            written.join();
            int offered = fixture.loop.backend() == EventLoop.Backend.IO_URING ? config.maxBuffers() / 2 : 0;
            Waiting.until(
                    LIMIT,
                    () -> fixture.call(() -> fixture.loop.buffers().leasedCount()) <= Math.min(offered, 128),
                    () -> fixture.loop.buffers().leasedCount() + " leased");
            assertThat(fixture.call(() -> fixture.loop.loopCrypto().leasedBuffers()))
                    .isZero();
        }
    }
}
