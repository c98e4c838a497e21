package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.RouteTls;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.RunningProgram;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.HandshakePath;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes that pass TLS through to servers that answer it, beside routes that terminate it. */
class PassthroughTest extends GatewayConformance {
    private static final Credential TERMINATED = credential("terminated");
    private static final Credential PASSED = credential("passed");
    private static final String ACME = "acme-tls/1";

    private final BlockingQueue<ProxyHeader> told = new LinkedBlockingQueue<>();

    /** HAProxy terminates behind the gateway, and tells what it hears in header and handshake. */
    @ParameterizedTest
    @ValueSource(strings = {"1.2", "1.3"})
    void haproxyAnswersTheHandshakeOfCurl(String version, @TempDir Path directory) throws Exception {
        int port = FreePort.onLoopback();
        try (RunningProgram haproxy = haproxy(port, directory)) {
            Waiting.until(GatewayFixture.LIMIT, () -> accepts(port) || !haproxy.isRunning(), haproxy::toString);
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            Gateway gateway = start(passing("localhost", "", backend("haproxy", ProxyProtocol.V2, address)));
            ForeignResult result = ForeignProgram.required("curl", "curl")
                    .command(
                            "-sS",
                            "--ipv4",
                            "--tlsv" + version,
                            "--tls-max",
                            version,
                            "--cacert",
                            TestCertificates.shared().rootFile().toString(),
                            "https://localhost:" + port(gateway) + "/")
                    .run();
            assertThat(result.expectSuccess().output())
                    .isEqualTo("src=127.0.0.1 sni=localhost authority=localhost version=TLSv" + version);
            assertThat(gateway.metrics().count(Metric.PASSTHROUGH_CONNECTIONS)).isEqualTo(1);
            assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(HandshakePath.class)
    void terminatesOtherNamesOnTheSamePort(HandshakePath path) throws Exception {
        Gateway gateway = start(path, passing("*.passed.example", "", jdk(new String[0])), RouteConfig.toAll(echo()));
        for (String name : List.of("a.passed.example", "other.example", "A.PASSED.example", "passed.example")) {
            try (SSLSocket client = TlsClient.plain().asking(name).connect(address(gateway))) {
                boolean passed = name.toLowerCase(java.util.Locale.ROOT).endsWith(".passed.example");
                assertAnsweredBy(client, passed ? PASSED : TERMINATED);
                assertEchoes(client);
            }
        }
        awaitEnds(gateway, "completed", 4);
        assertThat(gateway.metrics().count(Metric.PASSTHROUGH_CONNECTIONS)).isEqualTo(2);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES)).isEqualTo(2);
    }

    /** As for a client that answers ACME's challenge by ALPN, RFC 8737, beside the gateway. */
    @Test
    void routesByAnOfferedProtocol() throws Exception {
        Gateway gateway = start(passing("", ACME, jdk(new String[] {ACME})), RouteConfig.toAll(echo()));
        try (SSLSocket client = TlsClient.plain().offering(ACME).connect(address(gateway))) {
            assertAnsweredBy(client, PASSED);
            assertThat(client.getApplicationProtocol()).isEqualTo(ACME);
        }
        try (SSLSocket client = TlsClient.plain().offering("h2").connect(address(gateway))) {
            assertAnsweredBy(client, TERMINATED);
            assertThat(client.getApplicationProtocol()).isEqualTo("h2");
        }
    }

    /** The first route that matches decides, whether it terminates or not. */
    @ParameterizedTest
    @CsvSource({"h2, true", "http/1.1, false"})
    void aRouteAboveThatTerminatesGoesFirst(String offered, boolean terminated) throws Exception {
        Gateway gateway = start(
                new RouteConfig(ServerNamePattern.ANY, "h2", echo()),
                passing("localhost", "", jdk(new String[] {"http/1.1"})));
        try (SSLSocket client = TlsClient.plain().offering(offered).connect(address(gateway))) {
            assertAnsweredBy(client, terminated ? TERMINATED : PASSED);
        }
    }

