package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.certificate;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HealthConfig;
import dev.sluice.config.model.HealthConfig.Kind;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.backend.TestNames;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Backends whose servers are names that have no address, or not yet, or not any more. */
class UnresolvedServersTest extends GatewayConformance {
    private static final String NAME = "web.example";

    private final TestNames names = new TestNames();

    @Test
    void aGatewayStartsWithoutThemAndUsesThemAsSoonAsTheyResolve() throws Exception {
        TestBackend server = fixture.closing(TestBackend.saying("hello"));
        Gateway gateway = start(backend("web", ProxyProtocol.NONE, named(server)));
        assertThat(ask(gateway))
                .as("closed with close_notify, after the handshake")
                .isEmpty();
        awaitEnds(gateway, "backend_unresolved", 1);
        assertThat(gateway.servers())
                .containsEntry("web " + NAME + ":" + port(server), "down: " + NAME + " does not resolve");
        assertThat(fixture.lines())
                .filteredOn(line -> line.contains("is down: " + NAME + " does not resolve"))
                .hasSize(1);

        names.set(NAME, "127.0.0.1");

        Waiting.until(LIMIT, () -> isServed(gateway), () -> "the name is not used: " + fixture.lines());
        assertThat(gateway.servers()).containsOnly(Map.entry("web 127.0.0.1:" + port(server), "up"));
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isZero();
    }

    @Test
    void othersTakeTheirConnections() throws Exception {
        TestBackend server = fixture.closing(TestBackend.saying("hello"));
        BackendConfig pair =
                backend("pair", ProxyProtocol.NONE, InetSocketAddress.createUnresolved(NAME, 1), server.address());
        Gateway gateway = start(Copies.of(pair)
                .health(new HealthConfig(Kind.CONNECT, "/", "", Duration.ofMillis(50), Duration.ofSeconds(5), 2, 2))
                .build());

        for (int i = 0; i < 10; i++) {
            assertThat(ask(gateway)).isEqualTo("hello");
        }
        awaitEnds(gateway, "completed", 10);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isZero();
        assertThat(gateway.metrics().count(Metric.BACKEND_HEALTH_CHECK_FAILURES))
                .isZero();
    }

    @Test
    void theLastServerThatHasAnAddressNamesTheReason() throws Exception {
        BackendConfig pair = backend(
                "pair",
                ProxyProtocol.NONE,
                InetSocketAddress.createUnresolved(NAME, 1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        Gateway gateway = start(pair);

        assertThat(ask(gateway)).isEmpty();

        awaitEnds(gateway, "backend_connection_refused", 1);
    }

    @Test
    void aReloadKeepsTheAddressOfANameThatDoesNotResolveAnyMore() throws Exception {
        TestBackend server = fixture.closing(TestBackend.saying("hello"));
        BackendConfig web = backend("web", ProxyProtocol.NONE, named(server));
        names.set(NAME, "127.0.0.1");
        Gateway gateway = start(web);
        assertThat(ask(gateway)).isEqualTo("hello");

        names.set(NAME);
        Credential renewed = TestCertificates.shared()
                .issue(CertificateRequest.named("renewed").forHosts("localhost"));
        gateway.reload(config(renewed, web));
        assertThat(presented(gateway)).isEqualTo(renewed.certificate());
        assertThat(ask(gateway)).isEqualTo("hello");

        // Another configuration of the backend, of which a new object is made.
        gateway.reload(config(renewed, Copies.of(web).retries(0).build()));
        assertThat(ask(gateway)).isEqualTo("hello");
    }

    @Test
    void aReloadWithANewNameThatDoesNotResolveIsServed() throws Exception {
        TestBackend server = fixture.closing(TestBackend.saying("hello"));
        Gateway gateway = start(backend("web", ProxyProtocol.NONE, server.address()));

        gateway.reload(fixture.config(route(backend("web", ProxyProtocol.NONE, named(server)))));

        assertThat(ask(gateway)).isEmpty();
        awaitEnds(gateway, "backend_unresolved", 1);
        names.set(NAME, "127.0.0.1");
        Waiting.until(LIMIT, () -> isServed(gateway), () -> "the name is not used: " + fixture.lines());
    }

    @Test
    void aReloadLooksNamesUpAgain() throws Exception {
        TestBackend server = fixture.closing(TestBackend.saying("hello"));
        BackendConfig web = backend("web", ProxyProtocol.NONE, named(server));
        names.set(NAME, "127.0.0.2");
        Gateway gateway = start(web);
        assertThat(ask(gateway)).as("nobody listens there").isEmpty();

        names.set(NAME, "127.0.0.1");
        gateway.reload(fixture.config(route(web)));

        Waiting.until(LIMIT, () -> isServed(gateway), () -> "not looked up again: " + fixture.lines());
    }

    private Gateway start(BackendConfig backend) {
        return fixture.start(fixture.config(route(backend)), names);
    }

    private GatewayConfig config(Credential credential, BackendConfig backend) {
        return fixture.config(listener(
                List.of(certificate("test", "localhost", credential)), List.of(), TlsOptions.DEFAULT, route(backend)));
    }

    private static InetSocketAddress named(TestBackend server) {
        return InetSocketAddress.createUnresolved(NAME, port(server));
    }

    private static int port(TestBackend server) {
        return server.address().getPort();
    }

    private static boolean isServed(Gateway gateway) {
        return "hello".equals(orNothing(() -> ask(gateway)));
    }

    private static Object orNothing(Callable<?> callable) {
        try {
            return callable.call();
        } catch (Exception reset) {
            return "";
        }
    }

    /** Read to its end: a connection that is not closed by close_notify throws. */
    private static String ask(Gateway gateway) throws IOException {
        try (SSLSocket socket = TlsClient.plain().connect(gateway.addresses().getFirst())) {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static Object presented(Gateway gateway) throws IOException {
        try (SSLSocket socket = TlsClient.plain().connect(gateway.addresses().getFirst())) {
            return socket.getSession().getPeerCertificates()[0];
        }
    }
}
