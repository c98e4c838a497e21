package dev.sluice.gateway.plainhttp;

import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.Copies;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayConformance;
import dev.sluice.gateway.GatewayFixture;
import dev.sluice.gateway.TestBackend;
import dev.sluice.gateway.TlsClient;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.tls.context.HandshakePath;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plain HTTP on a TLS port is answered by the https address, and other bytes are not. */
class PlainHttpTest extends GatewayConformance {
    private static final String END = "handshake_http_request";
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 4711);
    private static final InetSocketAddress SERVICE = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 443);
    private static final ProxyHeader HEADER = new ProxyHeader(CLIENT, SERVICE, TlsFacts.NONE);

    @ParameterizedTest
    @EnumSource(HandshakePath.class)
    void answersCurlByTheHttpsAddress(HandshakePath path) throws Exception {
        Gateway gateway = gateway(path, List.of(), true);
        String host = "localhost:" + port(gateway);

        ForeignResult result = ForeignProgram.required("curl", "curl")
                .command("-sS", "-i", "--ipv4", "http://" + host + "/account?id=1")
                .run();

        assertThat(result.expectSuccess().output())
                .startsWith("HTTP/1.1 400 Bad Request\r\n")
                .contains("Connection: close\r\n")
                .endsWith("\r\n\r\nThis port speaks TLS; use https://" + host + "/\n");
        awaitEnds(gateway, END, 1);
        assertServes(gateway);
    }

    /** The JDK's client reads the response to each method, which ends before the connection does. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
    void answersEachMethod(String method) throws Exception {
        Gateway gateway = gateway();
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port(gateway) + "/").toURL().openConnection();
        connection.setRequestMethod(method);

        assertThat(connection.getResponseCode()).isEqualTo(400);
        if (!method.equals("HEAD")) {
            assertThat(new String(connection.getErrorStream().readAllBytes(), ISO_8859_1))
                    .isEqualTo(text("127.0.0.1:" + port(gateway)));
        }
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES)).isZero();
        awaitEnds(gateway, END, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1_000})
    void answersARequestInPieces(int bytes) throws Exception {
        Gateway gateway = gateway();
        String request = "OPTIONS * HTTP/1.1\r\nUser-Agent: x\r\nhOST:  shop.example:8443 \r\n\r\n";
        assertThat(exchange(gateway, request, bytes)).endsWith(text("shop.example:8443"));
    }

    /** A Host that is no host, several, or none: the response repeats nothing of it, and names the listener. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.0\r\n\r\n",
                "GET /\n\n",
                "GET / HTTP/1.1\r\nHost: \r\n\r\n",
                "GET / HTTP/1.1\r\nHost: <script>alert(1)</script>\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\rSet-Cookie: x=1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: b\u00e4r.example\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: user@a.example\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a.example/path\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n",
                "GET Host:a.example\r\n\r\n"
            })
    void namesTheListenerWithoutAValidHost(String request) throws Exception {
        Gateway gateway = gateway();
        assertThat(exchange(gateway, request, 1_000))
                .endsWith(text("127.0.0.1:" + port(gateway)))
                .doesNotContain("Cookie", "script", "example");
        awaitEnds(gateway, END, 1);
        assertThat(fixture.lines()).noneMatch(line -> line.contains("example") || line.contains("script"));
    }

    @Test
    void namesHostsByAddress() throws Exception {
        Gateway gateway = gateway();
        assertThat(exchange(gateway, "GET / HTTP/1.1\nHost: [2001:db8::1]:81\n\n", 1_000))
                .endsWith(text("[2001:db8::1]:81"));
        assertThat(exchange(gateway, "GET / HTTP/1.1\nHost: 192.0.2.1\n\n", 1_000))
                .endsWith(text("192.0.2.1"));
    }

    /** Of a head without end, so much is read and no more; the response has the length of any other. */
    @Test
    void answersAnEndlessHead() throws Exception {
        Gateway gateway = gateway();
        String long1 = "GET / HTTP/1.1\r\nX: " + "x".repeat(30_000);
        assertThat(exchange(gateway, long1, 30_000)).endsWith(text("127.0.0.1:" + port(gateway)));
        assertThat(exchange(gateway, "GET / HTTP/1.1\r\nHost: a.example\r\nX: " + "x".repeat(30_000), 1_000))
                .endsWith(text("a.example"));
        String longHost = "GET / HTTP/1.1\r\nHost: " + "a".repeat(300) + "\r\n\r\n";
        assertThat(exchange(gateway, longHost, 1_000)).endsWith(text("127.0.0.1:" + port(gateway)));
        awaitEnds(gateway, END, 3);
    }

    /** The peer of {@code printf 'GET /' | nc}: it has ended, and still reads. */
    @Test
    void answersAClientThatHasEnded() throws Exception {
        Gateway gateway = gateway();
        try (Socket client = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            client.getOutputStream().write("GET /".getBytes(ISO_8859_1));
            client.shutdownOutput();
            assertThat(rest(client)).startsWith("HTTP/1.1 400 ");
        }
        try (Socket client = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            client.getOutputStream().write("GE".getBytes(ISO_8859_1));
            client.shutdownOutput();
            assertThat(rest(client)).isEmpty();
        }
        awaitEnds(gateway, END, 1);
        awaitEnds(gateway, "handshake_truncated", 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GETS / HTTP/1.1\r\n\r\n", "get / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"})
    void answersNothingThatIsNotClearlyHttp(String bytes) throws Exception {
        for (int piece : new int[] {1, 1_000}) {
            Gateway gateway = gateway();
            assertThat(exchange(gateway, bytes, piece)).doesNotContain("HTTP/1.1");
            awaitEnds(gateway, "handshake_not_tls", 1);
        }
    }

    @Test
    void leavesPlainHttpUnansweredWhenOff() throws Exception {
        Gateway gateway = gateway(HandshakePath.LIBSSL, List.of(), false);
        assertThat(exchange(gateway, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 1_000))
                .doesNotContain("HTTP/1.1");
        awaitEnds(gateway, END, 1);
    }

    @Test
    void endsAnUnfinishedRequestAfterTheHandshakeTimeout() throws Exception {
        GatewayConfig config = config(HandshakePath.LIBSSL, List.of(), true);
        Gateway gateway = fixture.start(Copies.of(config)
                .limits(Copies.of(LimitsConfig.DEFAULT)
                        .handshakeTimeout(Duration.ofMillis(200))
                        .build())
                .build());
        assertThat(exchange(gateway, "GET / HTTP/1.1\r\n", 1_000)).isEmpty();
        awaitEnds(gateway, "handshake_timeout", 1);
    }

    @Test
    void limitsAnswersByTheRateOfTheAddress() throws Exception {
        GatewayConfig config = config(HandshakePath.LIBSSL, List.of(), true);
        LimitsConfig limits = LimitsConfig.DEFAULT;
        Gateway gateway = fixture.start(Copies.of(config)
                .limits(Copies.of(limits)
                        .handshakes(Copies.of(limits.handshakes())
                                .perAddressPerSecond(1)
                                .build())
                        .build())
                .build());
        for (int i = 0; gateway.metrics().count(Metric.CONNECTION_ENDS, "reason", "handshake_address_rate") == 0; i++) {
            assertThat(i).isLessThan(1_000);
            exchange(gateway, "GET / HTTP/1.1\r\n\r\n", 1_000);
        }
    }

    // --- with the PROXY protocol ------------------------------------------------------------------------------------

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void answersBehindAProxy(int version) throws Exception {
        Gateway gateway = gateway(HandshakePath.LIBSSL, List.of(AddressRange.parse("127.0.0.1")), true);
        byte[] header = version == 1 ? HEADER.toVersionOne() : HEADER.toVersionTwo();
        for (int piece : new int[] {5, 1_000}) {
            String request = new String(header, ISO_8859_1) + "GET / HTTP/1.1\r\n\r\n";
            assertThat(exchange(gateway, request, piece)).endsWith(text("198.51.100.1"));
        }
        awaitEnds(gateway, END, 2);
        assertThat(fixture.lines()).anyMatch(line -> line.contains("client 192.0.2.7:4711"));
    }

    /** A POST begins with the byte that a PROXY header begins with. */
    @Test
    void answersBesideAProxy() throws Exception {
        Gateway gateway = gateway(HandshakePath.LIBSSL, List.of(AddressRange.parse("203.0.113.0/24")), true);
        for (String method : List.of("GET", "POST", "PUT")) {
            assertThat(exchange(gateway, method + " / HTTP/1.1\r\nHost: a.example\r\n\r\n", 1_000))
                    .endsWith(text("a.example"));
        }
        assertThat(exchange(gateway, new String(HEADER.toVersionOne(), ISO_8859_1), 1_000))
                .isEmpty();
        awaitEnds(gateway, "proxy_header_untrusted", 1);
        awaitEnds(gateway, END, 3);
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private Gateway gateway() {
        return gateway(HandshakePath.LIBSSL, List.of(), true);
    }

    private Gateway gateway(HandshakePath path, List<AddressRange> proxies, boolean answers) {
        return fixture.start(config(path, proxies, answers));
    }

    private GatewayConfig config(HandshakePath path, List<AddressRange> proxies, boolean answers) {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        return fixture.config(Copies.of(GatewayFixture.listener(
                        List.of(),
                        TlsOptions.DEFAULT.withHandshake(path),
                        GatewayFixture.route(GatewayFixture.backend("echo", ProxyProtocol.NONE, echo.address()))))
                .acceptPolicy(new AcceptPolicy(proxies, 0, Duration.ZERO, false, false, answers))
                .build());
    }

    private static int port(Gateway gateway) {
        return gateway.addresses().getFirst().getPort();
    }

    private static String text(String host) {
        return "This port speaks TLS; use https://" + host + "/\n";
    }

    /** Sends bytes in pieces, each in a segment of its own, and returns all that comes until the end. */
    private static String exchange(Gateway gateway, String bytes, int piece) throws IOException {
        try (Socket client = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            client.setTcpNoDelay(true);
            byte[] all = bytes.getBytes(ISO_8859_1);
            try {
                for (int at = 0; at < all.length; at += piece) {
                    client.getOutputStream().write(all, at, Math.min(piece, all.length - at));
                }
            } catch (IOException ended) {
                assertThat(ended).isNotNull(); // it need not read all of it
            }
            return rest(client);
        }
    }

    private static String rest(Socket client) throws IOException {
        StringBuilder all = new StringBuilder();
        try {
            for (int next = client.getInputStream().read();
                    next >= 0;
                    next = client.getInputStream().read()) {
                all.append((char) next);
            }
        } catch (java.net.SocketTimeoutException open) {
            throw open;
        } catch (IOException reset) {
            assertThat(reset).isNotNull();
        }
        return all.toString();
    }

    private static void assertServes(Gateway gateway) throws IOException {
        try (SSLSocket client = TlsClient.plain().connect(gateway.addresses().getFirst())) {
            client.getOutputStream().write('x');
            assertThat(client.getInputStream().read()).isEqualTo('x');
        }
    }
}
