package dev.sluice.bench.transfer.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The relay with a delay. */
@Timeout(60)
final class DelayRelayTest {
    private static final long DELAY = TimeUnit.MILLISECONDS.toNanos(30);

    @Test
    void deliversEveryByteNoEarlierThanTheDelay() throws Exception {
        byte[] sent = new byte[3_000_000];
        new Random(1).nextBytes(sent);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DelayRelay relay = new DelayRelay(listener.getLocalPort(), DELAY);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port())) {
            CompletableFuture<byte[]> echoed =
                    CompletableFuture.supplyAsync(() -> echo(listener), Thread::startVirtualThread);
            long begin = System.nanoTime();
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> send(client, sent), Thread::startVirtualThread);
            byte[] back = client.getInputStream().readNBytes(sent.length);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(2 * DELAY);
            assertThat(back).isEqualTo(sent);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            sending.join();
            assertThat(echoed.join()).isEqualTo(sent);
        }
    }

    private static void send(Socket client, byte[] bytes) {
        try {
            client.getOutputStream().write(bytes);
            client.shutdownOutput();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private static byte[] echo(ServerSocket listener) {
        try (Socket socket = listener.accept()) {
            byte[] bytes = socket.getInputStream().readAllBytes();
            socket.getOutputStream().write(bytes);
            return bytes;
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }
}
