package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.log.AccessLogConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.accesslog.AccessLines;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each line beside what the client itself has seen. */
class AccessLogOfClientsTest extends GatewayConformance {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final String GREETING = "hello from behind";
    private static final String LINE = "hello\n";
    private static final Pattern NEW_OR_REUSED = Pattern.compile("(New|Reused), (TLSv[0-9.]+), Cipher is (\\S+)");
    private static final Pattern ALPN = Pattern.compile("ALPN protocol: (\\S+)");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private Gateway start() {
        return fixture.start(config());
    }

    private GatewayConfig config() {
        GatewayConfig config = fixture.config(route(backend(
                "greeter",
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.serving(AccessLogOfClientsTest::answer))
                        .address())));
        return Copies.of(config).accessLog(AccessLogConfig.to(file())).build();
    }

    /** Ends when it has heard a line, so that it is known how many bytes there were. */
    private static void answer(Socket socket) throws IOException {
        if (socket.getInputStream().readNBytes(LINE.length()).length == LINE.length()) {
            socket.getOutputStream().write(GREETING.getBytes(US_ASCII));
        }
        socket.shutdownOutput();
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private Path file() {
        return directory.resolve("access.log");
    }

    /**
     * Returns the lines in order of their times: each loop has a ring of its own, and the writer goes from one to the
     * next.
     */
    private List<Map<String, Object>> awaitLines(Gateway gateway, int count) throws IOException {
        Waiting.until(
                LIMIT,
                () -> gateway.accessLogCounters().written() >= count,
                () -> gateway.accessLogCounters().written() + " lines of " + count);
        List<Map<String, Object>> lines = new ArrayList<>(AccessLines.of(file()));
        lines.sort(Comparator.comparing(line -> (String) line.get("time")));
        return lines;
    }

    @ParameterizedTest
    @CsvSource({"-tls1_3, h2", "-tls1_2, http/1.1"})
    void whatTheClientPrintsIsWhatTheLineSays(String version, String alpn) throws IOException {
        Gateway gateway = start();
        String session = directory.resolve("session.pem").toString();

        String full = openssl(gateway, version, "-alpn", alpn, "-sess_out", session);
        String resumed = openssl(gateway, version, "-alpn", alpn, "-sess_in", session);
        List<Map<String, Object>> lines = awaitLines(gateway, 2);

        assertSame(full, lines.get(0), "full");
        assertSame(resumed, lines.get(1), "resumed");
        assertThat(full).contains("Peer signature type: ECDSA", "Peer signing digest: SHA256");
        assertThat(lines.get(0))
                .containsEntry("miss", "none_offered")
                .containsEntry("ticket", "none")
                .containsEntry("signature", "ecdsa_secp256r1_sha256");
        assertThat(lines.get(1)).containsEntry("ticket", "current").doesNotContainKeys("miss", "signature");
        for (Map<String, Object> line : lines) {
            assertThat(line)
                    .containsEntry("sni", "localhost")
                    .containsEntry("backend", "greeter")
                    .containsEntry("bytes_to_client", GREETING.length())
                    .containsEntry("bytes_from_client", LINE.length())
                    .containsEntry("end", "completed");
            assertThat((String) line.get("peer")).startsWith("127.0.0.1:");
            assertThat((String) line.get("listener"))
                    .isEqualTo("127.0.0.1:" + gateway.addresses().getFirst().getPort());
            assertThat((Integer) line.get("handshake_us")).isPositive();
            assertThat((Integer) line.get("duration_us"))
                    .isGreaterThanOrEqualTo((Integer) line.get("handshake_wall_us"));
        }
    }

    private static void assertSame(String printed, Map<String, Object> line, String kind) {
        Matcher session = NEW_OR_REUSED.matcher(printed);
        assertThat(session.find()).as(printed).isTrue();
        assertThat(session.group(1)).isEqualTo(kind.equals("full") ? "New" : "Reused");
        assertThat(line).containsEntry("handshake", kind).containsEntry("cipher", registered(session.group(3)));
        Matcher protocol = Pattern.compile("Protocol *: (\\S+)").matcher(printed);
        assertThat(line.get("version")).isEqualTo(protocol.find() ? protocol.group(1) : session.group(2));
        Matcher chosen = ALPN.matcher(printed);
        assertThat(chosen.find()).as(printed).isTrue();
        assertThat(line).containsEntry("alpn", chosen.group(1));
        Matcher key = Pattern.compile("Server Temp Key: (\\w+)").matcher(printed);
        if (key.find()) {
            assertThat(line).containsEntry("group", key.group(1));
        } else {
            assertThat(line).doesNotContainKey("group");
        }
    }

    /** OpenSSL has names of its own for suites of TLS 1.2. */
    private static String registered(String name) {
        String listed = ForeignProgram.required("openssl", "openssl")
                .command("ciphers", "-stdname", "ALL")
                .run()
                .output();
        Matcher pair = Pattern.compile("(?m)^(TLS_\\S+)\\s+-\\s+" + Pattern.quote(name) + "\\s")
                .matcher(listed);
        if (pair.find()) {
            return pair.group(1);
        }
        throw new AssertionError("a suite that openssl ciphers does not list: " + name);
    }

    private static String openssl(Gateway gateway, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "s_client",
                "-ign_eof",
                "-connect",
                "127.0.0.1:" + gateway.addresses().getFirst().getPort(),
                "-servername",
                "localhost",
                "-CAfile",
                TestCertificates.shared().rootFile().toString()));
        all.addAll(List.of(more));
        ForeignResult result = ForeignProgram.required("openssl", "openssl")
                .command(all.toArray(String[]::new))
                .input(LINE)
                .run();
        return result.output() + result.errors();
    }

    @Test
    void handshakesThatFailHaveALine() throws IOException {
        Gateway gateway = start();
        InetSocketAddress address = gateway.addresses().getFirst();

        openssl(gateway, "-tls1_3", "-ciphersuites", "TLS_AES_128_CCM_SHA256");
        List<Map<String, Object>> refused = awaitLines(gateway, 1);
        TlsClient.plainSocket(address).close();
        List<Map<String, Object>> gone = awaitLines(gateway, 2);
        try (Socket plain = TlsClient.plainSocket(address)) {
            plain.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
            List<Map<String, Object>> http = awaitLines(gateway, 3);

            assertThat(http.get(2))
                    .containsEntry("end", "handshake_http_request")
                    .doesNotContainKey("sni");
        }

        assertThat(refused.getFirst())
                .containsEntry("sni", "localhost")
                .containsEntry("end", "handshake_no_shared_cipher")
                .containsEntry("bytes_to_client", 0)
                .doesNotContainKeys("handshake", "version", "cipher", "backend");
        assertThat(gone.get(1)).containsEntry("end", "handshake_closed_before_handshake");
    }

    @Test
    void refusedConnectionsHaveALine() throws IOException {
        GatewayConfig config = config();
        Gateway gateway = fixture.start(
                Copies.of(config).limits(config.limits().withConnections(1)).build());
        try (SSLSocket first = TlsClient.plain().connect(gateway.addresses().getFirst());
                Socket second = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            Map<String, Object> line = awaitLines(gateway, 1).getFirst();

            assertThat(line)
                    .containsEntry("end", "connection_limit")
                    .containsEntry("peer", "127.0.0.1:" + second.getLocalPort())
                    .containsEntry("bytes_from_client", 0);
            assertThat(first.isConnected()).isTrue();
        }
    }

    /** Each connection is told by its port; those that are open when the drain begins are there, too. */
    @Test
    void nothingIsLostAtTheEnd() throws Exception {
        int waves = 10;
        int wave = 200;
        Set<String> peers = new HashSet<>();
        Gateway gateway = start();
        InetSocketAddress address = gateway.addresses().getFirst();
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < waves; i++) {
            for (int j = 0; j < wave; j++) {
                Socket socket = TlsClient.plainSocket(address);
                peers.add("127.0.0.1:" + socket.getLocalPort());
                open.add(socket);
            }
            if (i < waves - 1) {
                for (Socket socket : open) {
                    socket.close();
                }
                open.clear();
            }
        }
        int accepted = waves * wave;
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTIONS_ACCEPTED) == accepted,
                () -> gateway.metrics().count(Metric.CONNECTIONS_ACCEPTED) + " accepted");
        gateway.drain(Duration.ofMillis(100));
        gateway.close();
        for (Socket socket : open) {
            socket.close();
        }

        List<Map<String, Object>> lines = AccessLines.of(file());
        assertThat(gateway.accessLogCounters().dropped()).isZero();
        assertThat(lines).hasSize(accepted);
        Set<Object> logged = new HashSet<>();
        lines.forEach(line -> logged.add(line.get("peer")));
        assertThat(logged).isEqualTo(peers);
        assertThat(lines.stream().filter(line -> "drain_timeout".equals(line.get("end"))))
                .hasSize(wave);
    }

    @Test
    void aReloadTurnsItOffAndOnAndElsewhere() throws IOException {
        GatewayConfig config = config();
        Gateway gateway = fixture.start(Copies.of(config).accessLog(null).build());
        Path other = directory.resolve("other.log");

        openssl(gateway, "-tls1_3");
        assertThat(gateway.reload(config)).isEmpty();
        openssl(gateway, "-tls1_3");
        awaitLines(gateway, 1);
        assertThat(gateway.reload(
                        Copies.of(config).accessLog(AccessLogConfig.to(other)).build()))
                .isEmpty();
        openssl(gateway, "-tls1_2");
        awaitLines(gateway, 2);
        assertThat(gateway.reload(Copies.of(config).accessLog(null).build())).isEmpty();
        openssl(gateway, "-tls1_3");
        gateway.reload(config);
        openssl(gateway, "-tls1_2");
        awaitLines(gateway, 3);

        assertThat(AccessLines.of(file()))
                .hasSize(2)
                .extracting(line -> line.get("version"))
                .containsExactly("TLSv1.3", "TLSv1.2");
        assertThat(AccessLines.of(other)).hasSize(1);
    }

    @Test
    void aNewFileWhenTheOldOneWasMovedAway() throws IOException {
        Gateway gateway = start();
        openssl(gateway, "-tls1_3");
        awaitLines(gateway, 1);
        Path moved = Files.move(file(), directory.resolve("access.log.old"));
        gateway.reopenAccessLog();
        Waiting.until(LIMIT, () -> Files.exists(file()), () -> "no new file");
        openssl(gateway, "-tls1_2");
        awaitLines(gateway, 2);

        assertThat(AccessLines.of(moved)).hasSize(1);
        assertThat(AccessLines.of(file())).hasSize(1);
    }
}
