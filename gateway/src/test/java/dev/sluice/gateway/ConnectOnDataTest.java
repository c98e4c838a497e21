package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.backend.ServerMode;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Backends that are connected when the client's first byte has come. */
class ConnectOnDataTest extends GatewayConformance {
    private static final int LARGE = 300_000;

    @Test
    void connectsWhenTheFirstByteHasCome() throws Exception {
        Gateway gateway = start(onData(echo()));
        SSLSocket resting = rest(gateway);
        SSLSocket active = client(gateway);
        assertThat(echoed(active, "active")).isEqualTo("active");
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS))
                .as("connects")
                .isEqualTo(1);

        assertThat(echoed(resting, "rested")).isEqualTo("rested");
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isEqualTo(2);
        assertThat(echoed(resting, "again")).isEqualTo("again");
    }

    @Test
    void passesWhatComesBeforeTheBackendIsConnected() throws Exception {
        Gateway gateway = start(onData(echo()));
        byte[] sent = new byte[LARGE];
        new Random(7).nextBytes(sent);
        for (String version : new String[] {"TLSv1.3", "TLSv1.2"}) {
            SSLSocket client = fixture.closing(TlsClient.plain()
                    .speaking(version)
                    .connect(gateway.addresses().getFirst()));
            Thread writer = Thread.ofPlatform().start(() -> writeAndEnd(client, sent));
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(sent);
            writer.join();
            client.close();
        }
        awaitEnds(gateway, "completed", 2);
        assertThat(gateway.metrics().count(Metric.CONNECTION_BYTES, "direction", "to_backend"))
                .isEqualTo(2L * LARGE);
    }

    /** The end comes with the bytes, so that it may be reported while the backend is being connected. */
    @Test
    void passesAnEndThatComesWithTheFirstBytes() throws Exception {
        Gateway gateway = start(onData(echo()));
        for (int i = 0; i < 20; i++) {
            SSLSocket client = client(gateway);
            writeAndEnd(client, "short".getBytes(UTF_8));
            assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
                    .isEqualTo("short");
            client.close();
        }
        awaitEnds(gateway, "completed", 20);
    }

    @Test
    void connectsForNobodyWhoLeavesWithoutAByte() throws Exception {
        Gateway gateway = start(onData(echo()));
        SSLSocket polite = rest(gateway);
        polite.shutdownOutput();
        assertThat(polite.getInputStream().read()).as("the gateway's end").isEqualTo(-1);
        awaitEnds(gateway, "completed", 1);

        SSLSocket rude = client(gateway);
        TlsClient.reset(rude);
        Waiting.until(LIMIT, () -> gateway.openConnections() == 0, () -> "a client that is gone is still open");
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isZero();
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTIONS)).isZero();
    }

    @Test
    void sendsTheProxyHeaderBeforeTheFirstByte() throws Exception {
        BlockingQueue<ProxyHeader> headers = new LinkedBlockingQueue<>();
        TestBackend server = fixture.closing(TestBackend.serving(socket -> {
            headers.add(ProxyHeader.read(socket.getInputStream()));
            socket.getInputStream().transferTo(socket.getOutputStream());
        }));
        Gateway gateway = start(Copies.of(backend("told", ProxyProtocol.V2, server.address()))
                .connect(ConnectMode.ON_DATA)
                .build());
        SSLSocket client = client(gateway);

        assertThat(echoed(client, "a")).isEqualTo("a");
        ProxyHeader header = headers.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(header).isNotNull();
        assertThat(header.source()).isEqualTo(client.getLocalSocketAddress());
        assertThat(header.tls().version()).isEqualTo("TLSv1.3");
        assertThat(header.tls().serverName()).isEqualTo("localhost");
    }

    @Test
    void endsAClientThatRestsForTheIdleTimeout() throws Exception {
        BackendConfig backend = onData(echo());
        Gateway gateway = fixture.start(Copies.of(fixture.config(route(backend)))
                .limits(Copies.of(fixture.config(route(backend)).limits())
                        .idleTimeout(Duration.ofMillis(200))
                        .build())
                .build());
        client(gateway);
        awaitEnds(gateway, "idle_timeout", 1);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isZero();
    }

    @Test
    void triesAnotherServerWithTheSameBytes() throws Exception {
        Gateway gateway = start(onData(nobody(), echo()));
        for (int i = 0; i < 4; i++) {
            assertThat(echoed(client(gateway), "retried")).isEqualTo("retried");
        }
        assertThat(gateway.metrics().count(Metric.BACKEND_RETRIES))
                .isPositive()
                .isEqualTo(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES));
    }

    @Test
    void endsAClientWhoseBackendRefuses() throws Exception {
        Gateway gateway = start(onData(nobody()));
        SSLSocket client = client(gateway);
        client.getOutputStream().write(1);
        assertThat(client.getInputStream().read()).isEqualTo(-1);
        awaitEnds(gateway, "backend_connection_refused", 1);
    }

    @Test
    void servesARestingClientByTheConfigurationThatAcceptedIt() throws Exception {
        Gateway gateway = start(onData(echo()));
        SSLSocket resting = rest(gateway);
        TestBackend other = fixture.closing(TestBackend.saying("other"));
        gateway.reload(fixture.config(route(backend("backend", ProxyProtocol.NONE, other.address()))));

        assertThat(echoed(resting, "rested")).isEqualTo("rested");
        assertThat(new String(client(gateway).getInputStream().readAllBytes(), UTF_8))
                .isEqualTo("other");
    }

    /** The configuration that accepted it is not the active one any more. */
    @Test
    void drainsAServerForARestingClientOfAnOlderConfiguration() throws Exception {
        InetSocketAddress drained = echo();
        BackendConfig before = onData(drained, echo());
        Gateway gateway = start(before);
        List<SSLSocket> resting = List.of(rest(gateway), rest(gateway), rest(gateway), rest(gateway));
        gateway.reload(fixture.config(route(Copies.of(before).retries(0).build())));
        gateway.control().mode("backend", BackendConfig.text(drained), ServerMode.DRAINING);

        for (SSLSocket client : resting) {
            assertThat(echoed(client, "rested")).isEqualTo("rested");
        }
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS, "server", BackendConfig.text(drained)))
                .isZero();
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private InetSocketAddress echo() {
        return fixture.closing(TestBackend.echoing()).address();
    }

    private static InetSocketAddress nobody() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
    }

    private static BackendConfig onData(InetSocketAddress... servers) {
        return Copies.of(backend("backend", ProxyProtocol.NONE, servers))
                .connect(ConnectMode.ON_DATA)
                .build();
    }

    private Gateway start(BackendConfig backend) {
        return fixture.start(fixture.config(route(backend)));
    }

    private SSLSocket client(Gateway gateway) throws IOException {
        return fixture.closing(TlsClient.plain().connect(gateway.addresses().getFirst()));
    }

    /** Returns a client whose handshake the gateway has completed, too. */
    private SSLSocket rest(Gateway gateway) throws IOException {
        long before = gateway.metrics().count(Metric.TLS_HANDSHAKES);
        SSLSocket client = client(gateway);
        Waiting.until(LIMIT, () -> gateway.metrics().count(Metric.TLS_HANDSHAKES) > before, () -> "no handshake");
        return client;
    }

    private static String echoed(SSLSocket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(UTF_8));
        return new String(client.getInputStream().readNBytes(text.length()), UTF_8);
    }

    private static void writeAndEnd(SSLSocket client, byte[] bytes) {
        try {
            client.getOutputStream().write(bytes);
            client.shutdownOutput();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
