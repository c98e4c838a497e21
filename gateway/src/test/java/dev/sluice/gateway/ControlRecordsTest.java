package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Clients that go on with the protocol of TLS when nobody expects it: the JDK's, which renegotiates and updates keys. */
class ControlRecordsTest extends GatewayConformance {
    @Test
    void renegotiationIsDeclinedAndTheConnectionGoesOn() throws Exception {
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
    void renegotiationAfterOurCloseNotifyIsNotAnswered() throws Exception {
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
                () -> gateway.statistics().openConnections() == 0,
                () -> "connections stay open: " + gateway.statistics().openConnections() + ", ends "
                        + gateway.statistics().ends());
    }
}
