package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Listeners without TLS, which relay the bytes of any protocol. */
class PlainListenerTest extends GatewayConformance {
    private static final byte[] ALL = "all".getBytes(ISO_8859_1);
    private static final String[] NO_ALPN = {};
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** curl fetches a page. */
    @Test
    void relaysRequestsAndResponses() throws Exception {
        TestBackend web = fixture.closing(TestBackend.serving(socket -> {
            TestBackend.head(socket);
            String page = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";
            socket.getOutputStream().write(page.getBytes(ISO_8859_1));
        }));
        Gateway gateway = fixture.start(config(web, ProxyProtocol.NONE, AcceptPolicy.DEFAULT));
        String url = "http://localhost:" + gateway.addresses().getFirst().getPort() + "/";
        String output = ForeignProgram.required("curl", "curl")
                .command("-sS", "--ipv4", url)
                .run()
                .expectSuccess()
                .output();
        assertThat(output).isEqualTo("hello");
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES)).isZero();
    }

    /** A client that waits for the server's greeting before it sends, as with SMTP or MySQL. */
    @Test
    void letsTheServerSpeakFirst() throws Exception {
        TestBackend greeting = fixture.closing(TestBackend.serving(socket -> {
            socket.getOutputStream().write("220 ready\r\n".getBytes(ISO_8859_1));
            socket.getOutputStream().write(socket.getInputStream().readNBytes(4));
        }));
        Gateway gateway = fixture.start(config(greeting, ProxyProtocol.NONE, AcceptPolicy.DEFAULT));
        try (Socket client = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            assertThat(client.getInputStream().readNBytes(11)).isEqualTo("220 ready\r\n".getBytes(ISO_8859_1));
            client.getOutputStream().write("QUIT".getBytes(ISO_8859_1));
            assertThat(client.getInputStream().readAllBytes()).isEqualTo("QUIT".getBytes(ISO_8859_1));
        }
        awaitEnds(gateway, "completed", 1);
    }

    /** The client's address goes from a PROXY header in to one out, and what stands behind the header is relayed. */
    @Test
    void carriesTheAddressInProxyHeaders() throws Exception {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        List<AddressRange> proxies = List.of(AddressRange.parse("127.0.0.0/8"));
        AcceptPolicy behindProxy = new AcceptPolicy(proxies, 0, Duration.ZERO, false, false);
        Gateway gateway = fixture.start(config(echo, ProxyProtocol.V1, behindProxy));
        try (Socket client = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            String header = "PROXY TCP4 192.0.2.7 192.0.2.8 4711 25\r\n";
            client.getOutputStream().write((header + "EHLO").getBytes(ISO_8859_1));
            assertThat(client.getInputStream().readNBytes(header.length() + 4))
                    .isEqualTo((header + "EHLO").getBytes(ISO_8859_1));
        }
    }

    /**
     * A client sends all that it has and ends its direction, while the handshake with its server is under way. What a
     * second client gets meanwhile, on the same loop, shows that the loop has met that end.
     */
    @Test
    void passesAnEndThatComesBeforeTheServerIsConnected() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        CountDownLatch released = new CountDownLatch(1);
        TestBackend late = fixture.closing(
                TlsBackend.serving(TestCertificates.shared().server(), false, "TLSv1.3", NO_ALPN, socket -> {
                    if (connections.getAndIncrement() == 0) {
                        released.await();
                    }
                    socket.getOutputStream().write(socket.getInputStream().readAllBytes());
                }));
        BackendTlsConfig trusting = new BackendTlsConfig(
                TestCertificates.shared().rootFile(), "1", "localhost", true, null, TlsVersion.TLS_1_2, List.of());
        BackendConfig secure = Copies.of(GatewayFixture.backend("web", ProxyProtocol.NONE, late.address()))
                .tls(trusting)
                .connectTimeout(GatewayFixture.LIMIT)
                .build();
        List<AddressRange> proxies = List.of(AddressRange.parse("127.0.0.0/8"));
        AcceptPolicy behindProxy = new AcceptPolicy(proxies, 0, Duration.ZERO, false, false);
        GatewayConfig config = fixture.config(ListenerConfig.plain(ANY_PORT, secure, behindProxy, "", "test.yaml:1:1"));
        Gateway gateway = fixture.start(Copies.of(config).loops(1).build());
        try (Socket first = sendAll(gateway)) {
            Waiting.until(GatewayFixture.LIMIT, () -> connections.get() == 1, () -> "no connection to the server");
            try (Socket second = sendAll(gateway)) {
                assertThat(second.getInputStream().readAllBytes()).isEqualTo(ALL);
            }
            released.countDown();

            assertThat(first.getInputStream().readAllBytes()).isEqualTo(ALL);
        }
        awaitEnds(gateway, "completed", 2);
    }

    private static Socket sendAll(Gateway gateway) throws IOException {
        Socket client = TlsClient.plainSocket(gateway.addresses().getFirst());
        client.getOutputStream().write("PROXY TCP4 192.0.2.7 192.0.2.8 4711 25\r\nall".getBytes(ISO_8859_1));
        client.shutdownOutput();
        return client;
    }

    @Test
    void closesWhereTheBackendIsDown() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
        Gateway gateway = fixture.start(config(nobody, ProxyProtocol.NONE, AcceptPolicy.DEFAULT));
        try (Socket client = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        awaitEnds(gateway, "backend_connection_refused", 1);
    }

    private GatewayConfig config(TestBackend backend, ProxyProtocol protocol, AcceptPolicy policy) {
        return config(backend.address(), protocol, policy);
    }

    private GatewayConfig config(InetSocketAddress backend, ProxyProtocol protocol, AcceptPolicy policy) {
        return fixture.config(ListenerConfig.plain(
                ANY_PORT, GatewayFixture.backend("web", protocol, backend), policy, "", "test.yaml:1:1"));
    }
}
