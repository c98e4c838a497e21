package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.certificate;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.certificate.PeerCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the service for clients and backends that behave, with the JDK as the client. */
class GatewayServiceTest extends GatewayConformance {
    @TempDir
    Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void carriesBytesBothWaysUnchanged(String version) throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        byte[] bytes = new byte[4_000_000];
        new Random(5).nextBytes(bytes);

        try (SSLSocket client = TlsClient.plain().speaking(version).connect(address(gateway))) {
            CompletableFuture<Void> sending = sendAsync(client, bytes);
            byte[] back = client.getInputStream().readNBytes(bytes.length);
            sending.join();
            assertThat(Arrays.equals(back, bytes)).isTrue();
            assertThat(client.getSession().getProtocol()).isEqualTo(version);
        }

        awaitEnds(gateway, "completed", 1);
        assertThat(gateway.metrics().count(Metric.CONNECTION_BYTES, "direction", "to_backend"))
                .isEqualTo(bytes.length);
        assertThat(gateway.metrics().count(Metric.CONNECTION_BYTES, "direction", "to_client"))
                .isEqualTo(bytes.length);
        assertThat(gateway.metrics().count(Metric.CONNECTIONS)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void resumesOnWhicheverLoopTheClientComesBackTo(String version) throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.saying("hello")));
        TlsClient client = TlsClient.plain().speaking(version);

        for (int i = 0; i < 8; i++) {
            try (SSLSocket socket = client.connect(address(gateway))) {
                assertThat(socket.getInputStream().readAllBytes())
                        .asString(UTF_8)
                        .isEqualTo("hello");
            }
        }

        awaitEnds(gateway, "completed", 8);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "full"))
                .isEqualTo(1);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "resumed"))
                .isEqualTo(7);
    }

    @Test
    void routesByServerNameAndProtocol() throws Exception {
        Credential wide = TestCertificates.shared()
                .issue(CertificateRequest.named("wide").forHosts("a.example.com", "b.example.com", "localhost"));
        ServerNamePattern example = new ServerNamePattern("*.example.com");
        Gateway gateway = fixture.start(fixture.config(listener(
                List.of(certificate("wide", "localhost", wide)),
                List.of("h2", "http/1.1"),
                TlsOptions.DEFAULT,
                new RouteConfig(example, "h2", saying("example over h2")),
                new RouteConfig(example, "", saying("example")),
                new RouteConfig(ServerNamePattern.ANY, "http/1.1", saying("http")))));

        assertThat(ask(gateway, TlsClient.plain().asking("a.example.com").offering("h2")))
                .isEqualTo("example over h2");
        assertThat(ask(gateway, TlsClient.plain().asking("b.example.com").offering("http/1.1")))
                .isEqualTo("example");
        assertThat(ask(gateway, TlsClient.plain().offering("http/1.1"))).isEqualTo("http");
        assertThat(ask(gateway, TlsClient.plain().offering("h2"))).isEmpty();
        awaitEnds(gateway, "no_route", 1);
    }

    @Test
    void choosesTheCertificateByServerName() throws Exception {
        Credential shop = TestCertificates.shared()
                .issue(CertificateRequest.named("sni-shop").forHosts("shop.example", "localhost"));
        Credential api = TestCertificates.shared()
                .issue(CertificateRequest.named("sni-api").forHosts("*.api.example"));
        Gateway gateway = fixture.start(fixture.config(listener(
                List.of(certificate("shop", "shop.example", shop), certificate("api", "*.api.example", api)),
                List.of(),
                TlsOptions.DEFAULT,
                route(saying("")))));

        assertThat(nameOfServer(gateway, "shop.example")).isEqualTo("CN=sni-shop");
        assertThat(nameOfServer(gateway, "v1.api.example")).isEqualTo("CN=sni-api");
        assertThat(nameOfServer(gateway, "localhost")).isEqualTo("CN=sni-shop");
    }

    @Test
    void servesTwoKindsOfKeyUnderOneName() throws Exception {
        Gateway gateway = fixture.start(fixture.config(listener(
                List.of(certificate(
                        "both",
                        "localhost",
                        TestCertificates.shared().server(),
                        TestCertificates.shared().serverRsa())),
                List.of(),
                new TlsOptions(
                        TlsVersion.TLS_1_2, List.of("ECDHE-RSA-AES128-GCM-SHA256"), List.of(), ClientAuth.NONE, null),
                route(saying("")))));

        try (SSLSocket client = TlsClient.plain().speaking("TLSv1.2").connect(address(gateway))) {
            assertThat(client.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
        }
        try (SSLSocket client = TlsClient.plain().speaking("TLSv1.3").connect(address(gateway))) {
            assertThat(client.getSession()
                            .getPeerCertificates()[0]
                            .getPublicKey()
                            .getAlgorithm())
                    .isEqualTo("EC");
        }
    }

    @Test
    void refusesVersionsBelowTheLeast() throws Exception {
        TlsOptions tls13 = new TlsOptions(TlsVersion.TLS_1_3, List.of(), List.of(), ClientAuth.NONE, null);
        Gateway gateway = fixture.start(fixture.config(listener(List.of(), tls13, route(saying("hello")))));

        assertThat(ask(gateway, TlsClient.plain().speaking("TLSv1.3"))).isEqualTo("hello");
        assertThatThrownBy(() -> ask(gateway, TlsClient.plain().speaking("TLSv1.2")))
                .isInstanceOf(SSLHandshakeException.class);
        awaitEnds(gateway, "handshake_unsupported_protocol", 1);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES)).isEqualTo(1);
    }

    @Test
    void tellsTheBackendOfTheClient() throws Exception {
        BlockingQueue<ProxyHeader> headers = new ArrayBlockingQueue<>(4);
        TestBackend backend = fixture.closing(TestBackend.serving(socket -> {
            headers.add(ProxyHeader.read(socket.getInputStream()));
            socket.getInputStream().transferTo(socket.getOutputStream());
        }));
        TlsOptions mutual = new TlsOptions(
                TlsVersion.TLS_1_2,
                List.of(),
                List.of(),
                ClientAuth.OPTIONAL,
                TestCertificates.shared().rootFile());
        Gateway gateway = fixture.start(fixture.config(listener(
                List.of("h2", "http/1.1"), mutual, route(backend("told", ProxyProtocol.V2, backend.address())))));

        TlsClient known =
                TlsClient.presenting(TestCertificates.shared().client()).offering("http/1.1");
        try (SSLSocket client = known.connect(address(gateway))) {
            client.getOutputStream().write(9);
            assertThat(client.getInputStream().read()).isEqualTo(9);
            ProxyHeader header = headers.poll(GatewayFixture.LIMIT.toSeconds(), TimeUnit.SECONDS);

            assertThat(header).isNotNull();
            assertThat(header.source()).isEqualTo(client.getLocalSocketAddress());
            assertThat(header.destination()).isEqualTo(address(gateway));
            assertThat(header.tls().version()).isEqualTo("TLSv1.3");
            assertThat(header.tls().cipher()).isEqualTo(client.getSession().getCipherSuite());
            assertThat(header.tls().serverName()).isEqualTo("localhost");
            assertThat(header.tls().alpn()).isEqualTo("http/1.1");
            assertThat(header.tls().clientCertificate()).isTrue();
            assertThat(header.tls().commonName()).isEqualTo("client");
            assertThat(header.tls().client())
                    .isEqualTo(new PeerCertificate("CN=client", List.of("DNS:client.example"), sha256OfClient()));
            assertThat(header.tls().resumed()).isFalse();
            assertThat(header.tls().handshakeMicros()).isPositive();
        }
    }

    private static String sha256OfClient() throws GeneralSecurityException {
        byte[] encoded = TestCertificates.shared().client().certificate().getEncoded();
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(encoded));
    }

    @Test
    void turnsAwayClientsWithoutTheCertificateThatIsRequired() throws Exception {
        TlsOptions mutual = new TlsOptions(
                TlsVersion.TLS_1_2,
                List.of(),
                List.of(),
                ClientAuth.REQUIRED,
                TestCertificates.shared().rootFile());
        Gateway gateway = fixture.start(fixture.config(listener(List.of(), mutual, route(saying("hello")))));

        TlsClient known = TlsClient.presenting(TestCertificates.shared().client());
        assertThat(ask(gateway, known)).isEqualTo("hello");
        assertThatThrownBy(() -> ask(gateway, TlsClient.plain())).isInstanceOf(SSLException.class);
        awaitEnds(gateway, "handshake_certificate_missing", 1);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES)).isEqualTo(1);
    }

    @Test
    void goesToTheNextServerWhenOneRefuses() throws Exception {
        TestBackend good = fixture.closing(TestBackend.saying("hello"));
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
        Gateway gateway =
                fixture.start(fixture.config(route(backend("pair", ProxyProtocol.NONE, nobody, good.address()))));

        for (int i = 0; i < 4; i++) {
            assertThat(ask(gateway, TlsClient.plain())).isEqualTo("hello");
        }

        awaitEnds(gateway, "completed", 4);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isPositive();
    }

    @Test
    void reachesABackendOverAUnixSocket() throws Exception {
        UnixDomainSocketAddress path = UnixDomainSocketAddress.of(directory.resolve("backend.sock"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(path);
            CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answerOnce(server));
            Gateway gateway = fixture.start(fixture.config(route(backend("unix", ProxyProtocol.V1, path))));

            assertThat(ask(gateway, TlsClient.plain())).startsWith("PROXY TCP4 127.0.0.1 127.0.0.1 ");
            answered.get(GatewayFixture.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void answerOnce(ServerSocketChannel server) {
        try (SocketChannel accepted = server.accept()) {
            ByteBuffer buffer = ByteBuffer.allocate(200);
            accepted.read(buffer);
            accepted.write(buffer.flip());
            accepted.shutdownOutput();
            accepted.read(ByteBuffer.allocate(10));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private BackendConfig saying(String text) {
        return backend(
                "saying " + text,
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.saying(text)).address());
    }

    private static String ask(Gateway gateway, TlsClient client) throws IOException {
        try (SSLSocket socket = client.connect(address(gateway))) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static String nameOfServer(Gateway gateway, String serverName) throws IOException {
        try (SSLSocket socket = TlsClient.plain().asking(serverName).connect(address(gateway))) {
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }

    private static CompletableFuture<Void> sendAsync(SSLSocket client, byte[] bytes) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                client.getOutputStream().write(bytes);
                done.complete(null);
            } catch (IOException broken) {
                done.completeExceptionally(broken);
            }
        });
        return done;
    }

    private static InetSocketAddress address(Gateway gateway) {
        return gateway.addresses().getFirst();
    }
}
