package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.certificate;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendTlsConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.HealthConfig.Kind;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to the backend, with the JDK as its server. */
class BackendTlsTest extends GatewayConformance {
    private static final String[] NO_ALPN = {};

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void carriesBytesBothWaysUnchangedAndResumes(String version) throws Exception {
        TestBackend echo =
                tls(server(), version, socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
        Gateway gateway = start(echo, trusting("localhost", null));
        byte[] bytes = new byte[1_000_000];
        new Random(7).nextBytes(bytes);

        int connections = 12;
        for (int i = 0; i < connections; i++) {
            try (SSLSocket client = connect(gateway)) {
                CompletableFuture<Void> sending = sendAsync(client, bytes);
                byte[] back = client.getInputStream().readNBytes(bytes.length);
                sending.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(Arrays.equals(back, bytes)).isTrue();
            }
        }

        awaitEnds(gateway, "completed", connections);
        // Each loop makes a session of its own.
        assertThat(gateway.metrics().count(Metric.BACKEND_HANDSHAKES, "kind", "full"))
                .isBetween(1L, 2L);
        assertThat(gateway.metrics().count(Metric.BACKEND_HANDSHAKES, "kind", "full")
                        + gateway.metrics().count(Metric.BACKEND_HANDSHAKES, "kind", "resumed"))
                .isEqualTo(connections);
        assertThat(gateway.metrics().countBy(Metric.TLS_ENGINE, "engine"))
                .as("both sides of each connection")
                .containsOnlyKeys("direct");
        // Only those that bring a session go through libssl's rings.
        assertThat(gateway.bytesCopied()).isLessThan(3L * bytes.length);
    }

    @Test
    void aServerWithTheWrongNameIsNotSpokenTo() throws Exception {
        TestBackend wrong =
                tls(TestCertificates.shared().wrongHostServer(), "TLSv1.3", socket -> say(socket, "secret"));
        Gateway gateway = start(wrong, trusting("localhost", null));

        assertThat(ask(gateway)).isEmpty();
        awaitEnds(gateway, "backend_handshake_wrong_host", 1);
        assertThat(fixture.lines())
                .anyMatch(line -> line.contains("backend secure: ") && line.contains("is for other names"));
    }

    @Test
    void aServerOfAnUnknownAuthorityIsNotSpokenToUnlessNothingIsVerified() throws Exception {
        TestBackend backend = tls(server(), "TLSv1.3", socket -> say(socket, "hello"));
        Gateway system = start(backend, BackendTlsConfig.DEFAULT);
        assertThat(ask(system)).isEmpty();
        awaitEnds(system, "backend_handshake_certificate_unknown_authority", 1);

        BackendTlsConfig blind =
                new BackendTlsConfig(null, "", "localhost", false, null, TlsVersion.TLS_1_2, List.of());
        assertThat(ask(start(backend, blind))).isEqualTo("hello");
    }

    @Test
    void theNextServerIsTriedWhenOneDoesNotVerify() throws Exception {
        TestBackend wrong =
                tls(TestCertificates.shared().wrongHostServer(), "TLSv1.3", socket -> say(socket, "secret"));
        TestBackend good = tls(server(), "TLSv1.3", socket -> say(socket, "hello"));
        Gateway gateway = fixture.start(
                fixture.config(route(Copies.of(backend("secure", ProxyProtocol.NONE, wrong.address(), good.address()))
                        .tls(trusting("localhost", null))
                        .build())));

        for (int i = 0; i < 6; i++) {
            assertThat(ask(gateway)).isEqualTo("hello");
        }
        awaitEnds(gateway, "completed", 6);
    }

    @Test
    void aServerThatSpeaksNoTlsIsNamed() throws Exception {
        TestBackend plain = fixture.closing(TestBackend.serving(socket -> {
            socket.getOutputStream().write("220 smtp.example ESMTP\r\n".getBytes(UTF_8));
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        }));
        Gateway gateway = start(plain, trusting("localhost", null));

        assertThat(ask(gateway)).isEmpty();
        awaitEnds(gateway, "backend_handshake_not_tls", 1);
    }

    @Test
    void theHeaderGoesInClearBeforeTheHandshake() throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        TestBackend backend = fixture.closing(TestBackend.serving(socket -> {
            StringBuilder line = new StringBuilder();
            for (int next = socket.getInputStream().read();
                    next >= 0 && next != '\n';
                    next = socket.getInputStream().read()) {
                line.append((char) next);
            }
            lines.add(line.toString() + socket.getInputStream().read());
        }));
        Gateway gateway =
                fixture.start(fixture.config(route(Copies.of(backend("secure", ProxyProtocol.V1, backend.address()))
                        .tls(trusting("localhost", null))
                        .build())));

        assertThat(ask(gateway)).isEmpty();
        assertThat(lines.poll(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .startsWith("PROXY TCP4 127.0.0.1 127.0.0.1 ")
                .endsWith("\r22"); // a handshake record
    }

    @Test
    void theGatewayPresentsACertificateAndOffersProtocols() throws Exception {
        TestBackend backend = fixture.closing(TlsBackend.serving(
                server(), true, "TLSv1.3", new String[] {"h2", "http/1.1"}, socket -> {
                    SSLSocket tls = (SSLSocket) socket;
                    tls.startHandshake();
                    say(socket, tls.getSession().getPeerPrincipal().getName() + " " + tls.getApplicationProtocol());
                }));
        CertificateConfig own =
                certificate("own", "client", TestCertificates.shared().client());
        assertThat(ask(start(backend, trusting("localhost", own, "http/1.1")))).isEqualTo("CN=client http/1.1");

        Gateway nameless = start(backend, trusting("localhost", null));
        assertThat(askOrNothing(nameless)).isEmpty();
    }

    @Test
    void checksShakeHandsToo() throws Exception {
        TestBackend wrong =
                tls(TestCertificates.shared().wrongHostServer(), "TLSv1.3", socket -> say(socket, "secret"));
        HealthConfig often = new HealthConfig(Kind.TLS, "/", "", Duration.ofMillis(50), Duration.ofSeconds(5), 1, 2);
        Gateway gateway =
                fixture.start(fixture.config(route(Copies.of(backend("secure", ProxyProtocol.NONE, wrong.address()))
                        .tls(trusting("localhost", null))
                        .health(often)
                        .build())));

        Waiting.until(
                LIMIT,
                () -> gateway.servers().values().stream()
                        .allMatch(state -> state.startsWith("down: ") && state.contains("is for other names")),
                () -> "never down: " + gateway.servers());
        assertThat(fixture.lines()).anyMatch(line -> line.contains("is down") && line.contains("is for other names"));
    }

    /** Clients of the old configuration finish with the old context, new ones begin with the new. */
    @Test
    void anotherAuthorityIsTakenUpByAReload() throws Exception {
        TestBackend backend = tls(server(), "TLSv1.3", socket -> say(socket, "hello"));
        Gateway gateway = start(backend, BackendTlsConfig.DEFAULT);
        assertThat(ask(gateway)).isEmpty();
        for (int i = 0; i < 20; i++) {
            gateway.reload(fixture.config(route(Copies.of(secure(backend))
                    .tls(trusting("localhost", null))
                    .retries(i)
                    .build())));
            assertThat(ask(gateway)).isEqualTo("hello");
        }
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private static Credential server() {
        return TestCertificates.shared().server();
    }

    private TestBackend tls(Credential credential, String version, TestBackend.Conversation conversation)
            throws IOException {
        return fixture.closing(TlsBackend.serving(credential, false, version, NO_ALPN, conversation));
    }

    private static BackendTlsConfig trusting(String name, @Nullable CertificateConfig own, String... alpn) {
        return new BackendTlsConfig(
                TestCertificates.shared().rootFile(), "1", name, true, own, TlsVersion.TLS_1_2, List.of(alpn));
    }

    private static BackendConfig secure(TestBackend backend) {
        return backend("secure", ProxyProtocol.NONE, backend.address());
    }

    private Gateway start(TestBackend backend, BackendTlsConfig tls) {
        return fixture.start(
                fixture.config(route(Copies.of(secure(backend)).tls(tls).build())));
    }

    private static SSLSocket connect(Gateway gateway) throws IOException {
        return TlsClient.plain().connect(gateway.addresses().getFirst());
    }

    private static String ask(Gateway gateway) throws IOException {
        try (SSLSocket socket = connect(gateway)) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    /**
     * Returns the answer, or nothing: with TLS 1.3 a server refuses a client's certificate only after the client
     * believes to be connected.
     */
    private static String askOrNothing(Gateway gateway) {
        try {
            return ask(gateway);
        } catch (IOException reset) {
            return "";
        }
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.shutdownOutput();
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
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
}
