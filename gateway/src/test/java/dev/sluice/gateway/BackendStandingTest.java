package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.EjectConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.HealthConfig.Kind;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.ServerConfig;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Servers that fail, and come back. */
class BackendStandingTest extends GatewayConformance {
    private static final EjectConfig FOR_LONG = new EjectConfig(3, Duration.ofHours(1), Duration.ofHours(1));
    private static final HealthConfig OFTEN =
            new HealthConfig(Kind.CONNECT, "/", "", Duration.ofMillis(50), Duration.ofSeconds(5), 2, 2);

    private final AtomicReference<String> status = new AtomicReference<>("200 OK");

    @Test
    void aServerThatRefusesIsPassedOver() throws Exception {
        TestBackend good = fixture.closing(TestBackend.saying("hello"));
        InetSocketAddress nobody = nobody();
        Gateway gateway = start(Copies.of(backend("pair", ProxyProtocol.NONE, nobody, good.address()))
                .eject(FOR_LONG)
                .build());

        for (int i = 0; i < 20; i++) {
            assertThat(ask(gateway)).isEqualTo("hello");
        }

        awaitEnds(gateway, "completed", 20);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isEqualTo(3);
        assertThat(gateway.metrics().count(Metric.BACKEND_EJECTIONS)).isEqualTo(1);
        assertThat(state(gateway, nobody)).isEqualTo("ejected");
        assertThat(state(gateway, good.address())).isEqualTo("up");
        assertThat(fixture.lines())
                .filteredOn(line -> line.contains("is ejected for 1h: 3 connects in a row failed"))
                .hasSize(1);
    }

    @Test
    void anEjectedServerThatIsTheOnlyOneIsTriedAllTheSame() throws Exception {
        int port = FreePort.onLoopback();
        BackendConfig lone = Copies.of(backend("lone", ProxyProtocol.NONE, at(port)))
                .eject(FOR_LONG)
                .build();
        Gateway gateway = start(lone);
        for (int i = 0; i < 4; i++) {
            assertThat(ask(gateway)).isEmpty();
        }
        awaitEnds(gateway, "backend_connection_refused", 4);

        fixture.closing(TestBackend.servingAt(port, socket -> say(socket, "back")));
        assertThat(ask(gateway)).isEqualTo("back");
        assertThat(state(gateway, at(port))).isEqualTo("up");
    }

    @Test
    void noMoreServersAreTriedThanIsWanted() throws Exception {
        TestBackend good = fixture.closing(TestBackend.saying("hello"));
        BackendConfig pair = Copies.of(backend("pair", ProxyProtocol.NONE, nobody(), good.address()))
                .eject(null)
                .build();
        Gateway gateway = start(Copies.of(pair).retries(0).build());
        int answered = 0;
        for (int i = 0; i < 8; i++) {
            answered += ask(gateway).isEmpty() ? 0 : 1;
        }
        // Each loop goes to one and the other in turn, and the second loop begins with the other.
        assertThat(answered).isEqualTo(4);
        awaitEnds(gateway, "backend_connection_refused", 4);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isEqualTo(4);
        assertThat(gateway.metrics().count(Metric.BACKEND_RETRIES)).isZero();
    }

    @Test
    void usesABackupOnlyWhileThePrimaryIsOut() throws Exception {
        int port = FreePort.onLoopback();
        TestBackend backup = fixture.closing(TestBackend.saying("backup"));
        BackendConfig pair = Copies.of(backend("pair", ProxyProtocol.NONE, at(port)))
                .configs(List.of(
                        new ServerConfig(backup.address(), 7, ServerConfig.Role.BACKUP), ServerConfig.of(at(port))))
                .eject(null)
                .build();
        Gateway gateway = start(pair);
        assertThat(ask(gateway)).isEqualTo("backup");

        fixture.closing(TestBackend.servingAt(port, socket -> say(socket, "primary")));
        for (int i = 0; i < 10; i++) {
            assertThat(ask(gateway)).isEqualTo("primary");
        }
        assertThat(gateway.metrics().samples(Metric.BACKEND_WEIGHT))
                .extracting(MetricSample::labelValues, MetricSample::value)
                .contains(tuple(List.of("pair", ServerConfig.text(backup.address()), "backup"), 7.0));
    }

