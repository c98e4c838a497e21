package dev.sluice.gateway.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.model.AdminTlsConfig;
import dev.sluice.config.yaml.Addresses;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The admin endpoint, asked by the JDK's HTTP client, and by bytes that no client sends. */
final class AdminEndpointTest {
    private static final Duration LIMIT = Waiting.LIMIT;
    private static final InetSocketAddress ANY_PORT = Addresses.toListen("127.0.0.1:0");

    private final FakeGateway gateway = new FakeGateway();
    private final LinesOfLog log = new LinesOfLog();
    private final List<AutoCloseable> begun = new ArrayList<>();

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable last : begun.reversed()) {
            last.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/,text/html; charset=utf-8,<main",
        "/dashboard.css,text/css; charset=utf-8,prefers-color-scheme",
        "/dashboard.js,text/javascript; charset=utf-8,follow",
        "/charts.js,text/javascript; charset=utf-8,uPlot",
        "/stream.js,text/javascript; charset=utf-8,/events",
        "/uplot.js,text/javascript; charset=utf-8,uPlot",
        "/uplot.css,text/css; charset=utf-8,.uplot",
        "/icon.svg,image/svg+xml,<svg",
        "/healthz,text/plain; charset=utf-8,ok",
        "/readyz,text/plain; charset=utf-8,ready",
        "/metrics,text/plain; version=0.0.4; charset=utf-8,sluice_tls_handshakes_total",
        "/config,application/yaml; charset=utf-8,listeners",
        "/api/snapshot,application/json,resumption-ratio"
    })
    void eachPathIsServedAsWhatItIsAndMayLoadNothingFromElsewhere(String path, String type, String content)
            throws Exception {
        HttpResponse<String> response = get(start(), path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains(type);
        assertThat(response.body()).contains(content);
        assertThat(response.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe"));
        assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
    }

    @Test
    void thePageNamesNothingThatIsNotServed() throws Exception {
        URI base = start();

        List<String> named = Stream.of("/", "/dashboard.js")
                .flatMap(path -> {
                    try {
                        return java.util.regex.Pattern.compile("(?:src|href|from)[= ]['\"]([^#'\"]+)['\"]")
                                .matcher(get(base, path).body())
                                .results()
                                .map(match -> match.group(1));
                    } catch (IOException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                })
                .distinct()
                .toList();

        assertThat(named).hasSizeGreaterThan(6).allSatisfy(path -> {
            assertThat(path).startsWith("/");
            assertThat(get(base, path).statusCode()).isEqualTo(200);
        });
    }

    @Test
    void anUnknownPathIsNotFoundAndAWrongMethodNotAllowed() throws Exception {
        URI base = start();

        assertThat(get(base, "/nothing").statusCode()).isEqualTo(404);
        assertThat(get(base, "/dashboard.js/../../module-info.class").statusCode())
                .isEqualTo(404);
        assertThat(get(base, "/reload").statusCode()).isEqualTo(405);
        assertThat(get(base, "/reload").headers().firstValue("Allow")).contains("POST");
        assertThat(post(base, "/metrics", "").statusCode()).isEqualTo(405);
        assertThat(post(base, "/", "").statusCode()).isEqualTo(405);
        assertThat(gateway.reloads.get()).isZero();
    }

    @Test
    void aLongBodyIsRefusedWhetherItTellsItsLengthOrNot() throws Exception {
        URI base = start();
        String tooLong = "x".repeat(RequestReader.BODY_BYTES_MAX + 1);

        assertThat(post(base, "/reload", tooLong).statusCode()).isEqualTo(413);
        HttpRequest unknownLength = HttpRequest.newBuilder(base.resolve("/reload"))
                .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(tooLong.getBytes(US_ASCII))))
                .build();
        assertThat(client().send(unknownLength, BodyHandlers.ofString()).statusCode())
                .isEqualTo(413);
        assertThat(raw(base, "POST /reload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
        assertThat(gateway.reloads.get()).isZero();
    }

    @Test
    void readinessFollowsTheGatewayAndHealthItsLoops() throws Exception {
        URI base = start();
        gateway.state = Administered.State.STARTING;
        assertThat(get(base, "/readyz").statusCode()).isEqualTo(503);
        gateway.state = Administered.State.WARMING;
        assertThat(get(base, "/readyz").statusCode()).isEqualTo(503);
        assertThat(get(base, "/readyz").body()).contains("warming");
        gateway.state = Administered.State.DRAINING;
        assertThat(get(base, "/readyz").statusCode()).isEqualTo(503);
        assertThat(get(base, "/readyz").body()).contains("draining");
        assertThat(get(base, "/healthz").statusCode()).isEqualTo(200);

        gateway.responds = false;

        assertThat(get(base, "/healthz").statusCode()).isEqualTo(503);
    }

    @Test
    void aReloadIsToldOfAndARefusedOneSaysWhy() throws Exception {
        URI base = start();

        assertThat(post(base, "/reload", "").body()).isEqualTo("reloaded sluice.yaml\n");
        gateway.refusal = "sluice.yaml:3:1: unknown key";

        HttpResponse<String> refused = post(base, "/reload", "");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("unknown key");
        assertThat(gateway.reloads.get()).isEqualTo(1);
    }

    @Test
    void withoutAFileThereIsNoConfigurationToTell() throws Exception {
        gateway.configuration = null;

        assertThat(get(start(), "/config").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"})
    void pagesOfOtherSitesCanNotReload(String header) throws Exception {
        URI base = start();

        assertThat(raw(base, "POST /reload HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(raw(base, "GET /api/snapshot HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
        assertThat(gateway.reloads.get()).isZero();
    }

    @Test
    void itsOwnPageCanReload() throws Exception {
        URI base = start();
        String host = "localhost:" + base.getPort();

        assertThat(raw(
                        base,
                        "POST /reload HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host
                                + "\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
        assertThat(gateway.reloads.get()).isEqualTo(1);
    }

    @Test
    void aNameThatSomebodyLetsLeadHereIsNotAnswered() throws Exception {
        URI base = start();

        for (String host :
                List.of("evil.example", "evil.example:9900", "localhost.evil.example", "127.0.0.1.evil.example")) {
            assertThat(raw(base, "GET /config HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                    .as(host)
                    .startsWith("HTTP/1.1 403");
        }
        for (String host : List.of("localhost", "LocalHost:9900", "127.0.0.1:1", "[::1]:9900")) {
            assertThat(raw(base, "GET /config HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
                    .as(host)
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(raw(base, "GET /config HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400");
    }

    @Test
    void withATokenNothingIsToldToWhoDoesNotShowIt() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "a-token-of-some-length\n");
        URI base = start(new AdminHttpConfig(ANY_PORT, token, null));

        for (String path : List.of("/metrics", "/config", "/api/snapshot", "/events")) {
            assertThat(get(base, path).statusCode()).as(path).isEqualTo(401);
            assertThat(get(base, path).headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(get(base, path, "Authorization", "Bearer a-token-of-some-lengti")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(get(base, path, "Authorization", "Basic a-token-of-some-length")
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(post(base, "/reload", "").statusCode()).isEqualTo(401);
        assertThat(gateway.reloads.get()).isZero();
        assertThat(get(base, "/api/snapshot", "Authorization", "Bearer a-token-of-some-length")
                        .statusCode())
                .isEqualTo(200);
        assertThat(get(base, "/").statusCode())
                .as("the page itself asks for the token")
                .isEqualTo(200);
        assertThat(get(base, "/readyz").statusCode()).isEqualTo(200);
        assertThat(raw(base, "GET /readyz HTTP/1.1\r\nHost: gateway.example\r\n\r\n"))
                .startsWith("HTTP/1.1 200");

        Files.writeString(token, "another-token-of-some-length\n");

        assertThat(get(base, "/config", "Authorization", "Bearer a-token-of-some-length")
                        .statusCode())
                .isEqualTo(401);
        assertThat(get(base, "/config", "Authorization", "bearer another-token-of-some-length")
                        .statusCode())
                .isEqualTo(200);
        Files.delete(token);
        assertThat(get(base, "/config", "Authorization", "Bearer another-token-of-some-length")
                        .statusCode())
                .isEqualTo(503);
    }

    @Test
    void whoWatchesGetsAllThereIsAndThenWhatIsNew() throws Exception {
        URI base = start();

        try (Stream<String> lines = events(base)) {
            Iterator<String> events = lines.filter(line -> !line.isEmpty()).iterator();

            assertThat(events.next()).isEqualTo("event: snapshot");
            assertThat(events.next()).startsWith("data: {\"time\":").contains("\"history\":{\"fine\":");
            assertThat(events.next()).isEqualTo("event: sample");
            assertThat(events.next()).startsWith("data: {\"time\":").doesNotContain("\"history\":");
        }
    }

    @Test
    void onlySoManyMayWatch() throws Exception {
        URI base = start();
        List<Stream<String>> watching = new ArrayList<>();
        for (int i = 0; i < EventStreams.STREAMS_MAX; i++) {
            watching.add(events(base));
        }

        assertThat(get(base, "/events").statusCode()).isEqualTo(503);
        watching.forEach(Stream::close);

        Waiting.until(
                LIMIT,
                () -> {
                    try (Stream<String> lines = events(base)) {
                        return lines.findFirst().isPresent();
                    } catch (IOException | InterruptedException | IllegalStateException full) {
                        return false;
                    }
                },
                () -> "places are not given back");
    }

    @Test
    void anAddressThatIsTakenIsToldOfAndHadAsSoonAsItIsFree() throws Exception {
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        InetSocketAddress taken = Addresses.toListen("127.0.0.1:" + other.getLocalPort());
        AdminEndpoint endpoint = endpoint(AdminHttpConfig.local(taken));

        Waiting.until(LIMIT, () -> !log.warnings().isEmpty(), () -> "nothing was told");
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("127.0.0.1:" + taken.getPort(), "in use", "ss -ltnp");
        other.close();

        assertThat(endpoint.awaitAddress(LIMIT.toMillis())).isEqualTo(taken);
        assertThat(log.warnings()).hasSize(1);
    }

    @Test
    void withAuthoritiesOnlyTheirClientsAreLetIn() throws Exception {
        Credential server = TestCertificates.shared()
                .issue(CertificateRequest.named("admin-server").forHosts("localhost"));
        URI base = start(new AdminHttpConfig(
                ANY_PORT,
                null,
                new AdminTlsConfig(
                        server.chainFile(),
                        server.keyFile(),
                        TestCertificates.shared().rootFile())));

        HttpRequest request = HttpRequest.newBuilder(base.resolve("/config")).build();
        try (HttpClient known = tlsClient(TestCertificates.shared().client());
                HttpClient unknown = tlsClient(null)) {
            assertThat(known.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThatThrownBy(() -> unknown.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 3_000})
    void healthIsAnsweredWhileManyRequestsAreHalfSent(int count) throws Exception {
        URI base = start();
        List<Socket> halfSent = halfSent(base, count, "GET /healthz HTTP/1.1\r\nHost: local".getBytes(US_ASCII));

        assertThat(get(base, "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(base, "/readyz").statusCode()).isEqualTo(200);

        Socket newest = halfSent.getLast();
        newest.getOutputStream().write("host\r\n\r\n".getBytes(US_ASCII));
        assertThat(line(newest)).as("the newest goes on").startsWith("HTTP/1.1 200");
        assertThat(line(halfSent.getFirst())).as("the oldest was given up").isEmpty();
    }

    /** Those that say nothing at all take a place, too. */
    @Test
    void healthIsAnsweredWhileManyConnectionsAreSilent() throws Exception {
        URI base = start();
        halfSent(base, 300, new byte[0]);

        assertThat(get(base, "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void healthIsAnsweredWhileManyHandshakesAreHalfDone() throws Exception {
        Credential server = TestCertificates.shared()
                .issue(CertificateRequest.named("admin-server").forHosts("localhost"));
        URI base = start(
                new AdminHttpConfig(ANY_PORT, null, new AdminTlsConfig(server.chainFile(), server.keyFile(), null)));
        byte[] beginningOfClientHello = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, (byte) 0xfc, 0x03, 0x03};
        halfSent(base, 300, beginningOfClientHello);

        HttpRequest request = HttpRequest.newBuilder(base.resolve("/healthz")).build();
        try (HttpClient client = tlsClient(null)) {
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /** Dashboards, and requests that take their time, have a bound of their own. */
    @Test
    void healthIsAnsweredWhileAllOtherPlacesAreTaken() throws Exception {
        URI base = start();
        for (int i = 0; i < EventStreams.STREAMS_MAX; i++) {
            begun.add(events(base));
        }
        gateway.reloadsMayEnd = new CountDownLatch(1);
        int reloads = AdminConnections.OTHER_MAX - EventStreams.STREAMS_MAX;
        byte[] reload = "POST /reload HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);
        List<Socket> reloading = halfSent(base, reloads, reload);
        Waiting.until(LIMIT, () -> gateway.reloads.get() == reloads, () -> gateway.reloads + " reloads");

        assertThat(get(base, "/api/snapshot").statusCode()).isEqualTo(503);
        assertThat(get(base, "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(base, "/readyz").statusCode()).isEqualTo(200);

        gateway.reloadsMayEnd.countDown();
        for (Socket each : reloading) {
            assertThat(line(each)).startsWith("HTTP/1.1 200");
        }
        assertThat(get(base, "/api/snapshot").statusCode()).isEqualTo(200);
    }

    /** A client that has sent more than is read sees why, and no reset. */
    @Test
    void whatIsNoRequestIsAnsweredToo() throws Exception {
        URI base = start();

        assertThat(raw(base, "\u0016\u0003\u0001 a handshake\r\n\r\n" + "x".repeat(10_000)))
                .startsWith("HTTP/1.1 400");
        assertThat(raw(base, "GET / HTTP/1.1\r\nA: " + "x".repeat(RequestReader.HEAD_BYTES_MAX)))
                .startsWith("HTTP/1.1 431");
    }

    @Test
    void aHeadRequestHasAHeadAlone() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(start().resolve("/healthz"))
                .method("HEAD", BodyPublishers.noBody())
                .build();

        HttpResponse<String> response = client().send(request, BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Length")).contains("3");
        assertThat(response.body()).isEmpty();
    }

    private List<Socket> halfSent(URI base, int count, byte[] bytes) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket("localhost", base.getPort());
            begun.add(socket);
            sockets.add(socket);
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream().write(bytes);
        }
        return sockets;
    }

    @Test
    void onceItIsClosedNobodyAsksTheGateway() throws Exception {
        URI base = start();
        Stream<String> watching = events(base);

        begun.removeLast().close();

        assertThatThrownBy(() -> get(base, "/healthz")).isInstanceOf(IOException.class);
        watching.close();
    }

    private URI start() throws InterruptedException {
        return start(AdminHttpConfig.local(ANY_PORT));
    }

    private URI start(AdminHttpConfig config) throws InterruptedException {
        InetSocketAddress address =
                Objects.requireNonNull(endpoint(config).awaitAddress(LIMIT.toMillis()), "it does not listen");
        return URI.create((config.tls() == null ? "http" : "https") + "://localhost:" + address.getPort() + "/");
    }

    private AdminEndpoint endpoint(AdminHttpConfig config) {
        AdminEndpoint endpoint = AdminEndpoint.start(config, gateway, log);
        begun.add(endpoint);
        return endpoint;
    }

    private HttpClient client() {
        HttpClient client = HttpClient.newHttpClient();
        begun.addFirst(client::shutdownNow);
        return client;
    }

    private HttpResponse<String> get(URI base, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path.substring(1)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client().send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(URI base, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path))
                .POST(BodyPublishers.ofString(body))
                .build();
        return client().send(request, BodyHandlers.ofString());
    }

    private Stream<String> events(URI base) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve("/events")).build();
        HttpResponse<Stream<String>> response = client().send(request, BodyHandlers.ofLines());
        if (response.statusCode() != 200) {
            response.body().close();
            throw new IllegalStateException("status " + response.statusCode());
        }
        assertThat(response.headers().firstValue("Content-Type")).contains("text/event-stream; charset=utf-8");
        return response.body();
    }

    /** The status line of the answer to bytes that a client would not send. */
    private static String raw(URI base, String request) throws IOException {
        try (Socket socket = new Socket("localhost", base.getPort())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return line(socket);
        }
    }

    /** Returns the bytes up to the end of a line, or of the connection. */
    private static String line(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        try {
            InputStream input = socket.getInputStream();
            for (int next = input.read(); next >= 0 && next != '\r'; next = input.read()) {
                line.append((char) next);
            }
        } catch (SocketException reset) {
            // As good an end as any.
        }
        return line.toString();
    }

    private static HttpClient tlsClient(@Nullable Credential credential) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("root", TestCertificates.shared().rootCertificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        if (credential != null) {
            own.setKeyEntry(
                    "client", credential.key(), new char[0], credential.chain().toArray(Certificate[]::new));
        }
        keys.init(own, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
