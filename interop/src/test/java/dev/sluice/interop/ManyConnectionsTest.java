package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.Backend;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.TlsClient;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Many connections at once, and more than there are descriptors for. */
class ManyConnectionsTest extends GatewayTest {
    private static final int MANY = 2000;
    private static final int DESCRIPTOR_LIMIT = 300;

    /** Few enough that no handshake waits its turn for longer than the gateway allows. */
    private static final int THREADS = 32;

    @Test
    void twoThousandConnectionsAtOnceEachGetTheirOwnBytes() throws Exception {
        Backend backend = Backend.echoing();
        GatewayProcess gateway = gateway(backend);
        List<SSLSocket> clients = inParallel(MANY, i -> connect(gateway));
        try {
            List<String> answers = inParallel(MANY, i -> exchange(clients.get(i), "message of connection " + i));

            assertThat(backend.open()).isEqualTo(MANY);
            for (int i = 0; i < MANY; i++) {
                assertThat(answers.get(i)).isEqualTo("message of connection " + i);
            }
        } finally {
            closeAll(clients);
        }
    }

    private static SSLSocket connect(GatewayProcess gateway) {
        try {
            return TlsClient.connect(gateway.port());
        } catch (IOException e) {
            throw new AssertionError(gateway.log(), e);
        }
    }

    @Test
    void beyondTheDescriptorLimitTheRestIsServedAndAfterwardsAll() throws Exception {
        assertSurvivesACrowd(
                GatewaySetup.before(backend(Backend.echoing()), transport).atMostDescriptors(DESCRIPTOR_LIMIT));
    }

    @Test
    void evenWhereTheConfigurationAllowsMoreConnectionsThanThereAreDescriptors() throws Exception {
        assertSurvivesACrowd(GatewaySetup.before(backend(Backend.echoing()), transport)
                .atMostDescriptors(DESCRIPTOR_LIMIT)
                .with("limits: {connections: 100000}"));
    }

    private void assertSurvivesACrowd(GatewaySetup setup) throws Exception {
        GatewayProcess gateway = gateway(setup);
        try (SSLSocket early = TlsClient.connect(gateway.port())) {
            assertThat(exchange(early, "before")).isEqualTo("before");
            List<Socket> crowd = inParallel(MANY, i -> TlsClient.raw(gateway.port()));

            assertThat(exchange(early, "meanwhile")).isEqualTo("meanwhile");
            Waiting.until(LONG, () -> saysLimit(gateway), () -> "no word of a limit: " + gateway.log());
            closeAll(crowd);
            Waiting.until(LONG, () -> serves(gateway), () -> "does not serve again: " + gateway.log());
            assertThat(exchange(early, "afterwards")).isEqualTo("afterwards");
        }
    }

    /** Refused by the gateway's own limit, which is derived from the descriptors, or by the kernel's. */
    private static boolean saysLimit(GatewayProcess gateway) {
        return gateway.log().contains(" connection_limit: ") || gateway.log().contains(" descriptor_limit: ");
    }

    private static boolean serves(GatewayProcess gateway) {
        try (SSLSocket late = TlsClient.connect(gateway.port())) {
            return exchange(late, "again").equals("again");
        } catch (IOException notYet) {
            return false;
        }
    }

    private interface Indexed<T> {
        T at(int index) throws Exception;
    }

    private static <T> List<T> inParallel(int count, Indexed<T> action) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int index = i;
                Callable<T> call = () -> action.at(index);
                futures.add(executor.submit(call));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(result(future));
            }
            return results;
        }
    }

    private static <T> T result(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new AssertionError("one of many failed", e.getCause());
        }
    }

    private static String exchange(SSLSocket client, String message) throws IOException {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        client.getOutputStream().write(bytes);
        return new String(client.getInputStream().readNBytes(bytes.length), StandardCharsets.UTF_8);
    }

    private static void closeAll(List<? extends Socket> sockets) {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
