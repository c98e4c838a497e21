package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.memory.Ledger;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.channel.ChannelHandler;
import dev.sluice.net.channel.TlsChannel;
import dev.sluice.net.client.TlsClient;
import dev.sluice.net.peer.ConnectionFailedException;
import dev.sluice.net.server.TlsServer;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking channels on virtual threads, against each other and against the JDK. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#backends")
final class TlsChannelTest {
    private static final TestCertificates AUTHORITY = TestCertificates.shared();
    private static final ChannelHandler ECHO = channel -> channel.inputStream().transferTo(channel.outputStream());

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    Backend backend;

    private final BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @SuppressWarnings("NullAway.Init")
    private TlsClient client;

    @BeforeEach
    void startClient() {
        client = TlsClient.builder()
                .backend(backend)
                .trust(AUTHORITY.rootFile())
                .connectDeadline(Waiting.LIMIT)
                .build();
        opened.add(client);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
        threads.close();
    }

    private TlsServer serve(ChannelHandler handler) {
        Credential credential = AUTHORITY.server();
        TlsServer server = TlsServer.builder()
                .backend(backend)
                .loops(1)
                .loopback(0)
                .certificate(credential.chainFile(), credential.keyFile())
                .drainDeadline(Waiting.LIMIT)
                .channels(channel -> {
                    try {
                        handler.serve(channel);
                    } catch (IOException | RuntimeException e) {
                        thrown.add(e);
                        throw e;
                    }
                })
                .start();
        opened.add(server);
        return server;
    }

    private TlsChannel open(TlsServer server) throws IOException {
        TlsChannel channel = client.open("127.0.0.1", server.address().getPort());
        opened.add(channel);
        return channel;
    }

    private static SSLSocket connectJdk(TlsServer server) throws IOException {
        return new JdkTls(AUTHORITY).connect(server.address(), "TLSv1.3");
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.US_ASCII.decode(buffer.flip()).toString();
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    // --- bytes ------------------------------------------------------------------------------------------------------

    @Test
    void echoesToTheJdk() throws Exception {
        byte[] sent = random(3_000_000);
        TlsServer server = serve(ECHO);
        try (SSLSocket socket = connectJdk(server)) {
            socket.startHandshake();
            Future<Void> writing = threads.submit(() -> write(socket.getOutputStream(), sent));

            assertThat(socket.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
            get(writing);
        }
    }

    private static Void write(OutputStream output, byte[] bytes) throws IOException {
        output.write(bytes);
        return null;
    }

    @Test
    void movesBulkInBothDirectionsAtOnce() throws Exception {
        byte[] sent = random(20_000_000);
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        Future<Void> writing = threads.submit(() -> {
            OutputStream output = channel.outputStream();
            output.write(sent);
            channel.shutdownOutput();
            return null;
        });

        assertThat(channel.inputStream().readAllBytes()).isEqualTo(sent);
        get(writing);
    }

    @Test
    void readsInPiecesOfAnySize() throws Exception {
        byte[] sent = random(50_000);
        TlsServer server = serve(channel -> channel.write(ByteBuffer.wrap(sent)));
        TlsChannel channel = open(server);
        ByteBuffer received = ByteBuffer.allocate(sent.length);
        Random sizes = new Random(3);
        while (received.hasRemaining()) {
            int size = 1 + sizes.nextInt(3000);
            received.limit(Math.min(received.capacity(), received.position() + size));
            assertThat(channel.read(received)).isPositive();
            received.limit(received.capacity());
        }

        assertThat(received.array()).isEqualTo(sent);
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void keepsSmallRecordsThatNobodyReads() throws Exception {
        int count = 10_000;
        TlsServer server = serve(channel -> {
            for (int i = 0; i < count; i++) {
                channel.write(ByteBuffer.wrap(new byte[] {(byte) i}));
            }
        });
        TlsChannel channel = open(server);
        Waiting.until(Waiting.LIMIT, () -> available(channel) == count, () -> available(channel) + " available");
        ByteBuffer all = ByteBuffer.allocate(count);

        assertThat(channel.read(all)).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            assertThat(all.get(i)).isEqualTo((byte) i);
        }
    }

    private static int available(TlsChannel channel) {
        try {
            return channel.available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void gathersAndScatters() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        ByteBuffer[] sources = {ascii("head,"), ByteBuffer.allocate(0), ascii("body,"), ascii("tail")};

        assertThat(channel.write(sources, 0, 4)).isEqualTo(14);
        assertThat(sources[3].hasRemaining()).isFalse();
        ByteBuffer[] targets = {ByteBuffer.allocate(3), ByteBuffer.allocateDirect(100)};
        long read = 0;
        while (read < 14) {
            read += channel.read(targets);
        }
        assertThat(text(targets[0]) + "|" + text(targets[1])).isEqualTo("hea|d,body,tail");
    }

    @Test
    void takesBuffersOfEveryKind() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        try (Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            List<ByteBuffer> kinds = List.of(
                    ByteBuffer.allocate(10),
                    ByteBuffer.allocate(20).slice(5, 10),
                    ByteBuffer.allocateDirect(10),
                    shared.allocate(10).asByteBuffer(),
                    confined.allocate(10).asByteBuffer());
            for (ByteBuffer target : kinds) {
                target.put(0, ascii("0123456789"), 0, 10);
                assertThat(channel.write(target.asReadOnlyBuffer())).isEqualTo(10);
                target.put(0, new byte[10]);
                while (target.hasRemaining()) {
                    assertThat(channel.read(target)).isPositive();
                }
                assertThat(text(target)).isEqualTo("0123456789");
            }
        }
        assertThat(channel.read(ByteBuffer.allocate(0))).isZero();
        assertThat(channel.write(ByteBuffer.allocate(0))).isZero();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1).asReadOnlyBuffer()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsByStreams() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        InputStream input = channel.inputStream();
        channel.outputStream().write('a');
        channel.outputStream().write(new byte[] {'b', (byte) 0xFF});

        assertThat(input.read()).isEqualTo('a');
        assertThat(input.readNBytes(2)).containsExactly('b', 0xFF);
        channel.shutdownOutput();
        assertThat(input.read()).isEqualTo(-1);
        input.close();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void servesManyThreads() throws Exception {
        TlsServer server = serve(ECHO);
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String sent = "message " + i;
            answers.add(threads.submit(() -> {
                try (TlsChannel channel =
                        client.open("127.0.0.1", server.address().getPort())) {
                    channel.write(ascii(sent));
                    return new String(channel.inputStream().readNBytes(sent.length()), StandardCharsets.US_ASCII);
                }
            }));
        }
        for (int i = 0; i < answers.size(); i++) {
            assertThat(get(answers.get(i))).isEqualTo("message " + i);
        }
    }

    /** Small writes do not wait for the loop: the last ones are copies when the channel is closed. */
    @Test
    void sendsCopiedWritesBeforeItsClose() throws Exception {
        int count = 5_000;
        TlsServer server = serve(channel -> {
            for (int i = 0; i < count; i++) {
                channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, i));
                channel.write(ByteBuffer.allocate(4092));
            }
        });
        TlsChannel channel = open(server);
        ByteBuffer received = ByteBuffer.wrap(channel.inputStream().readAllBytes());