    /** Segments of some bytes, records of some bytes: JDK and libssl put the ClientHello together, and so does this. */
    @ParameterizedTest
    @CsvSource({"1, 0", "7, 0", "100000, 1", "100000, 20", "3, 50", "64, 64"})
    void readsAClientHelloInPieces(int segment, int record) throws Exception {
        Gateway gateway = start(passing("localhost", "", jdk(new String[0])), RouteConfig.toAll(echo()));
        for (String name : List.of("localhost", "other.example")) {
            Socket raw = new HelloInPieces(segment, record);
            raw.setTcpNoDelay(true);
            raw.setSoTimeout((int) GatewayFixture.LIMIT.toMillis());
            raw.connect(address(gateway));
            try (SSLSocket client = TlsClient.plain().asking(name).over(raw)) {
                assertAnsweredBy(client, name.equals("localhost") ? PASSED : TERMINATED);
                assertEchoes(client);
            }
        }
    }

    /** The header names the server, and the protocol if there can be no other; the bytes follow as they came. */
    @ParameterizedTest
    @CsvSource({"h2, h2", "'h2,http/1.1', ''", "'', ''"})
    void namesServerAndProtocolToTheBackend(String offered, String alpn) throws Exception {
        TestBackend server = fixture.closing(TestBackend.serving(socket -> {
            told.add(ProxyHeader.read(socket.getInputStream()));
            assertThat(socket.getInputStream().read()).isEqualTo(22);
        }));
        Gateway gateway = start(passing("", "", backend("raw", ProxyProtocol.V2, server.address())));
        TlsClient client =
                offered.isEmpty() ? TlsClient.plain() : TlsClient.plain().offering(offered.split(","));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> client.asking("a.example").connect(address(gateway))))
                .isInstanceOf(IOException.class);

        ProxyHeader header =
                Objects.requireNonNull(told.poll(GatewayFixture.LIMIT.toSeconds(), TimeUnit.SECONDS), "no header came");
        assertThat(header.tls().serverName()).isEqualTo("a.example");
        assertThat(header.tls().alpn()).isEqualTo(alpn);
        assertThat(header.tls().version()).isEmpty();
    }

    @Test
    void passesThroughBehindAProxy() throws Exception {
        ProxyHeader before = new ProxyHeader(
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 4711),
                new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 443),
                TlsFacts.NONE);
        ListenerConfig listener = Copies.of(listener(
                        HandshakePath.LIBSSL,
                        List.of(certificate()),
                        passing("localhost", "", jdk(new String[0])),
                        RouteConfig.toAll(echo())))
                .acceptPolicy(
                        new AcceptPolicy(List.of(AddressRange.parse("127.0.0.1")), 0, Duration.ZERO, false, false))
                .build();
        Gateway gateway = fixture.start(fixture.config(listener));
        for (String name : List.of("localhost", "other.example")) {
            Socket raw = TlsClient.plainSocket(address(gateway));
            raw.getOutputStream().write(before.toVersionTwo());
            try (SSLSocket client = TlsClient.plain().asking(name).over(raw)) {
                assertAnsweredBy(client, name.equals("localhost") ? PASSED : TERMINATED);
            }
        }
    }

    // --- listeners without certificates -----------------------------------------------------------------------------

    @Test
    void needsNoCertificateWhereNothingIsTerminated() throws Exception {
        Gateway gateway = fixture.start(fixture.config(
                listener(HandshakePath.LIBSSL, List.of(), passing("localhost", "", jdk(new String[0])))));
        try (SSLSocket client = TlsClient.plain().connect(address(gateway))) {
            assertAnsweredBy(client, PASSED);
        }
        ForeignResult other = ForeignProgram.required("openssl", "openssl")
                .command("s_client", "-connect", "127.0.0.1:" + port(gateway), "-servername", "other.example")
                .run();
        assertThat(other.errors()).contains("SSL alert number 112");
        awaitEnds(gateway, "no_route", 1);
        assertThat(exchange(gateway, "GET / HTTP/1.0\r\n\r\n".getBytes(US_ASCII)))
                .startsWith("HTTP/1.1 400 ".getBytes(US_ASCII));
        awaitEnds(gateway, "handshake_http_request", 1);
        exchange(gateway, new byte[20]);
        awaitEnds(gateway, "handshake_not_tls", 1);
    }

    // --- clients and servers that break -----------------------------------------------------------------------------

    @Test
    void leavesOtherBytesToTheTerminatingSide() throws Exception {
        Gateway gateway = start(passing("localhost", "", jdk(new String[0])), RouteConfig.toAll(echo()));
        assertThat(exchange(gateway, "GET / HTTP/1.0\r\n\r\n".getBytes(US_ASCII)))
                .startsWith("HTTP/1.1 400 ".getBytes(US_ASCII));
        exchange(gateway, new byte[20]);
        // A message of 16 MiB, and one of more than is read.
        byte[] large = new byte[20_000];
        System.arraycopy(new byte[] {22, 3, 1, 64, 0, 1, (byte) 0xff, (byte) 0xff, (byte) 0xff}, 0, large, 0, 9);
        exchange(gateway, large);
        exchange(gateway, Arrays.copyOf(large, 9));
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> gateway.metrics().count(Metric.TLS_HANDSHAKE_FAILURES) >= 4,
                () -> gateway.metrics()
                        .countBy(Metric.CONNECTION_ENDS, "reason")
                        .toString());
        assertThat(gateway.metrics().count(Metric.PASSTHROUGH_CONNECTIONS)).isZero();
    }

    @Test
    void endsAnUnfinishedClientHelloAfterTheHandshakeTimeout() throws Exception {
        Gateway gateway = fixture.start(Copies.of(fixture.config(listener(
                        HandshakePath.LIBSSL, List.of(certificate()), passing("localhost", "", jdk(new String[0])))))
                .limits(Copies.of(LimitsConfig.DEFAULT)
                        .handshakeTimeout(Duration.ofMillis(200))
                        .build())
                .build());
        exchange(gateway, new byte[] {22, 3, 1, 2, 0, 1});
        exchange(gateway, new byte[0]);
        awaitEnds(gateway, "handshake_timeout", 2);
    }

    @Test
    void endsTheClientOfAServerThatIsDown() throws Exception {
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.onLoopback());
        Gateway gateway = start(passing("", "", backend("down", ProxyProtocol.NONE, nobody)));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> TlsClient.plain().connect(address(gateway))))
                .isInstanceOf(IOException.class);
        awaitEnds(gateway, "backend_connection_refused", 1);
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private Gateway start(RouteConfig... routes) {
        return start(HandshakePath.LIBSSL, routes);
    }

    private Gateway start(HandshakePath path, RouteConfig... routes) {
        return fixture.start(fixture.config(listener(path, List.of(certificate()), routes)));
    }

    private static ListenerConfig listener(
            HandshakePath path, List<CertificateConfig> certificates, RouteConfig... routes) {
        TlsOptions tls = TlsOptions.DEFAULT.withHandshake(path);
        return GatewayFixture.listener(certificates, List.of("h2", "http/1.1"), tls, routes);
    }

    private static Credential credential(String name) {
        return TestCertificates.shared()
                .issue(CertificateRequest.named(name)
                        .forHosts("localhost", "*.passed.example", "passed.example", "other.example"));
    }

    private static CertificateConfig certificate() {
        return GatewayFixture.certificate("test", "localhost", TERMINATED);
    }

    private static RouteConfig passing(String name, String alpn, BackendConfig backend) {
        ServerNamePattern pattern = name.isEmpty() ? ServerNamePattern.ANY : new ServerNamePattern(name);
        return new RouteConfig(pattern, alpn, backend, RouteTls.PASSTHROUGH);
    }

    private BackendConfig echo() {
        return backend(
                "echo",
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.echoing()).address());
    }

    /** The JDK's TLS, which echoes. */
    private BackendConfig jdk(String[] alpn) {
        try {
            TestBackend server = fixture.closing(TlsBackend.serving(
                    PASSED,
                    false,
                    "TLSv1.3",
                    alpn,
                    socket -> socket.getInputStream().transferTo(socket.getOutputStream())));
            return backend("jdk", ProxyProtocol.NONE, server.address());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static RunningProgram haproxy(int port, Path directory) throws IOException {
        Path pem = Files.writeString(
                directory.resolve("both.pem"),
                Files.readString(PASSED.chainFile()) + Files.readString(PASSED.keyFile()));
        Path config = Files.writeString(directory.resolve("haproxy.cfg"), """
                defaults
                  timeout connect 5s
                  timeout client 20s
                  timeout server 20s
                listen test
                  mode http
                  bind 127.0.0.1:%d accept-proxy ssl crt %s
                  http-request return status 200 content-type text/plain lf-string \
                "src=%%[src] sni=%%[ssl_fc_sni] authority=%%[fc_pp_authority] version=%%[ssl_fc_protocol]"
                """.formatted(port, pem));
        return ForeignProgram.required("haproxy", "haproxy")
                .command("-db", "-f", config.toString())
                .start();
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static InetSocketAddress address(Gateway gateway) {
        return gateway.addresses().getFirst();
    }

    private static int port(Gateway gateway) {
        return address(gateway).getPort();
    }

    private static void assertAnsweredBy(SSLSocket client, Credential expected) throws IOException {
        assertThat(client.getSession().getPeerCertificates()[0]).isEqualTo(expected.certificate());
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        client.getOutputStream().write('x');
        assertThat(client.getInputStream().read()).isEqualTo('x');
    }

    /** Sends bytes, and returns all that comes until the end. */
    private static byte[] exchange(Gateway gateway, byte[] bytes) throws IOException {
        try (Socket client = TlsClient.plainSocket(address(gateway))) {
            client.getOutputStream().write(bytes);
            return client.getInputStream().readAllBytes();
        } catch (java.net.SocketTimeoutException open) {
            throw open;
        } catch (IOException reset) {
            return new byte[0];
        }
    }

    /** A socket that sends the first record, the ClientHello, as several records and in several segments. */
    private static final class HelloInPieces extends Socket {
        private static final int HEADER_BYTES = 5;

        private final int segment;
        private final int record;
        private @Nullable OutputStream output;

        HelloInPieces(int segment, int record) {
            this.segment = segment;
            this.record = record;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            OutputStream before = output;
            if (before != null) {
                return before;
            }
            OutputStream wire = super.getOutputStream();
            OutputStream made = new OutputStream() {
                private boolean sent;

                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int count) throws IOException {
                    byte[] all = Arrays.copyOfRange(bytes, from, from + count);
                    byte[] hello = sent || record == 0 ? all : inRecords(all);
                    int length = sent ? hello.length : segment;
                    sent = true;
                    for (int at = 0; at < hello.length; at += length) {
                        wire.write(hello, at, Math.min(length, hello.length - at));
                    }
                }
            };
            output = made;
            return made;
        }

        private byte[] inRecords(byte[] hello) {
            List<Byte> all = new ArrayList<>();
            for (int at = HEADER_BYTES; at < hello.length; at += record) {
                int length = Math.min(record, hello.length - at);
                for (byte each : new byte[] {hello[0], hello[1], hello[2], (byte) (length >> 8), (byte) length}) {
                    all.add(each);
                }
                for (int i = 0; i < length; i++) {
                    all.add(hello[at + i]);
                }
            }
            byte[] result = new byte[all.size()];
            for (int i = 0; i < result.length; i++) {
                result[i] = all.get(i);
            }
            return result;
        }
    }
}
