package dev.sluice.gateway.plainhttp;

import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
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
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners that answer plain HTTP by the https address of the same host and path. */
class RedirectTest extends GatewayConformance {
    private static final String END = "redirected";
    private static final String MALFORMED = "request_malformed";
    private static final String BODY = "abc";
    private static final String PAGE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello";

    /** curl follows, and repeats a POST with its body over TLS. */
    @ParameterizedTest
    @CsvSource({"GET, 301", "POST, 308"})
    void curlFollowsToTheTlsListener(String method, int status) throws Exception {
        int port = FreePort.onLoopback();
        Gateway gateway = fixture.start(config(port, AcceptPolicy.DEFAULT));
        String url = "http://localhost:" + gateway.addresses().getLast().getPort() + "/account?id=1&x=%20";

        ForeignProgram curl = ForeignProgram.required("curl", "curl");
        String root = TestCertificates.shared().rootFile().toString();
        List<String> body = method.equals("POST") ? List.of("--data", BODY) : List.of();
        List<String> arguments = new java.util.ArrayList<>(List.of("-sS", "-i", "-L", "--ipv4", "--cacert", root, url));
        arguments.addAll(body);
        String output = curl.command(arguments.toArray(String[]::new))
                .run()
                .expectSuccess()
                .output();

        assertThat(output)
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("\r\nLocation: https://localhost:" + port + "/account?id=1&x=%20\r\n")
                .endsWith("\r\n\r\n" + method + " /account?id=1&x=%20 HTTP/1.1");
        awaitEnds(gateway, END, 1);
        // curl may reset its connection to the TLS listener, which is logged; a redirect is not.
        assertThat(fixture.lines()).noneMatch(line -> line.contains(END));
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1~Host: a.example~~ | 301 | https://a.example/",
                "HEAD /x HTTP/1.1~host:a.example:80~~ | 301 | https://a.example/x",
                "PUT /x?y=/z HTTP/1.1~Host: A.example:8080~~ | 308 | https://A.example/x?y=/z",
                "PROPFIND /dav/ HTTP/1.1~Host: [2001:db8::1]:80~~ | 308 | https://[2001:db8::1]/dav/",
                "GET http://b.example:80/p HTTP/1.1~Host: a.example~~ | 301 | https://b.example/p",
                "GET http://b.example?q HTTP/1.1~Host: b.example~~ | 301 | https://b.example/?q",
                "OPTIONS * HTTP/1.1~Host: a.example~~ | 308 | https://a.example/",
                "GET //c.example/ HTTP/1.1~Host: a.example~~ | 301 | https://a.example//c.example/",
                "GET /old HTTP/1.0~~ | 301 | https://127.0.0.1/old",
                "GET /old HTTP/1.0~Host: a.example~~ | 301 | https://a.example/old"
            })
    void redirects(String request, int status, String location) throws Exception {
        Gateway gateway = gateway(AcceptPolicy.DEFAULT);
        for (int piece : new int[] {3, 1_000}) {
            assertThat(exchange(gateway, request.replace("~", "\r\n"), piece))
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains("\r\nLocation: " + location + "\r\n", "\r\nConnection: close\r\n");
        }
        awaitEnds(gateway, END, 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: \r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a.example/../b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\rLocation: x\r\n\r\n",
                "GET http://a.example\\@b/ HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "GET /\rLocation:x HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "GET /\u00e4 HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "GET ?x HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "GET x HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "GET /\r\nHost: a.example\r\n\r\n",
                "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
            })
    void rejectsWhatIsNoRequestForOneHost(String request) throws Exception {
        Gateway gateway = gateway(AcceptPolicy.DEFAULT);
        assertThat(exchange(gateway, request, 1_000))
                .startsWith("HTTP/1.1 400 Bad Request\r\n")
                .doesNotContain("Location", "a.example");
        awaitEnds(gateway, MALFORMED, 1);
    }

    @Test
    void rejectsALongHead() throws Exception {
        Gateway gateway = gateway(AcceptPolicy.DEFAULT);
        assertThat(exchange(gateway, "GET /" + "x".repeat(30_000), 30_000))
                .startsWith("HTTP/1.1 431 ")
                .hasSizeLessThan(1_000);
        awaitEnds(gateway, MALFORMED, 1);
        String path = "/" + "x".repeat(RequestBytes.BYTES_MAX - 100);
        assertThat(exchange(gateway, "GET " + path + " HTTP/1.1\r\nHost: a.example\r\n\r\n", 30_000))
                .contains("Location: https://a.example" + path + "\r\n");
    }

    @Test
    void closesOtherProtocolsWithoutAResponse() throws Exception {
        Gateway gateway = gateway(AcceptPolicy.DEFAULT);
        assertThat(exchange(gateway, "\u0016\u0003\u0001\u0001\u0000\u0001", 1_000))
                .isEmpty();
        awaitEnds(gateway, MALFORMED, 1);
    }

    @Test
    void endsAnUnfinishedRequestAfterTheHandshakeTimeout() throws Exception {
        Gateway gateway = fixture.start(Copies.of(config(443, AcceptPolicy.DEFAULT))
                .limits(Copies.of(LimitsConfig.DEFAULT)
                        .handshakeTimeout(Duration.ofMillis(200))
                        .build())
                .build());
        assertThat(exchange(gateway, "GET / HTTP/1.1\r\n", 1_000)).isEmpty();
        assertThat(exchange(gateway, "", 1_000)).isEmpty();
        awaitEnds(gateway, "request_timeout", 2);
    }

    @Test
    void redirectsBehindAProxy() throws Exception {
        List<AddressRange> proxies = List.of(AddressRange.parse("127.0.0.1"));
        Gateway gateway = gateway(new AcceptPolicy(proxies, 0, Duration.ZERO, false, false));
        ProxyHeader header = new ProxyHeader(
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 4711),
                new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 80),
                TlsFacts.NONE);
        String before = new String(header.toVersionTwo(), ISO_8859_1);
        for (int piece : new int[] {7, 1_000}) {
            assertThat(exchange(gateway, before + "GET /x HTTP/1.0\r\n\r\n", piece))
                    .contains("\r\nLocation: https://198.51.100.1/x\r\n");
        }
        awaitEnds(gateway, END, 2);
    }

    /** A reload turns a listener that redirects into one that speaks TLS, and back. */
    @Test
    void reloads() throws Exception {
        GatewayConfig redirecting = config(443, AcceptPolicy.DEFAULT);
        ListenerConfig plain = redirecting.listeners().getLast();
        ListenerConfig tls = redirecting.listeners().getFirst();
        int port = FreePort.onLoopback();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        GatewayConfig before = Copies.of(redirecting)
                .listeners(List.of(ListenerConfig.redirecting(address, AcceptPolicy.DEFAULT, "", 443, "test.yaml:2:1")))
                .build();
        GatewayConfig after = Copies.of(redirecting)
                .listeners(List.of(new ListenerConfig(
                        address, tls.certificates(), tls.alpn(), tls.tls(), tls.routes(), "test.yaml:2:1")))
                .build();
        assertThat(plain.kind()).isEqualTo(ListenerConfig.Kind.REDIRECT);

        Gateway gateway = fixture.start(before);
        for (GatewayConfig next : List.of(after, before, after)) {
            gateway.reload(next);
            boolean redirects = next.listeners().getFirst().kind() == ListenerConfig.Kind.REDIRECT;
            assertThat(exchange(gateway, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", 1_000))
                    .startsWith(redirects ? "HTTP/1.1 301 " : "HTTP/1.1 400 ");
        }
        TlsClient.plain().connect(gateway.addresses().getFirst()).close();
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private Gateway gateway(AcceptPolicy policy) {
        return fixture.start(config(443, policy));
    }

    /** A listener with TLS on a port, if that is not 443, and one that redirects there. */
    private GatewayConfig config(int port, AcceptPolicy policy) {
        TestBackend web = fixture.closing(TestBackend.serving(socket -> {
            String head = TestBackend.head(socket);
            if (head.indexOf("POST") == 0) {
                assertThat(socket.getInputStream().readNBytes(BODY.length())).isEqualTo(BODY.getBytes(ISO_8859_1));
            }
            String line = head.substring(0, head.indexOf("\r"));
            String page = PAGE.replace("hello", line).replace("5", Integer.toString(line.length()));
            socket.getOutputStream().write(page.getBytes(ISO_8859_1));
        }));
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ListenerConfig like = GatewayFixture.listener(
                List.of("http/1.1"),
                TlsOptions.DEFAULT,
                GatewayFixture.route(GatewayFixture.backend("web", ProxyProtocol.NONE, web.address())));
        ListenerConfig tls = new ListenerConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port == 443 ? 0 : port),
                like.certificates(),
                like.alpn(),
                like.tls(),
                like.routes(),
                "test.yaml:1:1");
        ListenerConfig redirecting = ListenerConfig.redirecting(anyPort, policy, "", port, "test.yaml:2:1");
        return Copies.of(fixture.config(tls))
                .listeners(List.of(tls, redirecting))
                .build();
    }

    /** Sends bytes in pieces, each in a segment of its own, and returns all that comes until the end. */
    private static String exchange(Gateway gateway, String bytes, int piece) throws IOException {
        try (Socket client = TlsClient.plainSocket(gateway.addresses().getLast())) {
            byte[] all = bytes.getBytes(ISO_8859_1);
            for (int at = 0; at < all.length; at += piece) {
                client.getOutputStream().write(all, at, Math.min(piece, all.length - at));
            }
            return new String(client.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (java.net.SocketTimeoutException open) {
            throw open;
        } catch (IOException reset) {
            return "";
        }
    }
}
