package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.function.Function;
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
        long bytesPerMessage = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && bytesPerMessage >= NOISE_BYTES_PER_MESSAGE; round++) {
            long before = allocatedByLoop();
            echo(socket, MESSAGES_PER_ROUND);
            bytesPerMessage = (allocatedByLoop() - before) / MESSAGES_PER_ROUND;
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