    @Test
    void checksByHttpTakeAServerOutAndBringItBack() throws Exception {
        TestBackend checked = fixture.closing(TestBackend.serving(socket -> answer(socket, status.get(), "first")));
        TestBackend other = fixture.closing(TestBackend.serving(socket -> answer(socket, "204 No", "second")));
        BackendConfig pair = Copies.of(backend("pair", ProxyProtocol.NONE, checked.address(), other.address()))
                .slowStart(Duration.ZERO)
                .health(new HealthConfig(
                        Kind.HTTP, "/health", "pair.internal", Duration.ofMillis(50), Duration.ofSeconds(5), 2, 2))
                .build();
        Gateway gateway = start(pair);
        assertThat(get(gateway, 4)).contains("first", "second");

        status.set("503 Busy");
        awaitState(gateway, checked, "down");
        assertThat(get(gateway, 10)).containsOnly("second");
        status.set("302 Found");
        awaitState(gateway, checked, "up");
        assertThat(get(gateway, 10)).contains("first", "second");
        assertThat(gateway.metrics().count(Metric.BACKEND_HEALTH_CHECK_FAILURES))
                .isGreaterThanOrEqualTo(2);
        assertThat(fixture.lines())
                .anyMatch(line -> line.contains(
                        " is down: 2 checks in a row failed, the last: GET /health was answered" + " by 503"))
                .anyMatch(line -> line.contains(" is up again after "));
    }

    @Test
    void checksByConnectFollowWhoListens() throws Exception {
        TestBackend first = TestBackend.saying("hello");
        BackendConfig lone = Copies.of(backend("lone", ProxyProtocol.V2, first.address()))
                .eject(null)
                .health(OFTEN)
                .build();
        Gateway gateway = start(lone);
        Waiting.until(LIMIT, () -> gateway.metrics().count(Metric.BACKEND_HEALTH_CHECKS) > 3, () -> "no checks");
        assertThat(state(gateway, first.address())).isEqualTo("up");

        first.close();
        awaitState(gateway, first, "down");
        fixture.closing(TestBackend.servingAt(first.address().getPort(), socket -> say(socket, "back")));
        awaitState(gateway, first, "up");
    }

    @Test
    void aServerThatDoesNotAnswerIsDown() throws Exception {
        TestBackend silent = fixture.closing(
                TestBackend.serving(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream())));
        HealthConfig impatient =
                new HealthConfig(Kind.HTTP, "/", "", Duration.ofMillis(50), Duration.ofMillis(100), 1, 2);
        Gateway gateway = start(Copies.of(backend("silent", ProxyProtocol.NONE, silent.address()))
                .health(impatient)
                .build());

