package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.net.peer.ReceivedBytes;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.net.server.TlsServer;
import dev.sluice.testkit.AllocatedBytes;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.context.SharedContext;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.MemoryEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The loop's thread makes no garbage for bytes that go there and back. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class AllocationTest extends ConformanceTest {
    private static final int MESSAGES_PER_ROUND = 2_000;

    /** Until the JIT has compiled the paths, and with them done away with what it allocates while it interprets. */
    private static final int MOST_ROUNDS = 300;

    /** Bytes that compilation and counters of the JVM may leave on the thread: far less than one object per message. */
    private static final long NOISE_BYTES_PER_MESSAGE = 4;

    @Test
    void anEchoOverTcpAllocatesNothing() throws IOException {
        InetSocketAddress address = fixture.listen(new Echo());
        try (Socket socket = connect(address)) {
            assertQuietInTheLongRun(socket);
        }
    }

    @Test
    void anEchoThroughLibsslAllocatesNothing() throws IOException {
        assertTlsIsQuiet(MemoryEngine::server);
    }

    @Test
    void anEchoOfRecordsAllocatesNothing() throws IOException {
        assertTlsIsQuiet(context -> DirectEngine.server(context, fixture.loop.loopCrypto()));
    }

    @Test
    void anEchoOfAServersHandlerAllocatesNothing() throws IOException {
        TestCertificates authority = TestCertificates.shared();
        CompletableFuture<EventLoop> loop = new CompletableFuture<>();
        TlsHandler echo = new TlsHandler() {
            @Override
            public void onOpen(TlsPeer peer) {
                loop.complete(peer.loop());
            }

            @Override
            public void onReceived(TlsPeer peer, ReceivedBytes bytes) {
                peer.write(bytes);
            }
        };
        try (TlsServer server = TlsServer.builder()
                        .backend(fixture.loop.backend())
                        .buffersMax(config.maxBuffers())
                        .loops(1)
                        .loopback(0)
                        .certificate(
                                authority.server().chainFile(),
                                authority.server().keyFile())
                        .handler(echo)
                        .start();
                Socket socket = new JdkTls(authority).connect(server.address(), "TLSv1.3")) {
            echo(socket, 1);
            EventLoop served = LoopFixture.await(loop);
            assertQuietInTheLongRun(
                    socket,
                    () -> LoopFixture.await(CompletableFuture.supplyAsync(AllocatedBytes::byThisThread, served)));
        }
    }

    private void assertTlsIsQuiet(Function<SharedContext, BufferedEngine> engines) throws IOException {
        TestCertificates authority = TestCertificates.shared();
        try (TlsContext context = TlsContext.server()
                .certificate(authority.server().chainFile(), authority.server().keyFile())
                .build()) {
            InetSocketAddress address =
                    fixture.listen(new TlsAcceptor(() -> engines.apply(context), 20_000, new Echo()));
            try (Socket socket = new JdkTls(authority).connect(address, "TLSv1.3")) {
                assertQuietInTheLongRun(socket);
            }
            fixture.close();
        }
    }

    private void assertQuietInTheLongRun(Socket socket) throws IOException {
        assertQuietInTheLongRun(socket, this::allocatedByLoop);
    }

    private static void assertQuietInTheLongRun(Socket socket, LongSupplier allocated) throws IOException {
        long bytesPerMessage = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && bytesPerMessage >= NOISE_BYTES_PER_MESSAGE; round++) {
            long before = allocated.getAsLong();
            echo(socket, MESSAGES_PER_ROUND);
            bytesPerMessage = (allocated.getAsLong() - before) / MESSAGES_PER_ROUND;
        }
        assertThat(bytesPerMessage).isLessThan(NOISE_BYTES_PER_MESSAGE);
    }

    private long allocatedByLoop() {
        return fixture.<Long>call(AllocatedBytes::byThisThread);
    }

    private static void echo(Socket socket, int times) throws IOException {
        byte[] message = randomBytes(100);
        for (int i = 0; i < times; i++) {
            socket.getOutputStream().write(message);
            assertThat(socket.getInputStream().readNBytes(message.length)).hasSize(message.length);
        }
    }
}
