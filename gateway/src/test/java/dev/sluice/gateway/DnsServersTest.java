package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.HealthConfig.Kind;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ResolveConfig;
import dev.sluice.config.yaml.ServiceName;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.DnsServer;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Backends whose servers are found by the names of a real DNS server, which changes what it says. */
class DnsServersTest {
    private static final HealthConfig CHECKS =
            new HealthConfig(Kind.CONNECT, "/", "", Duration.ofMillis(50), Duration.ofSeconds(5), 1, 1);

    private final GatewayFixture fixture = new GatewayFixture(EventLoop.Backend.EPOLL);
    private final int port = FreePort.onLoopback();

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void connectionsFollowANameAndThoseOfAServerThatGoesStay() throws Exception {
        serve("127.0.0.1", "127.0.0.2", "127.0.0.3");
        try (DnsServer dns = DnsServer.start("127.0.0.1 web.example", "127.0.0.2 web.example")) {
            Gateway gateway = start(named("web.example", dns, CHECKS));
            assertThat(gateway.servers()).containsOnlyKeys(key("127.0.0.1"), key("127.0.0.2"));
            assertThat(answers(gateway)).containsExactlyInAnyOrder("127.0.0.1", "127.0.0.2");
            try (SSLSocket old = connectTo(gateway, "127.0.0.2")) {
                dns.serve("127.0.0.1 web.example", "127.0.0.3 web.example");
                Waiting.until(
                        LIMIT,
                        () -> gateway.servers().containsKey(key("127.0.0.3")),
                        () -> "not looked up again: " + gateway.servers());

                Waiting.until(LIMIT, () -> answers(gateway).contains("127.0.0.3"), () -> "no turn for the new server");
                assertThat(answers(gateway)).doesNotContain("127.0.0.2");
                assertThat(gateway.servers()).containsEntry(key("127.0.0.2"), "draining");
                old.getOutputStream().write("still here\n".getBytes(UTF_8));
                assertThat(line(old)).isEqualTo("still here");
            }
            Waiting.until(LIMIT, () -> !gateway.servers().containsKey(key("127.0.0.2")), () -> "listed for ever");
            assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isZero();
        }
    }

    @Test
    void healthChecksFollowAName() throws Exception {
        serve("127.0.0.1");
        try (DnsServer dns = DnsServer.start("127.0.0.1 web.example")) {
            Gateway gateway = start(named("web.example", dns, CHECKS));
            dns.serve("127.0.0.1 web.example", "127.0.0.4 web.example");

            Waiting.until(
                    LIMIT,
                    () -> gateway.servers().getOrDefault(key("127.0.0.4"), "").startsWith("down: "),
                    () -> "not checked: " + gateway.servers());
            assertThat(gateway.servers()).containsEntry(key("127.0.0.1"), "up");
        }
    }

    @Test
    void dnsThatIsOutOfOrderChangesNothing() throws Exception {
        serve("127.0.0.1");
        try (DnsServer dns = DnsServer.start("127.0.0.1 web.example")) {
            Gateway gateway = start(named("web.example", dns, null));
            dns.kill();
            awaitFailures(gateway, 1);
            assertThat(answers(gateway)).containsExactly("127.0.0.1");
            dns.serve();
            awaitFailures(gateway, gateway.metrics().count(Metric.BACKEND_NAME_LOOKUP_FAILURES) + 1);
            assertThat(answers(gateway)).containsExactly("127.0.0.1");
            assertThat(fixture.lines())
                    .filteredOn(line -> line.contains("keeping its servers"))
                    .as("it is logged once")
                    .singleElement()
                    .asString()
                    .contains("lookup of web.example:" + port + " failed (", "keeping its servers 127.0.0.1:" + port);
            assertThat(gateway.metrics().count(Metric.BACKEND_NAMES_FAILING)).isEqualTo(1);

            dns.serve("127.0.0.1 web.example");
            Waiting.until(
                    LIMIT,
                    () -> fixture.lines().stream().anyMatch(line -> line.contains("resolves again")),
                    () -> "not looked up again: " + fixture.lines());
            assertThat(gateway.metrics().count(Metric.BACKEND_NAMES_FAILING)).isZero();
        }
    }

    @Test
    void aServiceBringsPortsAndBackups() throws Exception {
        serve("127.0.0.1", "127.0.0.2");
        String service = "--srv-host=_http._tcp.shop.example,%s.example," + port + ",%d,1";
        String[] hosts = {"127.0.0.1 one.example", "127.0.0.2 two.example"};
        try (DnsServer dns =
                DnsServer.start(hosts[0], hosts[1], service.formatted("one", 1), service.formatted("two", 2))) {
            Gateway gateway = start(backend(dns, null, new ServiceName("_http._tcp.shop.example")));
            assertThat(gateway.servers()).containsOnlyKeys(key("127.0.0.1"), key("127.0.0.2"));
            assertThat(answers(gateway)).as("the other is a backup").containsExactly("127.0.0.1");

            dns.serve(hosts[0], hosts[1], service.formatted("two", 1));
            Waiting.until(
                    LIMIT,
                    () -> answers(gateway).equals(Set.of("127.0.0.2")),
                    () -> "not looked up again: " + gateway.servers());
        }
    }

    private void awaitFailures(Gateway gateway, long count) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.BACKEND_NAME_LOOKUP_FAILURES) >= count,
                () -> "no lookup has failed");
    }

    /** Starts servers that say their address, and then send back what comes. */
    private void serve(String... addresses) throws IOException {
        for (String address : addresses) {
            fixture.closing(TestBackend.servingAt(
                    new ServerSocket(port, 100, InetAddress.ofLiteral(address)), socket -> {
                        socket.getOutputStream().write((address + "\n").getBytes(UTF_8));
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    }));
        }
    }

    private BackendConfig named(String name, DnsServer dns, @Nullable HealthConfig checks) {
        return backend(dns, checks, InetSocketAddress.createUnresolved(name, port));
    }

    private static BackendConfig backend(DnsServer dns, @Nullable HealthConfig checks, SocketAddress server) {
        return Copies.of(GatewayFixture.backend("web", ProxyProtocol.NONE, server))
                .health(checks)
                .slowStart(Duration.ZERO)
                .resolve(new ResolveConfig(ResolveConfig.LONGEST, List.of(dns.address())))
                .build();
    }

    private Gateway start(BackendConfig backend) {
        return fixture.start(fixture.config(route(backend)));
    }

    private String key(String address) {
        return "web " + address + ":" + port;
    }

    /** Returns the servers that ten connections get. */
    private static Set<String> answers(Gateway gateway) {
        Set<String> answers = new TreeSet<>();
        for (int i = 0; i < 10; i++) {
            try (SSLSocket socket =
                    TlsClient.plain().connect(gateway.addresses().getFirst())) {
                answers.add(line(socket));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return answers;
    }

    private static SSLSocket connectTo(Gateway gateway, String address) throws IOException {
        while (true) {
            SSLSocket socket = TlsClient.plain().connect(gateway.addresses().getFirst());
            if (line(socket).equals(address)) {
                return socket;
            }
            socket.close();
        }
    }

    private static String line(SSLSocket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read();
                next > '\n';
                next = socket.getInputStream().read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