        awaitState(gateway, silent, "down");
        assertThat(fixture.lines()).anyMatch(line -> line.contains("no answer within 100ms (timeout of the check)"));
    }

    @Test
    void whatIsKnownOutlivesAReloadAndWhatIsNotUsedIsNotChecked() throws Exception {
        TestBackend good = fixture.closing(TestBackend.saying("hello"));
        InetSocketAddress nobody = nobody();
        BackendConfig pair = Copies.of(backend("pair", ProxyProtocol.NONE, nobody, good.address()))
                .eject(null)
                .health(OFTEN)
                .build();
        Gateway gateway = start(pair);
        awaitState(gateway, nobody, "down");

        gateway.reload(config(Copies.of(pair).slowStart(Duration.ofSeconds(1)).build()));
        assertThat(state(gateway, nobody)).isEqualTo("down");
        assertThat(state(gateway, good.address())).isEqualTo("up");

        gateway.reload(config(backend("other", ProxyProtocol.NONE, good.address())));
        assertThat(state(gateway, nobody)).isEqualTo("not there");
        assertThat(ask(gateway)).isEqualTo("hello");
        long checks = gateway.metrics().count(Metric.BACKEND_HEALTH_CHECKS);
        Thread.sleep(3 * OFTEN.interval().toMillis());
        assertThat(gateway.metrics().count(Metric.BACKEND_HEALTH_CHECKS)).isEqualTo(checks);
    }

    /** Two of three servers at most are away at a time: whoever is not bound to one that goes is served. */
    @Test
    void nobodyNoticesServersThatComeAndGo() throws Exception {
        List<TestBackend> servers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            servers.add(TestBackend.saying("hello"));
        }
        InetSocketAddress[] addresses =
                servers.stream().map(TestBackend::address).toArray(InetSocketAddress[]::new);
        BackendConfig flapping = Copies.of(backend("flapping", ProxyProtocol.NONE, addresses))
                .eject(new EjectConfig(2, Duration.ofMillis(50), Duration.ofMillis(200)))
                .slowStart(Duration.ofMillis(100))
                .health(OFTEN)
                .build();
        Gateway gateway = start(flapping);
        AtomicInteger unserved = new AtomicInteger();
        List<Thread> clients = new ArrayList<>();
        AtomicInteger left = new AtomicInteger(400);
        for (int i = 0; i < 4; i++) {
            clients.add(Thread.ofPlatform().start(() -> {
                while (left.getAndDecrement() > 0) {
                    unserved.addAndGet(isServed(gateway) ? 0 : 1);
                }
            }));
        }
        for (int round = 0; left.get() > 0; round++) {
            int which = round % 3;
            servers.get(which).stopListening();
            Thread.sleep(20);
            int next = (which + 1) % 3;
            servers.get(next).stopListening();
            Thread.sleep(20);
            servers.set(which, back(addresses[which].getPort()));
            servers.set(next, back(addresses[next].getPort()));
        }
        for (Thread client : clients) {
            client.join();
        }
        servers.forEach(fixture::closing);

        // A connection that the kernel had accepted for a server that went away is reset: that client was bound to it.
        long bound = gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason").entrySet().stream()
                .filter(end -> end.getKey().equals("backend_connection_reset")
                        || end.getKey().equals("backend_broken_pipe"))
                .mapToLong(java.util.Map.Entry::getValue)
                .sum();
        assertThat(gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason").keySet())
                .isSubsetOf("completed", "backend_connection_reset", "backend_broken_pipe");
        assertThat((long) unserved.get()).isLessThanOrEqualTo(bound);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isPositive();
    }

    /** Some connection of this machine may have the port at its own end meanwhile. */
    private static TestBackend back(int port) {
        AtomicReference<TestBackend> server = new AtomicReference<>();
        Waiting.until(LIMIT, () -> isServing(port, server), () -> "port " + port + " stays in use");
        return server.get();
    }

    private static boolean isServing(int port, AtomicReference<TestBackend> server) {
        try {
            server.set(TestBackend.servingAt(port, socket -> say(socket, "hello")));
            return true;
        } catch (UncheckedIOException inUse) {
            return false;
        }
    }

    private static boolean isServed(Gateway gateway) {
        try {
            return ask(gateway).equals("hello");
        } catch (IOException reset) {
            return false;
        }
    }

    // --- what the tests are made of ---------------------------------------------------------------------------------

    private GatewayConfig config(BackendConfig backend) {
        return fixture.config(route(backend));
    }

    private Gateway start(BackendConfig backend) {
        return fixture.start(config(backend));
    }

    private static InetSocketAddress nobody() {
        return at(FreePort.onLoopback());
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static void awaitState(Gateway gateway, TestBackend server, String state) {
        awaitState(gateway, server.address(), state);
    }

    private static void awaitState(Gateway gateway, InetSocketAddress server, String state) {
        Waiting.until(
                LIMIT, () -> state(gateway, server).equals(state), () -> "never " + state + ": " + gateway.servers());
    }

    private static String state(Gateway gateway, InetSocketAddress server) {
        return gateway.servers().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(":" + server.getPort()))
                .map(entry -> entry.getValue().split(":", 2)[0])
                .findFirst()
                .orElse("not there");
    }

    private static String ask(Gateway gateway) throws IOException {
        try (SSLSocket socket = TlsClient.plain().connect(gateway.addresses().getFirst())) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static void say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(UTF_8));
        socket.shutdownOutput();
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private static List<String> get(Gateway gateway, int times) throws IOException {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            try (SSLSocket socket =
                    TlsClient.plain().connect(gateway.addresses().getFirst())) {
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
                String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
                bodies.add(answer.substring(answer.indexOf("\r\n\r\n") + 4));
            }
        }
        return bodies;
    }

    private static void answer(Socket socket, String status, String body) throws IOException {
        StringBuilder head = new StringBuilder();
        InputStream input = socket.getInputStream();
        for (int next = input.read(); next >= 0 && head.indexOf("\r\n\r\n") < 0; next = input.read()) {
            head.append((char) next);
            if (head.toString().endsWith("\r\n\r\n")) {
                break;
            }
        }
        boolean check = head.toString().startsWith("GET /health HTTP/1.1\r\nHost: pair.internal\r\n");
        say(socket, "HTTP/1.1 " + (check ? status : "200 OK") + "\r\nConnection: close\r\n\r\n" + body);
    }
}
