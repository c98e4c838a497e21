package dev.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.IgnoringHandler;
import dev.sluice.memory.Ledger;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.loop.EventLoops;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Two sockets of the JDK, and between them a relay of two plain connections. */
@ParameterizedClass
@MethodSource("dev.sluice.gateway.Transports#available")
class RelayTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final long HELD_BYTES_MAX = 64 * 1024;

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    EventLoop.Backend backend;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final AtomicLong heldMost = new AtomicLong();
    private EventLoop loop;
    private ServerSocket server;
    private Socket clientSide;
    private Socket backendSide;

    @BeforeEach
    void join() throws Exception {
        loop = EventLoops.start(EventLoopConfig.defaults().withBackend(backend).withCloseTimeoutMillis(500));
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        CompletableFuture<Listener> listening = new CompletableFuture<>();
        loop.execute(() -> listening.complete(loop.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ListenerOptions.defaults(),
                new Joining())));
        InetSocketAddress address = (InetSocketAddress)
                listening.get(LIMIT.toSeconds(), TimeUnit.SECONDS).address();
        clientSide = new Socket();
        clientSide.setReceiveBufferSize(64 * 1024);
        clientSide.connect(address);
        backendSide = server.accept();
        clientSide.setSoTimeout((int) LIMIT.toMillis());
        backendSide.setSoTimeout((int) LIMIT.toMillis());
    }

    @AfterEach
    void close() throws IOException {
        clientSide.close();
        backendSide.close();
        server.close();
        loop.close();
    }

    @Test
    void carriesBytesBothWays() throws IOException {
        byte[] there = random(1, 3_000_000);
        byte[] back = random(2, 2_000_000);

        CompletableFuture<Void> sending = sendAsync(clientSide, there);
        CompletableFuture<Void> answering = sendAsync(backendSide, back);
        byte[] arrivedBack = clientSide.getInputStream().readNBytes(back.length);
        byte[] arrivedThere = backendSide.getInputStream().readNBytes(there.length);

        sending.join();
        answering.join();
        assertThat(Arrays.equals(arrivedThere, there)).isTrue();
        assertThat(Arrays.equals(arrivedBack, back)).isTrue();
    }

    @Test
    void forwardsTheEndOfOneDirectionAndKeepsTheOther() throws Exception {
        clientSide.shutdownOutput();

        assertThat(backendSide.getInputStream().read()).isEqualTo(-1);
        backendSide.getOutputStream().write(new byte[100_000]);
        backendSide.shutdownOutput();
        assertThat(clientSide.getInputStream().readAllBytes()).hasSize(100_000);
        assertThat(nextTwoEvents()).containsExactlyInAnyOrder("client closed", "backend closed");
    }

    @Test
    void forwardsTheEndOfTheBackendFirst() throws Exception {
        backendSide.getOutputStream().write(7);
        backendSide.shutdownOutput();

        assertThat(clientSide.getInputStream().readAllBytes()).containsExactly(7);
        clientSide.getOutputStream().write(8);
        clientSide.shutdownOutput();
        assertThat(backendSide.getInputStream().readAllBytes()).containsExactly(8);
        assertThat(nextTwoEvents()).containsExactlyInAnyOrder("client closed", "backend closed");
    }

    @Test
    void resetsTheBackendWhenTheClientResets() throws Exception {
        exchangeOneByte();
        reset(clientSide);

        assertThatThrownBy(() -> readToEnd(backendSide)).isInstanceOf(SocketException.class);
        assertThat(nextEvent()).isEqualTo("client failed: connection_reset");
        assertThat(nextTwoEvents()).containsExactlyInAnyOrder("client closed", "backend closed");
    }

    @Test
    void resetsTheClientWhenTheBackendResets() throws Exception {
        exchangeOneByte();
        reset(backendSide);

        assertThatThrownBy(() -> readToEnd(clientSide)).isInstanceOf(SocketException.class);
        assertThat(nextEvent()).isEqualTo("backend failed: connection_reset");
        assertThat(nextTwoEvents()).containsExactlyInAnyOrder("client closed", "backend closed");
    }

    @Test
    void stopsReceivingWhenTheOtherSideDoesNotDrain() throws Exception {
        int size = 32 * 1024 * 1024;
        CompletableFuture<Void> sending = sendAsync(backendSide, random(3, size));

        Waiting.until(LIMIT, () -> heldMost.get() > HELD_BYTES_MAX, () -> "never held back, most held=" + heldMost);
        byte[] arrived = clientSide.getInputStream().readNBytes(size);

        sending.join();
        assertThat(Arrays.equals(arrived, random(3, size))).isTrue();
        assertThat(heldMost.get()).isLessThanOrEqualTo(HELD_BYTES_MAX + Relay.LATE_BYTES_MAX);
    }

    private void exchangeOneByte() throws IOException {
        clientSide.getOutputStream().write(1);
        assertThat(backendSide.getInputStream().read()).isEqualTo(1);
        backendSide.getOutputStream().write(2);
        assertThat(clientSide.getInputStream().read()).isEqualTo(2);
    }

    private static void readToEnd(Socket socket) throws IOException {
        InputStream input = socket.getInputStream();
        while (input.read() >= 0) {
            // what was on its way before the reset
        }
        throw new IOException("a clean end");
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static CompletableFuture<Void> sendAsync(Socket socket, byte[] bytes) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                OutputStream output = socket.getOutputStream();
                output.write(bytes);
                done.complete(null);
            } catch (IOException broken) {
                done.completeExceptionally(broken);
            }
        });
        return done;
    }

    private static byte[] random(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private String nextEvent() throws InterruptedException {
        return String.valueOf(events.poll(LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    private List<String> nextTwoEvents() throws InterruptedException {
        return List.of(nextEvent(), nextEvent());
    }

    /** An acceptor that connects to the server for each client and joins the two. */
    private final class Joining implements AcceptHandler {
        @Override
        public void onAccepted(TcpConnection client, SocketAddress peer) {
            client.handler(new IgnoringHandler());
            loop.connect(server.getLocalSocketAddress(), LIMIT.toMillis(), new ConnectHandler() {
                @Override
                public void onConnected(TcpConnection connected) {
                    Relay relay = new RecordingRelay(client, connected);
                    relay.attach();
                    relay.start();
                }

                @Override
                public void onConnectFailed(ConnectionFailure failure) {
                    events.add("connect failed: " + failure.message());
                }
            });
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            events.add("accept failed: " + failure.message());
        }
    }

    private final class RecordingRelay extends Relay {
        private final TcpConnection client;

        RecordingRelay(TcpConnection client, TcpConnection backend) {
            super(client, backend, HELD_BYTES_MAX);
            this.client = client;
        }

        public @Override void onBytesToBackend(int count) {}

        public @Override void onBytesToClient(int count) {
            heldMost.accumulateAndGet(client.queuedBytes() + count, Math::max);
        }

        public @Override void onClientFailed(ConnectionFailure failure) {
            events.add("client failed: " + failure.reason().label());
        }

        public @Override void onBackendFailed(ConnectionFailure failure) {
            events.add("backend failed: " + failure.reason().label());
        }

        public @Override void onClientClosed() {
            events.add("client closed");
        }

        public @Override void onBackendClosed() {
            events.add("backend closed");
        }
    }
}
