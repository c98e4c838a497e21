package dev.sluice.gateway.collect;

import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.certificate;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayConformance;
import dev.sluice.gateway.GatewayFixture;
import dev.sluice.gateway.TestBackend;
import dev.sluice.gateway.TlsClient;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.metrics.MetricText;
import dev.sluice.gateway.metrics.MetricType;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a gateway's metrics match what its clients have done. */
class GatewayMetricsTest extends GatewayConformance {
    private static final int BYTES = 40_000;

    @Test
    void figuresAreWhatClientsDid() throws Exception {
        TestBackend backend = fixture.closing(TestBackend.echoing());
        Gateway gateway = fixture.before(backend);
        InetSocketAddress address = gateway.addresses().getFirst();

        echo(TlsClient.plain().speaking("TLSv1.2").suites("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"), address);
        echo(TlsClient.plain().suites("TLS_CHACHA20_POLY1305_SHA256"), address);
        TlsClient comesBack = TlsClient.plain().suites("TLS_AES_128_GCM_SHA256");
        for (int i = 0; i < 4; i++) {
            echo(comesBack, address);
        }
        nonsense(address);
        awaitEnds(gateway, "completed", 6);
        awaitEnds(gateway, "handshake_not_tls", 1);
        MetricSnapshot snapshot = gateway.metrics();

        assertThat(value(snapshot, Metric.CONNECTIONS)).isZero();
        assertThat(value(snapshot, Metric.CONNECTIONS_ACCEPTED)).isEqualTo(7);
        assertThat(value(snapshot, Metric.CONNECTION_ENDS, "reason", "completed"))
                .isEqualTo(6);
        assertThat(value(snapshot, Metric.CONNECTION_BYTES, "direction", "to_backend"))
                .isEqualTo(6.0 * BYTES);
        assertThat(value(snapshot, Metric.CONNECTION_BYTES, "direction", "to_client"))
                .isEqualTo(6.0 * BYTES);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES)).isEqualTo(6);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES, "kind", "full")).isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES, "kind", "resumed", "version", "TLSv1.3"))
                .isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES, "version", "TLSv1.2", "kind", "full"))
                .isEqualTo(1);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES, "cipher", "TLS_CHACHA20_POLY1305_SHA256"))
                .isEqualTo(1);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES, "kind", "full", "signature", "ecdsa_secp256r1_sha256"))
                .isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES, "kind", "resumed", "signature", ""))
                .isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_CLIENT_PREFERENCE, "cipher", "aes"))
                .isEqualTo(5);
        assertThat(value(snapshot, Metric.TLS_CLIENT_PREFERENCE, "cipher", "chacha20"))
                .isEqualTo(1);
        assertThat(value(snapshot, Metric.TLS_CLIENT_PREFERENCE, "cipher", "unknown"))
                .isEqualTo(1);
        assertThat(value(snapshot, Metric.TLS_SERVER_NAMES, "server_name", "localhost", "kind", "resumed"))
                .isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_RESUMPTION_MISSES, "reason", "none_offered"))
                .isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKE_FAILURES, "reason", "not_tls", "fault", "peer"))
                .isEqualTo(1);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKE_DURATION, "kind", "full"))
                .isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKE_DURATION, "kind", "resumed"))
                .isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_TICKETS, "result", "current")).isEqualTo(3);
        assertThat(value(snapshot, Metric.TLS_TICKETS_ISSUED)).isPositive();
        assertThat(value(snapshot, Metric.TLS_ENGINE, "engine", "direct")).isEqualTo(6);
        assertThat(value(snapshot, Metric.ADMISSION_HANDSHAKES, "result", "admitted"))
                .isEqualTo(7);
        String server = ServerConfig.text(backend.address());
        assertThat(value(snapshot, Metric.BACKEND_CONNECTS, "backend", "backend", "server", server))
                .isEqualTo(6);
        assertThat(value(snapshot, Metric.BACKEND_UP, "backend", "backend", "server", server))
                .isEqualTo(1);
    }

    /** Checks that labels show the parameters on which {@code openssl s_client} insists. */
    @Test
    void labelsOfHandshakes(@TempDir Path directory) {
        Gateway gateway = fixture.start(fixture.config(listener(
                List.of(certificate(
                        "both",
                        "localhost",
                        TestCertificates.shared().server(),
                        TestCertificates.shared().serverRsa())),
                List.of(),
                TlsOptions.DEFAULT,
                route(backend(
                        "greeter",
                        ProxyProtocol.NONE,
                        fixture.closing(TestBackend.saying("hello")).address())))));
        String session = directory.resolve("session.pem").toString();

        openssl(gateway, "-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256", "-groups", "P-256");
        openssl(gateway, "-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256", "-sess_out", session);
        openssl(gateway, "-tls1_3", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256", "-sess_in", session);
        openssl(gateway, "-tls1_3", "-sigalgs", "rsa_pss_rsae_sha256", "-groups", "P-384");
        awaitEnds(gateway, "completed", 4);
        MetricSnapshot snapshot = gateway.metrics();

        assertThat(snapshot.samples(Metric.TLS_HANDSHAKES))
                .allMatch(sample -> sample.value() == 1)
                .extracting(sample -> String.join(" ", sample.labelValues()))
                .satisfiesExactlyInAnyOrder(
                        labels -> assertThat(labels)
                                .isEqualTo(
                                        "full TLSv1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 P-256 rsa_pss_rsae_sha256"),
                        labels -> assertThat(labels)
                                .startsWith("full TLSv1.3 TLS_CHACHA20_POLY1305_SHA256 X25519")
                                .endsWith(" ecdsa_secp256r1_sha256"),
                        labels -> assertThat(labels).startsWith("resumed TLSv1.3 TLS_CHACHA20_POLY1305_SHA256 "),
                        labels -> assertThat(labels)
                                .isEqualTo("full TLSv1.3 TLS_AES_128_GCM_SHA256 P-384 rsa_pss_rsae_sha256"));
        assertThat(value(snapshot, Metric.TLS_CLIENT_PREFERENCE, "cipher", "chacha20"))
                .isEqualTo(2);
    }

    private static void openssl(Gateway gateway, String... arguments) {
        List<String> all = new ArrayList<>(List.of(
                "s_client",
                "-ign_eof",
                "-connect",
                "127.0.0.1:" + gateway.addresses().getFirst().getPort(),
                "-servername",
                "localhost",
                "-CAfile",
                TestCertificates.shared().rootFile().toString()));
        all.addAll(List.of(arguments));
        ForeignResult result = ForeignProgram.required("openssl", "openssl")
                .command(all.toArray(String[]::new))
                .input("hello\n")
                .run();
        assertThat(result.output()).as(result.errors()).contains("hello");
    }

    @Test
    void processorTimeGoesWhereItWasSpent() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        InetSocketAddress address = gateway.addresses().getFirst();
        TlsClient client = TlsClient.plain();
        echo(client, address);
        MetricSnapshot first = gateway.metrics();
        assertThat(value(first, Metric.TLS_CRYPTO_CPU, "phase", "asymmetric")).isPositive();

        echo(client, address);
        try (SSLSocket bulk = client.connect(address)) {
            for (int i = 0; i < 200; i++) {
                echo(bulk);
            }
        }
        nonsense(address);
        awaitEnds(gateway, "completed", 3);
        awaitEnds(gateway, "handshake_not_tls", 1);
        MetricSnapshot snapshot = gateway.metrics();

        assertThat(value(snapshot, Metric.TLS_CRYPTO_CPU, "phase", "derive")).isPositive();
        assertThat(value(snapshot, Metric.TLS_CRYPTO_CPU, "phase", "seal")).isPositive();
        assertThat(value(snapshot, Metric.TLS_CRYPTO_CPU, "phase", "open")).isPositive();
        assertThat(value(snapshot, Metric.TLS_CRYPTO_CPU, "phase", "other")).isPositive();
        assertThat(value(snapshot, Metric.TLS_CRYPTO_CPU)).isLessThan(value(snapshot, Metric.LOOP_CPU));
        assertThat(value(snapshot, Metric.LOOP_CPU)).isLessThan(value(snapshot, Metric.PROCESS_CPU));
    }

    /** Counters never go back while clients come and go, and in the end nothing is missing. */
    @Test
    void scrapesUnderLoadLoseNothing() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        InetSocketAddress address = gateway.addresses().getFirst();
        int threads = 4;
        int perThread = 40;
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService clients = Executors.newFixedThreadPool(threads + 1)) {
            Future<Integer> scrapes = clients.submit(() -> scrape(gateway, over));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(clients.submit(() -> {
                    TlsClient client = TlsClient.plain();
                    for (int n = 0; n < perThread; n++) {
                        echo(client, address);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            over.set(true);
            assertThat(scrapes.get()).isPositive();
        }
        int expected = threads * perThread;
        awaitEnds(gateway, "completed", expected);
        MetricSnapshot snapshot = gateway.metrics();

        assertThat(value(snapshot, Metric.CONNECTIONS_ACCEPTED)).isEqualTo(expected);
        assertThat(value(snapshot, Metric.CONNECTION_ENDS)).isEqualTo(expected);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKES)).isEqualTo(expected);
        assertThat(value(snapshot, Metric.TLS_HANDSHAKE_DURATION)).isEqualTo(expected);
        assertThat(value(snapshot, Metric.BACKEND_CONNECTS)).isEqualTo(expected);
        assertThat(value(snapshot, Metric.CONNECTION_BYTES)).isEqualTo(2.0 * expected * BYTES);
        assertThat(value(snapshot, Metric.TLS_ENGINE)).isEqualTo(expected);
    }

    private static int scrape(Gateway gateway, AtomicBoolean over) {
        MetricSnapshot before = gateway.metrics();
        int scrapes = 0;
        while (!over.get()) {
            MetricSnapshot now = gateway.metrics();
            requireNoneWentBack(before, now);
            before = now;
            scrapes++;
        }
        return scrapes;
    }

    private static void requireNoneWentBack(MetricSnapshot before, MetricSnapshot now) {
        for (Metric metric : Metric.values()) {
            if (metric.type() == MetricType.COUNTER || metric.type() == MetricType.HISTOGRAM) {
                for (MetricSample sample : before.samples(metric)) {
                    double then = sample.value();
                    assertThat(now.samples(metric).stream()
                                    .filter(later -> later.labelValues().equals(sample.labelValues()))
                                    .mapToDouble(MetricSample::value)
                                    .sum())
                            .as("%s %s", metric.id(), sample.labelValues())
                            .isGreaterThanOrEqualTo(then);
                }
            }
        }
    }

    @Test
    void thePageIsWhatPrometheusReads() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        echo(TlsClient.plain(), gateway.addresses().getFirst());
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        MetricText.write(gateway.metrics(), null, text);

        ForeignResult checked = ForeignProgram.required("promtool", "prometheus")
                .command("check", "metrics")
                .input(text.toByteArray())
                .run();
        assertThat(checked.output() + checked.errors()).isEmpty();
    }

    @Test
    void whatIsThereBeforeAnyClientCame() {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        MetricSnapshot snapshot = gateway.metrics();

        assertThat(value(snapshot, Metric.PROCESS_RESIDENT)).isGreaterThan(1e6);
        assertThat(value(snapshot, Metric.PROCESS_OPEN_FDS)).isGreaterThan(10);
        assertThat(value(snapshot, Metric.PROCESS_MAX_FDS)).isGreaterThan(value(snapshot, Metric.PROCESS_OPEN_FDS));
        assertThat(value(snapshot, Metric.PROCESS_START)).isLessThan(System.currentTimeMillis() / 1e3);
        assertThat(value(snapshot, Metric.JVM_MEMORY_USED, "area", "heap")).isPositive();
        assertThat(value(snapshot, Metric.JVM_THREADS)).isPositive();
        assertThat(snapshot.samples(Metric.JVM_GC_COLLECTIONS)).isNotEmpty();
        assertThat(value(snapshot, Metric.MEMORY_BYTES)).isPositive();
        assertThat(value(snapshot, Metric.MEMORY_HANDLES, "owner", "loop-0 counters"))
                .isEqualTo(1);
        assertThat(value(snapshot, Metric.TLS_TICKET_KEYS, "state", "current")).isEqualTo(1);
        assertThat(snapshot.samples(Metric.TLS_CERTIFICATE_NOT_AFTER)).hasSize(1);
        assertThat(snapshot.samples(Metric.TRANSPORT).getFirst().labelValues())
                .contains(gateway.transport().startsWith("epoll") ? "epoll" : "io_uring");
        assertThat(snapshot.samples(Metric.OPENSSL).getFirst().labelValues().getFirst())
                .matches("OpenSSL [34]\\..*");
        assertThat(value(snapshot, Metric.CONFIG_RELOAD_SUCCESSFUL)).isEqualTo(1);
        assertThat(value(snapshot, Metric.DRAINING)).isZero();
        assertThat(snapshot.samples(Metric.LOOP_TURNS)).hasSize(2);
        assertThat(value(snapshot, Metric.LOOP_BUSY_RATIO)).isBetween(0.0, 2.0);
    }

    @Test
    void reloadsAndTheEnd() throws Exception {
        Gateway gateway = fixture.before(fixture.closing(TestBackend.echoing()));
        double started = value(gateway.metrics(), Metric.CONFIG_RELOAD_TIMESTAMP);
        gateway.reloadRefused();
        MetricSnapshot refused = gateway.metrics();
        assertThat(value(refused, Metric.CONFIG_RELOADS, "result", "refused")).isEqualTo(1);
        assertThat(value(refused, Metric.CONFIG_RELOAD_SUCCESSFUL)).isZero();
        assertThat(value(refused, Metric.CONFIG_RELOAD_TIMESTAMP)).isEqualTo(started);

        gateway.reload(gateway.config());
        MetricSnapshot served = gateway.metrics();
        assertThat(value(served, Metric.CONFIG_RELOADS, "result", "served")).isEqualTo(1);
        assertThat(value(served, Metric.CONFIG_RELOAD_SUCCESSFUL)).isEqualTo(1);

        echo(TlsClient.plain(), gateway.addresses().getFirst());
        awaitEnds(gateway, "completed", 1);
        gateway.drain(GatewayFixture.LIMIT);
        assertThat(value(gateway.metrics(), Metric.DRAINING)).isEqualTo(1);
        gateway.close();
        MetricSnapshot closed = gateway.metrics();
        assertThat(value(closed, Metric.TLS_HANDSHAKES)).isEqualTo(1);
        assertThat(value(closed, Metric.TLS_CRYPTO_CPU)).isPositive();
    }

    private static double value(MetricSnapshot snapshot, Metric metric, String... labels) {
        return snapshot.sum(metric, labels);
    }

    private static void echo(TlsClient client, InetSocketAddress address) throws IOException {
        try (SSLSocket socket = client.connect(address)) {
            echo(socket);
        }
    }

    private static void echo(SSLSocket socket) throws IOException {
        socket.getOutputStream().write(new byte[BYTES]);
        assertThat(socket.getInputStream().readNBytes(BYTES)).hasSize(BYTES);
    }

    /** Somebody who does not speak TLS. */
    private static void nonsense(InetSocketAddress address) throws IOException {
        try (Socket socket = TlsClient.plainSocket(address)) {
            socket.getOutputStream().write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
            Waiting.until(GatewayFixture.LIMIT, () -> isOver(socket), () -> "not closed by the gateway");
        }
    }

    private static boolean isOver(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException reset) {
            return true;
        }
    }
}
