package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ListenerConfig.ClientFingerprint;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.config.model.TlsVersion;
import dev.sluice.gateway.accesslog.AccessLines;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fingerprints of clients, as the access log and the backend get them. */
class FingerprintTest extends GatewayConformance {
    private static final String TLS13 = "t13d\\d{4}00_[0-9a-f]{12}_[0-9a-f]{12}";

    private final BlockingQueue<ProxyHeader> headers = new LinkedBlockingQueue<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void tellsBackendAndAccessLogTheSame() throws Exception {
        Gateway gateway = start(ClientFingerprint.JA4);
        InetSocketAddress address = gateway.addresses().getFirst();
        ask(TlsClient.plain().connect(address));
        ask(TlsClient.plain().connect(address));
        String first = fingerprint();
        assertThat(first).matches(TLS13);
        assertThat(fingerprint()).as("of the same software").isEqualTo(first);

        ask(TlsClient.plain().speaking("TLSv1.2").offering("h2").connect(address));
        String other = fingerprint();
        assertThat(other).matches("t12d\\d{4}h2_[0-9a-f]{12}_[0-9a-f]{12}");
        assertThat(awaitLines(gateway, 3))
                .extracting(line -> line.get("ja4"))
                .containsExactlyInAnyOrder(first, first, other);
    }

    @Test
    void readsAClientHelloInPieces() throws Exception {
        Gateway gateway = start(ClientFingerprint.JA4);
        ask(TlsClient.plain().connect(gateway.addresses().getFirst()));
        ask(TlsClient.plain()
                .over(DripSocket.to(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(),
                        gateway.addresses().getFirst().getPort()))));
        assertThat(fingerprint()).matches(TLS13).isEqualTo(fingerprint());
    }

    @Test
    void makesNoneUnlessConfigured() throws Exception {
        Gateway gateway = start(ClientFingerprint.OFF);
        ask(TlsClient.plain().connect(gateway.addresses().getFirst()));
        assertThat(fingerprint()).isEmpty();
        assertThat(awaitLines(gateway, 1).getFirst()).doesNotContainKeys("ja4", "client_subject");
    }

    @Test
    void logsTheSubjectOfAClientCertificate() throws Exception {
        TlsOptions mutual = new TlsOptions(
                TlsVersion.TLS_1_2,
                List.of(),
                List.of(),
                ClientAuth.REQUIRED,
                TestCertificates.shared().rootFile());
        Gateway gateway = start(ClientFingerprint.JA4, mutual);
        ask(TlsClient.presenting(TestCertificates.shared().client())
                .connect(gateway.addresses().getFirst()));
        ProxyHeader header = headers.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(header).isNotNull();
        String subject = Objects.requireNonNull(header.tls().client()).subject();
        assertThat(awaitLines(gateway, 1).getFirst())
                .containsEntry("client_subject", subject)
                .containsEntry("ja4", header.tls().fingerprint());
        assertThat(subject).contains("CN=");
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private Gateway start(ClientFingerprint fingerprint) {
        return start(fingerprint, TlsOptions.DEFAULT);
    }

    private Gateway start(ClientFingerprint fingerprint, TlsOptions tls) {
        TestBackend server = fixture.closing(TestBackend.serving(this::echo));
        ListenerConfig listener = Copies.of(
                        listener(List.of("h2"), tls, route(backend("told", ProxyProtocol.V2, server.address()))))
                .fingerprint(fingerprint)
                .build();
        GatewayConfig config = fixture.config(listener);
        return fixture.start(
                Copies.of(config).accessLog(AccessLogConfig.to(file())).build());
    }

    private void echo(Socket socket) throws IOException {
        InputStream input = socket.getInputStream();
        headers.add(ProxyHeader.read(input));
        input.transferTo(socket.getOutputStream());
    }

    private static void ask(SSLSocket connected) throws IOException {
        try (SSLSocket client = connected) {
            client.getOutputStream().write("ping".getBytes(US_ASCII));
            assertThat(client.getInputStream().readNBytes(4)).isEqualTo("ping".getBytes(US_ASCII));
        }
    }

    private String fingerprint() throws InterruptedException {
        ProxyHeader header = headers.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(header).isNotNull();
        return header.tls().fingerprint();
    }

    private Path file() {
        return directory.resolve("access.log");
    }

    private List<Map<String, Object>> awaitLines(Gateway gateway, int count) throws IOException {
        Waiting.until(
                LIMIT,
                () -> gateway.accessLogCounters().written() >= count,
                () -> gateway.accessLogCounters().written() + " lines of " + count);
        return AccessLines.of(file());
    }
}