        assertThat(received.remaining()).isEqualTo(count * 4096);
        for (int i = 0; i < count; i++) {
            assertThat(received.getInt(i * 4096)).isEqualTo(i);
        }
        assertThat(channel.shutdownReceived()).isTrue();
    }

    @Test
    void leavesTheBufferOfACopiedWriteToItsWriter() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        ByteBuffer buffer = ByteBuffer.allocate(1);
        for (byte i = 0; i < 100; i++) {
            channel.write(buffer.put(0, i).rewind());
        }
        channel.shutdownOutput();

        byte[] echoed = channel.inputStream().readAllBytes();
        for (byte i = 0; i < 100; i++) {
            assertThat(echoed[i]).isEqualTo(i);
        }
    }

    // --- ends -------------------------------------------------------------------------------------------------------

    @Test
    void endsOneDirectionAfterTheOther() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        channel.write(ascii("last"));
        channel.shutdownOutput();

        assertThat(channel.shutdownSent()).isTrue();
        assertThatThrownBy(() -> channel.write(ascii("more"))).isInstanceOf(ClosedChannelException.class);
        assertThat(channel.inputStream().readAllBytes())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("last");
        assertThat(channel.shutdownReceived()).isTrue();
        assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void shutsDownInTwoSteps() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        channel.write(ascii("dropped"));
        channel.shutdown();

        assertThat(channel.shutdown()).isTrue();
    }

    @Test
    void reportsATruncatedStreamBehindItsBytes() throws Exception {
        TlsServer server = serve(channel -> {
            assertThat(channel.inputStream().readNBytes(5)).hasSize(5);
            channel.inputStream().read();
        });
        try (Socket raw = ConformanceTest.connect(server.address())) {
            SSLSocket socket = new JdkTls(AUTHORITY).over(raw);
            socket.getOutputStream().write(new byte[5]);
            raw.shutdownOutput();

            Throwable failure = thrown.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(failure).isInstanceOf(ConnectionFailedException.class);
            assertThat(((ConnectionFailedException) failure).reason()).isEqualTo(EndReason.TRUNCATED);
            assertThat(((ConnectionFailedException) failure).isPeersFault()).isTrue();
        }
    }

    @Test
    void reportsAReset() throws Exception {
        TlsServer server = serve(channel -> channel.inputStream().read());
        Socket raw = ConformanceTest.connect(server.address());
        new JdkTls(AUTHORITY).over(raw);
        ConformanceTest.reset(raw);

        Throwable failure = thrown.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(failure).isInstanceOf(ConnectionFailedException.class);
        assertThat(((ConnectionFailedException) failure).reason()).isEqualTo(EndReason.CONNECTION_RESET);
    }

    @Test
    void keepsWhatArrivedBeforeItsConnectionEnded() throws Exception {
        TlsServer server = serve(channel -> {
            channel.write(ascii("kept"));
            Waiting.until(Waiting.LIMIT, channel::shutdownReceived, () -> "no close_notify");
        });
        TlsChannel channel = open(server);
        channel.shutdownOutput();
        Waiting.until(Waiting.LIMIT, channel::shutdownReceived, () -> "no close_notify");

        assertThat(channel.inputStream().readAllBytes())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("kept");
    }

    @Test
    void wakesAReaderThatItIsClosedUnder() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        Future<Throwable> reading = throwing(() -> channel.read(ByteBuffer.allocate(1)));
        channel.close();

        assertThat(get(reading)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> channel.write(ascii("x"))).isInstanceOf(ClosedChannelException.class);
        channel.close();
    }

    @Test
    void wakesAWriterThatItIsClosedUnder() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        TlsServer server = serve(channel -> awaitUninterrupted(ended));
        TlsChannel channel = open(server);
        Future<Throwable> writing = throwing(() -> channel.write(ByteBuffer.allocate(100_000_000)));
        channel.close();

        assertThat(get(writing)).isInstanceOf(ClosedChannelException.class);
        ended.countDown();
    }

    /** Waits for the test, without reading. */
    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            assertThat(latch.await(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Future<Throwable> throwing(Callable<?> call) {
        return threads.submit(() -> catchThrowable(call::call));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void closesByAnInterrupt(long deadlineSeconds) throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        channel.readDeadline(Duration.ofSeconds(deadlineSeconds));
        LinkedBlockingQueue<Throwable> interrupted = new LinkedBlockingQueue<>();
        Thread reader = Thread.ofVirtual()
                .start(() -> interrupted.add(catchThrowable(() -> channel.read(ByteBuffer.allocate(1)))));
        Waiting.until(Waiting.LIMIT, () -> isWaiting(reader), () -> "the reader is " + reader.getState());
        reader.interrupt();

        assertThat(interrupted.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ClosedByInterruptException.class);
        assertThat(channel.isOpen()).isFalse();
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void staysUsableAfterItsReadDeadline() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);
        channel.readDeadline(Duration.ofMillis(20));

        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessageContaining("20 ms");
        channel.readDeadline(Duration.ZERO);
        channel.write(ascii("x"));
        assertThat(channel.inputStream().read()).isEqualTo('x');
    }

    @Test
    void isClosedWhenItsHandlerThrows() throws Exception {
        TlsServer server = serve(channel -> {
            throw new IOException("the test's");
        });

        assertThat(open(server).inputStream().read()).isEqualTo(-1);
    }

    @Test
    void finishesWithinTheGracePeriod() throws Exception {
        TlsServer server = serve(channel -> {
            channel.write(ByteBuffer.wrap(channel.inputStream().readNBytes(3)));
        });
        TlsChannel channel = open(server);
        Future<?> closing = threads.submit(() -> server.close(Waiting.LIMIT));
        channel.write(ascii("end"));

        assertThat(channel.inputStream().readAllBytes())
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("end");
        channel.close();
        get(closing);
    }

    @Test
    void reportsThatItsServerWasClosed() throws Exception {
        TlsServer server = serve(channel -> {
            channel.write(ascii("!"));
            channel.inputStream().read();
        });
        TlsChannel channel = open(server);
        assertThat(channel.inputStream().read()).isEqualTo('!');
        Future<?> closing = threads.submit(() -> server.close(Duration.ofMillis(1)));

        assertThat(channel.inputStream().read()).isEqualTo(-1);
        channel.close();
        get(closing);
        Throwable failure = thrown.poll(Waiting.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(failure).hasMessageContaining("closed under its channel");
    }

    @Test
    void namesItsEnds() throws Exception {
        TlsServer server = serve(ECHO);
        TlsChannel channel = open(server);

        assertThat(channel.remoteAddress()).isEqualTo(server.address());
        assertThat(((InetSocketAddress) channel.localAddress()).getAddress().isLoopbackAddress())
                .isTrue();
        ConnectionFailedException none =
                catchThrowableOfType(ConnectionFailedException.class, () -> channel.write(ascii("fine")));
        assertThat(none).isNull();
    }
}
