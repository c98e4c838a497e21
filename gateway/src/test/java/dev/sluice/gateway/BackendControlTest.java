package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.AdminConfig;
import dev.sluice.config.model.AdminHttpConfig;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.HealthConfig.Kind;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The control of servers at run time, over the admin socket and the admin endpoint. */
class BackendControlTest {
    private final GatewayFixture fixture = new GatewayFixture(EventLoop.Backend.EPOLL);
    private final TestBackend first = fixture.closing(TestBackend.saying("first"));
    private final TestBackend second = fixture.closing(TestBackend.saying("second"));
    private final BackendConfig pair = Copies.of(backend("pair", ProxyProtocol.NONE, first.address(), second.address()))
            .slowStart(Duration.ZERO)
            .build();

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void aNameMeansAllItsServers() throws Exception {
        Gateway gateway = start(Copies.of(pair)
                .servers(List.of(
                        InetSocketAddress.createUnresolved(
                                "localhost", first.address().getPort()),
                        second.address()))
                .build());

        assertThat(line("drain pair localhost:" + first.address().getPort()))
                .startsWith("ok\nbackend pair: server " + name(first) + " is draining, weight 1, ");
        assertThat(answers(gateway, 6)).containsOnly("second");
    }

    @Test
    void drainsAServerWhoseConnectionsStay() throws Exception {
        Gateway gateway = start(pair);
        SSLSocket open = connectTo(gateway, "first");

        assertThat(answer("drain", first))
                .startsWith("ok\nbackend pair: server " + name(first) + " is draining, weight 1, ");
        assertThat(answers(gateway, 6)).containsOnly("second");
        assertThat(mode(gateway, first, "draining")).isEqualTo(1);
        assertThat(mode(gateway, second, "enabled")).isEqualTo(1);
        assertThat(answer("drain", first, "1ms"))
                .startsWith("error\nserver " + name(first) + " of backend pair still has 1 connection after 1ms;");
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTIONS, "server", name(first)))
                .isEqualTo(1);
        assertThat(open.getSession().isValid()).isTrue();

        open.close();
        assertThat(answer("drain", first, "1m")).contains("is draining, weight 1, 0 connections open");
        assertThat(answer("enable", first)).contains("is up, weight 1");
        assertThat(answers(gateway, 6)).contains("first", "second");
    }

    @Test
    void keepsModeAndWeightOverAReload() throws Exception {
        Gateway gateway = start(pair);
        answer("drain", first);
        answer("weight", second, "7");

        BackendConfig other = Copies.of(pair).retries(1).build();
        gateway.reload(config(other));
        assertThat(answers(gateway, 4)).containsOnly("second");
        assertThat(line("list"))
                .containsPattern(name(first) + " +draining +1 +primary ")
                .containsPattern(name(second) + " +up +7 +primary ");

        gateway.reload(config(Copies.of(other)
                .configs(List.of(
                        ServerConfig.of(first.address()),
                        new ServerConfig(second.address(), 3, ServerConfig.Role.PRIMARY)))
                .build()));
        assertThat(line("list")).containsPattern(name(second) + " +up +3 +primary ");
    }

    @Test
    void endsClientsByTheReasonWhenNoServerIsEnabled() throws Exception {
        Gateway gateway = start(pair);
        answer("drain", first);
        answer("disable", second);

        assertThat(ask(gateway)).isEmpty();
        awaitEnds(gateway, "backend_servers_disabled", 1);
        assertThat(fixture.lines())
                .anyMatch(each ->
                        each.contains("no server is enabled, so that connections end as backend_servers_disabled"));
        answer("enable", second);
        assertThat(ask(gateway)).isEqualTo("second");
    }

    @Test
    void checksADrainingServerAndNotADisabledOne() throws Exception {
        HealthConfig often =
                new HealthConfig(Kind.CONNECT, "/", "", Duration.ofMillis(50), Duration.ofSeconds(5), 1, 1);
        Gateway gateway = start(Copies.of(pair).health(often).build());
        answer("drain", first);
        awaitChecks(gateway, first, checks(gateway, first) + 2);

        answer("disable", first);
        long checked = checks(gateway, first) + 1; // one may be under way
        awaitChecks(gateway, second, checks(gateway, second) + 5);
        assertThat(checks(gateway, first)).isLessThanOrEqualTo(checked);
        assertThat(gateway.metrics().samples(Metric.BACKEND_UP))
                .noneMatch(sample -> sample.labelValues().contains(name(first)));
    }

    @Test
    void namesWhatExists() throws Exception {
        start(pair);

        assertThat(line("drain web " + name(first)))
                .isEqualTo("error\nthere is no backend \"web\" that a route leads to; there are pair\n");
        assertThat(line("drain pair nobody:1"))
                .isEqualTo("error\nbackend pair has no server \"nobody:1\"; it has " + name(first) + ", " + name(second)
                        + "\n");
        assertThat(answer("weight", first, "0"))
                .startsWith("error\nweight is \"0\"; write a whole number from 1 to 256, or drain the server");
        assertThat(answer("drain", first, "soon")).startsWith("error\nwait is \"soon\", not a duration;");
        assertThat(line("rain pair"))
                .startsWith("error\n\"backends rain pair\" is no command; there are backends list,");
        assertThat(line("enable\tpair\t" + name(first))).startsWith("ok\n");
    }

    @Test
    void controlsServersByHttp() throws Exception {
        int port = FreePort.onLoopback();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        GatewayConfig config = fixture.config(route(pair));
        fixture.start(config.withAdmin(new AdminConfig(null, AdminHttpConfig.local(address))));
        String server = "?backend=pair&server=" + name(first).replace(":", "%3A");

        assertThat(http(port, "POST", "drain" + server).body()).contains(" is draining, weight 1, ");
        assertThat(http(port, "POST", "weight" + server + "&weight=9").body()).contains(" is draining, weight 9, ");
        assertThat(http(port, "GET", "").body())
                .contains("{\"backend\":\"pair\",\"server\":\"" + name(first) + "\",\"name\":\""
                        + BackendConfig.text(first.address()) + "\",\"state\":\"draining\","
                        + "\"mode\":\"draining\",\"health\":\"up\",\"reason\":\"\",\"weight\":9,\"role\":\"primary\","
                        + "\"connections\":0}");
        assertThat(http(port, "POST", "enable" + server).body()).contains(" is up, weight 9, ");
        assertThat(http(port, "POST", "disable" + server).body()).contains(" is disabled, weight 9, ");
        assertThat(http(port, "GET", "drain" + server).statusCode()).isEqualTo(405);
        assertThat(http(port, "POST", "drain").statusCode()).isEqualTo(400);
        assertThat(http(port, "POST", "drain?backend=pair&server=x").statusCode())
                .isEqualTo(404);
        assertThat(http(port, "POST", "weight" + server).statusCode()).isEqualTo(400);
        assertThat(http(port, "POST", "drain" + server + "&server=x").statusCode())
                .isEqualTo(400);
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private Path socket() {
        return directory.resolve("admin");
    }

    private GatewayConfig config(BackendConfig backend) {
        return fixture.config(route(backend)).withAdmin(new AdminConfig(socket(), null));
    }

    private Gateway start(BackendConfig backend) {
        return fixture.start(config(backend));
    }

    private static String name(TestBackend server) {
        return ServerConfig.text(server.address());
    }

    private String answer(String verb, TestBackend server, String... more) throws IOException {
        return line(verb + " pair " + name(server) + (more.length == 0 ? "" : " " + more[0]));
    }

    private String line(String command) throws IOException {
        try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            client.connect(UnixDomainSocketAddress.of(socket()));
            client.write(ByteBuffer.wrap(("backends " + command + "\n").getBytes(UTF_8)));
            return new String(Channels.newInputStream(client).readAllBytes(), UTF_8);
        }
    }

    private static HttpResponse<String> http(int port, String method, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + "/api/backends" + (path.isEmpty() ? "" : "/" + path));
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static double mode(Gateway gateway, TestBackend server, String mode) {
        return gateway.metrics().samples(Metric.BACKEND_MODE).stream()
                .filter(sample -> sample.labelValues().equals(List.of("pair", name(server), mode)))
                .mapToDouble(sample -> sample.value())
                .sum();
    }

    private static long checks(Gateway gateway, TestBackend server) {
        return gateway.metrics().count(Metric.BACKEND_HEALTH_CHECKS, "server", name(server));
    }

    private static void awaitChecks(Gateway gateway, TestBackend server, long count) {
        Waiting.until(LIMIT, () -> checks(gateway, server) >= count, () -> "no more checks");
    }

    /** Returns an open connection to the server that says this. */
    private SSLSocket connectTo(Gateway gateway, String text) throws IOException {
        while (true) {
            SSLSocket socket = fixture.closing(
                    TlsClient.plain().connect(gateway.addresses().getFirst()));
            String said = new String(socket.getInputStream().readAllBytes(), UTF_8);
            if (said.equals(text)) {
                return socket;
            }
            socket.close();
        }
    }

    private static String ask(Gateway gateway) throws IOException {
        try (SSLSocket socket = TlsClient.plain().connect(gateway.addresses().getFirst())) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static List<String> answers(Gateway gateway, int count) throws IOException {
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(ask(gateway));
        }
        return answers;
    }
}
