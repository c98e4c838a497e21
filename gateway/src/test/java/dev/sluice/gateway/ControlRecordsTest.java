package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gateway.RecordClients.Suite;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.record.ContentType;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/**
 * Clients that go on with the protocol of TLS when nobody expects it: the JDK's, which renegotiates and updates keys.
 */
class ControlRecordsTest extends GatewayConformance {
    private static final int BATCH = 100;
    private static final int BATCHES = 2_000;

    /** The most buffers for data under way and for the answer that waits; a queue of all answers takes some 140. */
    private static final int BUFFERS_AT_MOST = 8;

    @Test
    void declinesRenegotiationAndKeepsTheConnection() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        try (SSLSocket client = TlsClient.plain()
                .speaking("TLSv1.2")
                .connect(gateway.addresses().getFirst())) {
            client.getOutputStream().write('a');
            assertThat(client.getInputStream().read()).isEqualTo('a');
            // The JDK takes the warning for an error and closes; what matters is what the gateway makes of it.
            assertThatThrownBy(() -> {
                        client.startHandshake();
                        client.getInputStream().read();
                    })
                    .isInstanceOf(IOException.class);
        }
        awaitNoConnections(gateway);
        assertThat(fixture.lines()).noneMatch(line -> line.contains("uncaught"));
    }

    /** The backend of HTTP/1.0 ends first; a client asks to renegotiate behind the gateway's close_notify. */
    @Test
    void ignoresRenegotiationAfterItsCloseNotify() throws Exception {
        int clients = 20;
        CountDownLatch ended = new CountDownLatch(clients);
        Gateway gateway = fixture.before(fixture.closing(TestBackend.serving(socket -> {
            socket.getOutputStream().write("the answer".getBytes(US_ASCII));
            socket.shutdownOutput();
            ended.countDown();
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        })));
        for (int i = 0; i < clients; i++) {
            try (Socket plain = TlsClient.plainSocket(gateway.addresses().getFirst());
                    SSLSocket client = TlsClient.plain().speaking("TLSv1.2").over(plain)) {
                Waiting.until(LIMIT, () -> available(plain) > 0, () -> "the answer has not come");
                // Not read yet by the client: close_notify and FIN of the gateway wait in its socket.
                assertThatThrownBy(() -> {
                            client.startHandshake();
                            client.getInputStream().readAllBytes();
                            client.getInputStream().read();
                        })
                        .isInstanceOf(IOException.class);
            }
        }
        assertThat(ended.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        awaitNoConnections(gateway);
        assertThat(fixture.lines()).noneMatch(line -> line.contains("uncaught"));
    }

    /** Answers to key updates come to several times what the kernel takes for a client that does not read. */
    @Test
    void boundsAnswersThatThePeerDoesNotRead() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(
                TestBackend.serving(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()))));
        try (RecordClients shared = new RecordClients();
                RecordClient client = shared.connect(gateway.addresses().getFirst(), Suite.TLS13_AES)) {
            long sent = requestKeyUpdates(client, BATCHES / 10);
            awaitBytesToBackend(gateway, sent);
            double before = leasedBuffers(gateway);
            sent += requestKeyUpdates(client, BATCHES);
            awaitBytesToBackend(gateway, sent);
            assertThat(leasedBuffers(gateway) - before).isLessThanOrEqualTo(BUFFERS_AT_MOST);
        }
    }

    /** Requests key updates and returns the number of data bytes sent along. */
    private static long requestKeyUpdates(RecordClient client, int batches) {
        for (int batch = 0; batch < batches; batch++) {
            for (int i = 0; i < BATCH; i++) {
                client.updateKey(true);
                client.seal(ContentType.APPLICATION_DATA, new byte[] {1});
            }
            assertThat(client.flushAll()).as("the gateway reads on").isTrue();
        }
        return (long) batches * BATCH;
    }

    private static void awaitBytesToBackend(Gateway gateway, long bytes) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTION_BYTES, "direction", "to_backend") == bytes,
                () -> bytes + " bytes expected, came "
                        + gateway.metrics().count(Metric.CONNECTION_BYTES, "direction", "to_backend")
                        + "; buffers leased: "
                        + leasedBuffers(gateway) + ", ends: "
                        + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
    }

    private static double leasedBuffers(Gateway gateway) {
        return gateway.metrics().sum(Metric.LOOP_BUFFERS_LEASED);
    }

    private static int available(Socket socket) {
        try {
            return socket.getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitNoConnections(Gateway gateway) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTIONS) == 0,
                () -> "connections stay open: " + gateway.metrics().count(Metric.CONNECTIONS) + ", ends "
                        + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
    }
}
