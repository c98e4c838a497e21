package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AcceptPolicy;
import dev.sluice.config.model.AddressRange;
import dev.sluice.config.model.AddressRules;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.proxyprotocol.ProxyHeader;
import dev.sluice.gateway.proxyprotocol.TlsFacts;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners that have a proxy before them, or let in only so many. */
class ProxiedListenerTest extends GatewayConformance {
    private static final InetSocketAddress CLIENT = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 4711);
    private static final InetSocketAddress SERVICE = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 443);
    private static final ProxyHeader HEADER = new ProxyHeader(CLIENT, SERVICE, TlsFacts.NONE);

    private final BlockingQueue<ProxyHeader> told = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void reportsTheClientBehindTheProxyToTheBackend(int version) throws Exception {
        Gateway gateway = gateway("127.0.0.1", 0);
        byte[] header = version == 1 ? HEADER.toVersionOne() : HEADER.toVersionTwo();

        try (SSLSocket client = connect(gateway, header)) {
            assertEchoes(client);
            ProxyHeader there = told();
            assertThat(there.source()).isEqualTo(CLIENT);
            assertThat(there.destination()).isEqualTo(SERVICE);
            assertThat(there.tls().version()).isEqualTo("TLSv1.3");
        }
        awaitEnds(gateway, "completed", 1);
    }

    @Test
    void servesAProxyThatConnectsForItself() throws Exception {
        Gateway gateway = gateway("127.0.0.1", 0);
        for (byte[] header : List.of(ProxyHeader.UNKNOWN.toVersionOne(), ProxyHeader.UNKNOWN.toVersionTwo())) {
            try (SSLSocket client = connect(gateway, header)) {
                assertEchoes(client);
                ProxyHeader there = told();
                assertThat(there.source()).isEqualTo(client.getLocalSocketAddress());
            }
        }
    }

    /** Header and ClientHello come in one piece, or each byte by itself. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 16, 100_000})
    void readsAHeaderInPieces(int pieceBytes) throws Exception {
        Gateway gateway = gateway("127.0.0.0/8", 0);
        Socket raw = new Pieces(pieceBytes, HEADER.toVersionTwo());
        raw.setSoTimeout((int) LIMIT.toMillis());
        raw.setTcpNoDelay(true);
        raw.connect(gateway.addresses().getFirst());
        try (SSLSocket client = TlsClient.plain().over(raw)) {
            assertEchoes(client);
            assertThat(told().source()).isEqualTo(CLIENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.0/8, , served",
        "10.0.0.0/8, , refused",
        ", 127.0.0.1, refused",
        ", 10.0.0.0/8, served",
        "127.0.0.0/8, ::ffff:127.0.0.1, refused",
        "::ffff:127.0.0.0/104, ::/0, served"
    })
    void servesTheAddressesThatAreAllowedAndNotDenied(String allow, String deny, String outcome) throws Exception {
        Gateway gateway = gateway(List.of(), rules(allow, deny));
        if (outcome.equals("served")) {
            try (SSLSocket client = connect(gateway, new byte[0])) {
                assertEchoes(client);
            }
            awaitEnds(gateway, "completed", 1);
        } else {
            assertReset(gateway, new byte[0]);
            awaitEnds(gateway, "address_denied", 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/24, , served",
        "198.51.100.0/24, , refused",
        ", 192.0.2.7, refused",
        ", 127.0.0.1, refused",
        "192.0.2.0/24, 127.0.0.1, refused"
    })
    void decidesByTheClientThatTheProxyNames(String allow, String deny, String outcome) throws Exception {
        Gateway gateway = gateway(List.of(AddressRange.parse("127.0.0.1")), rules(allow, deny));
        if (outcome.equals("served")) {
            try (SSLSocket client = connect(gateway, HEADER.toVersionTwo())) {
                assertEchoes(client);
            }
            try (SSLSocket proxy = connect(gateway, ProxyHeader.UNKNOWN.toVersionTwo())) {
                assertEchoes(proxy); // checks its gateway
            }
            awaitEnds(gateway, "completed", 2);
        } else {
            assertReset(gateway, HEADER.toVersionTwo());
            awaitEnds(gateway, "address_denied", 1);
        }
    }

    @Test
    void reloadChangesWhoIsServed() throws Exception {
        Gateway gateway = gateway(List.of(), AddressRules.NONE);
        try (SSLSocket before = connect(gateway, new byte[0])) {
            gateway.reload(config(List.of(), rules(null, "127.0.0.0/8")));
            assertReset(gateway, new byte[0]);
            assertEchoes(before);
        }
        awaitEnds(gateway, "address_denied", 1);
    }

    private static AddressRules rules(@Nullable String allow, @Nullable String deny) {
        return new AddressRules(ranges(allow), ranges(deny));
    }

    private static List<AddressRange> ranges(@Nullable String text) {
        return text == null ? List.of() : List.of(AddressRange.parse(text));
    }

    @Test
    void servesOtherAddressesOnlyWithoutAHeader() throws Exception {
        Gateway gateway = gateway("203.0.113.0/24", 0);
        try (SSLSocket client = connect(gateway, new byte[0])) {
            assertEchoes(client);
            assertThat(told().source()).isEqualTo(client.getLocalSocketAddress());
        }
        for (byte[] header : List.of(HEADER.toVersionOne(), HEADER.toVersionTwo())) {
            assertReset(gateway, header);
        }
        awaitEnds(gateway, "proxy_header_untrusted", 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 192.0.2.7\r\n",
                "PROXY TCP4 client.example 198.51.100.1 1 2\r\n",
                "PROXX",
                "GET / HTTP/1.1\r\n",
                "\r\n\r\n\0\r\nQUIT\n!\u0011\0\u0001x",
                "\r\n\r\n\0\r\nQUIT\n!\u0011P\0"
            })
    void endsTheConnectionOnAMalformedHeader(String header) throws Exception {
        Gateway gateway = gateway("127.0.0.1", 0);
        assertReset(gateway, header.getBytes(US_ASCII));
        awaitEnds(gateway, "proxy_header_malformed", 1);
    }

    @Test
    void endsASilentProxyAfterTheHandshakeTimeout() throws Exception {
        Gateway gateway = fixture.start(Copies.of(config("127.0.0.1", 0))
                .limits(Copies.of(LimitsConfig.DEFAULT)
                        .handshakeTimeout(Duration.ofMillis(200))
                        .build())
                .build());
        assertReset(gateway, Arrays.copyOf(HEADER.toVersionTwo(), 20));
        awaitEnds(gateway, "handshake_timeout", 1);
    }

    /** The limit is that of the client behind the proxy, not of the proxy. */
    @Test
    void limitsConnectionsByTheClientBehindTheProxy() throws Exception {
        Gateway gateway = fixture.start(Copies.of(config("127.0.0.1", 0))
                .limits(Copies.of(LimitsConfig.DEFAULT).connectionsPerAddress(1).build())
                .build());
        InetSocketAddress other = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.8"), 1);
        try (SSLSocket first = connect(gateway, HEADER.toVersionOne());
                SSLSocket second = connect(gateway, new ProxyHeader(other, SERVICE, TlsFacts.NONE).toVersionTwo())) {
            assertEchoes(first);
            assertEchoes(second);
            assertReset(gateway, HEADER.toVersionTwo());
            awaitEnds(gateway, "address_limit", 1);
        }
        awaitEnds(gateway, "completed", 2);
        try (SSLSocket again = connect(gateway, HEADER.toVersionOne())) {
            assertEchoes(again);
        }
    }

    // --- so many ----------------------------------------------------------------------------------------------------

    @Test
    void limitsConnectionsByListener() throws Exception {
        Gateway gateway = gateway(null, 2);
        try (SSLSocket first = connect(gateway, new byte[0]);
                SSLSocket second = connect(gateway, new byte[0])) {
            assertEchoes(first);
            assertEchoes(second);
            assertReset(gateway, new byte[0]);
            awaitEnds(gateway, "listener_limit", 1);
        }
        awaitEnds(gateway, "completed", 2);
        try (SSLSocket again = connect(gateway, new byte[0])) {
            assertEchoes(again);
        }
    }

    @Test
    void requiresAlpnWhenConfigured() throws Exception {
        ListenerConfig listener = Copies.of(listener())
                .acceptPolicy(new AcceptPolicy(List.of(), 0, Duration.ofSeconds(30), false, true))
                .build();
        Gateway gateway = fixture.start(fixture.config(listener));

        try (SSLSocket client =
                TlsClient.plain().offering("h2").connect(gateway.addresses().getFirst())) {
            assertEchoes(client);
        }
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> connect(gateway, new byte[0])))
                .isInstanceOf(IOException.class);
        awaitEnds(gateway, "handshake_no_application_protocol", 1);
    }

    /** A client that speaks ALPN and none of our protocols is told so, whether or not ALPN is required. */
    @Test
    void refusesClientsOfOtherProtocols() throws Exception {
        Gateway gateway = fixture.start(fixture.config(listener()));
        int port = gateway.addresses().getFirst().getPort();
        ForeignResult refused = sClient(port, "-alpn", "foo");
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.errors()).contains("SSL alert number 120");
        awaitEnds(gateway, "handshake_no_application_protocol", 1);

        assertThat(sClient(port, "-alpn", "foo,h2").output()).contains("ALPN protocol: h2");
        assertThat(sClient(port).output()).contains("No ALPN negotiated");
        awaitEnds(gateway, "completed", 2);
    }

    private static ForeignResult sClient(int port, String... more) {
        List<String> arguments = new ArrayList<>(List.of("s_client", "-connect", "127.0.0.1:" + port));
        arguments.addAll(List.of(more));
        return ForeignProgram.required("openssl", "openssl")
                .command(arguments.toArray(String[]::new))
                .run();
    }

    @Test
    void servesCurlByTheProtocolItOffers() throws Exception {
        TestBackend web = fixture.closing(TestBackend.serving(socket -> {
            socket.getInputStream().readNBytes("GET / HTTP/1.1\r\n".length());
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".getBytes(US_ASCII));
        }));
        Gateway gateway = fixture.start(fixture.config(GatewayFixture.listener(
                List.of("http/1.1"), TlsOptions.DEFAULT, route(backend("web", ProxyProtocol.NONE, web.address())))));
        String url = "https://localhost:" + gateway.addresses().getFirst().getPort() + "/";
        ForeignProgram curl = ForeignProgram.required("curl", "curl");
        String root = TestCertificates.shared().rootFile().toString();
        ForeignResult offering =
                curl.command("-sS", "--ipv4", "--cacert", root, url).run();
        assertThat(offering.expectSuccess().output()).isEqualTo("hello");
        ForeignResult silent = curl.command("-sS", "--ipv4", "--no-alpn", "--cacert", root, url)
                .run();
        assertThat(silent.expectSuccess().output()).isEqualTo("hello");
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private Gateway gateway(@Nullable String from, int connections) {
        return fixture.start(config(from, connections));
    }

    private Gateway gateway(List<AddressRange> proxies, AddressRules rules) {
        return fixture.start(config(proxies, rules));
    }

    private GatewayConfig config(List<AddressRange> proxies, AddressRules rules) {
        return fixture.config(Copies.of(listener())
                .acceptPolicy(new AcceptPolicy(proxies, 0, Duration.ZERO, false, false, true, rules))
                .build());
    }

    private GatewayConfig config(@Nullable String from, int connections) {
        List<AddressRange> ranges = from == null ? List.of() : List.of(AddressRange.parse(from));
        return fixture.config(Copies.of(listener())
                .acceptPolicy(new AcceptPolicy(ranges, connections, Duration.ZERO, false, false))
                .build());
    }

    private ListenerConfig listener() {
        TestBackend echo = fixture.closing(TestBackend.serving(socket -> {
            told.add(ProxyHeader.read(socket.getInputStream()));
            socket.getInputStream().transferTo(socket.getOutputStream());
        }));
        return GatewayFixture.listener(
                List.of("h2", "http/1.1"),
                TlsOptions.DEFAULT,
                route(backend("echo", ProxyProtocol.V2, echo.address())));
    }

    private ProxyHeader told() throws InterruptedException {
        ProxyHeader header = told.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(header).isNotNull();
        return java.util.Objects.requireNonNull(header);
    }

    private static SSLSocket connect(Gateway gateway, byte[] header) throws IOException {
        Socket raw = TlsClient.plainSocket(gateway.addresses().getFirst());
        raw.getOutputStream().write(header);
        return TlsClient.plain().over(raw);
    }

    private static void assertReset(Gateway gateway, byte[] bytes) throws IOException {
        try (Socket raw = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            raw.getOutputStream().write(bytes);
            InputStream input = raw.getInputStream();
            assertThat(input.read()).isEqualTo(-1);
        } catch (java.net.SocketTimeoutException open) {
            throw new AssertionError("the connection stays open", open);
        } catch (IOException reset) {
            assertThat(reset).isNotNull();
        }
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        client.getOutputStream().write('x');
        assertThat(client.getInputStream().read()).isEqualTo('x');
    }

    /** A socket that sends what precedes the stream with its first bytes, in pieces of one length. */
    private static final class Pieces extends Socket {
        private final int length;
        private byte[] before;

        Pieces(int length, byte[] before) {
            this.length = length;
            this.before = before;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            OutputStream output = super.getOutputStream();
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int count) throws IOException {
                    byte[] all = Arrays.copyOf(before, before.length + count);
                    System.arraycopy(bytes, from, all, before.length, count);
                    before = new byte[0];
                    for (int at = 0; at < all.length; at += length) {
                        output.write(all, at, Math.min(length, all.length - at));
                    }
                }
            };
        }
    }
}
