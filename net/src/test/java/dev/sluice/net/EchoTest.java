package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes there and back: sizes, numbers of connections, slow and stubborn peers. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class EchoTest extends ConformanceTest {
    private static final int MANY = 2_000;
    private static final long QUEUE_LIMIT = 64 * 1024;

    private final Echo echo = new Echo(QUEUE_LIMIT);

    @Test
    void everySizeComesBackUnchanged() throws IOException {
        InetSocketAddress address = fixture.listen(echo);
        for (int size : new int[] {1, 2, 100, 1023, 1024, 1025, 16_383, 16_384, 16_385, 100_000, 3_000_000}) {
            try (Socket socket = connect(address)) {
                assertThat(roundTrip(socket, randomBytes(size))).isEqualTo(randomBytes(size));
            }
        }
        assertThat(fixture.loop.statistics().get(Counter.BYTES_RECEIVED))
                .isEqualTo(fixture.loop.statistics().get(Counter.BYTES_SENT))
                .isGreaterThan(3_000_000);
    }

    @Test
    void thousandsOfConnectionsAtOnce() throws IOException {
        InetSocketAddress address = fixture.listen(echo);
        List<SocketChannel> peers = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                peers.add(SocketChannel.open(address));
            }
            for (int i = 0; i < MANY; i++) {
                peers.get(i).write(ByteBuffer.wrap(utf8("message of peer " + i)));
            }
            for (int i = 0; i < MANY; i++) {
                assertThat(read(peers.get(i), ("message of peer " + i).length()))
                        .isEqualTo("message of peer " + i);
            }
            assertThat(fixture.loop.statistics().openConnections()).isEqualTo(MANY);
        } finally {
            for (SocketChannel peer : peers) {
                peer.close();
            }
        }
        Waiting.until(LIMIT, () -> echo.closed.get() == MANY, () -> echo.closed + " closed");
        assertThat(echo.failed).hasValue(0);
    }

    @Test
    void aPeerThatDoesNotReadIsNotReadFrom() throws IOException {
        InetSocketAddress address = fixture.listen(echo);
        byte[] bytes = randomBytes(20_000_000);
        try (Socket socket = connect(address)) {
            CompletableFuture<Void> written = writeAll(socket, bytes);
            // The kernel's buffers take some of it; then the loop must stop receiving, or its queue would hold the
            // rest.
            Waiting.until(LIMIT, () -> echo.mostQueuedBytes > QUEUE_LIMIT, () -> "queue " + echo.mostQueuedBytes);
            assertThat(written).isNotDone();
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(bytes);
            written.join();
        }
        long late = (long) config.maxLateBuffers() * BufferGeometry.BULK_PAYLOAD;
        assertThat(echo.mostQueuedBytes).isLessThanOrEqualTo(QUEUE_LIMIT + BufferGeometry.BULK_PAYLOAD + late);
    }

    @Test
    void aConnectionThatHoldsAllBuffersStillSends() throws IOException {
        Echo greedy = new Echo(Long.MAX_VALUE);
        InetSocketAddress address = fixture.listen(greedy);
        byte[] bytes = randomBytes(30_000_000);
        try (Socket socket = connect(address)) {
            CompletableFuture<Void> written = writeAll(socket, bytes);
            Waiting.until(
                    LIMIT,
                    () -> written.isDone()
                            || fixture.loop.statistics().get(Counter.BUFFER_SHORTAGES) > 0
                            || greedy.mostQueuedBytes > bytes.length / 2,
                    () -> "queue " + greedy.mostQueuedBytes);
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(bytes);
            written.join();
        }
    }

    @Test
    void singleBytesDoNotHoldABufferEach() throws IOException {
        Recorder holder = recorder();
        InetSocketAddress address = fixture.listen(holder);
        try (Socket socket = connect(address)) {
            TcpConnection connection = LoopFixture.await(holder.made);
            // More single bytes than the tiny pool has buffers, queued in one go.
            fixture.run(() -> {
                for (int i = 0; i < 100; i++) {
                    connection.send(slab(fixture.loop, new byte[] {(byte) i}));
                }
                assertThat(connection.queuedBytes()).isEqualTo(100);
            });
            byte[] received = socket.getInputStream().readNBytes(100);
            for (int i = 0; i < 100; i++) {
                assertThat(received[i]).isEqualTo((byte) i);
            }
        }
        LoopFixture.await(holder.ended);
    }

    @Test
    void aPeerThatWritesByteByByteGetsThemInOrder() throws IOException {
        InetSocketAddress address = fixture.listen(echo);
        byte[] bytes = randomBytes(3_000);
        try (Socket socket = connect(address)) {
            CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
                try {
                    for (byte b : bytes) {
                        socket.getOutputStream().write(b);
                    }
                    socket.shutdownOutput();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(bytes);
            written.join();
        }
    }

    private static byte[] roundTrip(Socket socket, byte[] bytes) throws IOException {
        CompletableFuture<Void> written = writeAll(socket, bytes);
        byte[] received = socket.getInputStream().readAllBytes();
        written.join();
        return received;
    }

    private static CompletableFuture<Void> writeAll(Socket socket, byte[] bytes) {
        return CompletableFuture.runAsync(() -> {
            try {
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static String read(SocketChannel peer, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && peer.read(buffer) >= 0) {
            // until it is full
        }
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
    }
}
