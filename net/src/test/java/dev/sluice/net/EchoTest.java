package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes there and back, with the JDK's blocking sockets as the peer. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class EchoTest {
    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    @Parameter
    @SuppressWarnings("NullAway.Init")
    EventLoopConfig config;

    @SuppressWarnings("NullAway.Init")
    private LoopFixture fixture;

    private final Echo echo = new Echo();

    @BeforeEach
    void start() {
        fixture = new LoopFixture(config);
    }

    @AfterEach
    void stop() {
        fixture.close();
        assertThat(fixture.uncaught).isEmpty();
    }

    @Test
    void everySizeComesBackUnchanged() throws IOException {
        InetSocketAddress address = fixture.listen(echo);
        for (int size : new int[] {1, 2, 100, 1023, 1024, 1025, 16_383, 16_384, 16_385, 100_000, 3_000_000}) {
            assertThat(roundTrip(address, randomBytes(size))).isEqualTo(randomBytes(size));
        }
    }

    private static byte[] roundTrip(InetSocketAddress address, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write(socket, bytes));
            InputStream in = socket.getInputStream();
            byte[] received = in.readAllBytes();
            written.join();
            return received;
        }
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }
}
