package dev.sluice.gateway.reload;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.certificate;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.Copies;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayConformance;
import dev.sluice.gateway.TestBackend;
import dev.sluice.gateway.TlsClient;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.outcome.GatewayStartException;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

/** Another configuration while clients are there; nothing of an old one may be left in the end. */
class ReloadTest extends GatewayConformance {
    private static final int RELOADS = 300;
    private static final int CLIENTS = 2;
    private static final Duration LIMIT = Waiting.LIMIT;

    private final Credential first = TestCertificates.shared().server();
    private final Credential second =
            TestCertificates.shared().issue(CertificateRequest.named("second").forHosts("localhost"));

    @Test
    void newConnectionsGetTheNewCertificateAndOldOnesGoOn() throws IOException {
        RouteConfig route = route(backend("echo", ProxyProtocol.NONE, echoing()));
        Gateway gateway = fixture.start(serving(first, route));
        InetSocketAddress address = gateway.addresses().getFirst();
        try (SSLSocket old = TlsClient.plain().connect(address)) {
            assertEchoes(old);

            assertThat(gateway.reload(serving(second, route))).isEmpty();

            assertEchoes(old);
            assertThat(presented(address)).isEqualTo(second.certificate());
            assertThat(gateway.addresses()).containsExactly(address);
        }
    }

    /** The keys stay: who has a ticket from before can use it again when tickets are on again. */
    @Test
    void ticketsCanBeTurnedOffAndOn() throws IOException {
        GatewayConfig config = serving(first, route(backend("echo", ProxyProtocol.NONE, echoing())));
        Gateway gateway = fixture.start(config);
        InetSocketAddress address = gateway.addresses().getFirst();
        TlsClient early = TlsClient.plain();
        echoOnce(early, address);

        assertThat(gateway.reload(Copies.of(config).tickets(null).build())).isEmpty();
        TlsClient late = TlsClient.plain();
        echoOnce(late, address);
        echoOnce(late, address);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "full"))
                .isEqualTo(3);

        assertThat(gateway.reload(config)).isEmpty();
        echoOnce(early, address);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "full"))
                .isEqualTo(3);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "resumed"))
                .isEqualTo(1);
    }

    @Test
    void aSessionOfTheOldCertificateDoesNotResumeUnderTheNewOne() throws IOException {
        RouteConfig route = route(backend("echo", ProxyProtocol.NONE, echoing()));
        Gateway gateway = fixture.start(serving(first, route));
        InetSocketAddress address = gateway.addresses().getFirst();
        TlsClient client = TlsClient.plain();
        echoOnce(client, address);

        gateway.reload(serving(first, route));
        echoOnce(client, address);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "resumed"))
                .isEqualTo(1);

        gateway.reload(serving(second, route));
        echoOnce(client, address);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "resumed"))
                .isEqualTo(1);
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "full"))
                .isEqualTo(2);
    }

    @Test
    void newConnectionsGoWhereTheNewRoutesLead() throws IOException {
        Gateway gateway = fixture.start(serving(first, route(saying("one"))));
        assertThat(told(gateway, 0)).isEqualTo("one");

        gateway.reload(serving(first, route(saying("two"))));

        assertThat(told(gateway, 0)).isEqualTo("two");
    }

    @Test
    void listenersComeAndGo() throws IOException {
        RouteConfig route = route(backend("echo", ProxyProtocol.NONE, echoing()));
        GatewayConfig one = serving(first, route);
        GatewayConfig two = Copies.of(one)
                .listeners(List.of(
                        one.listeners().getFirst(),
                        at(loopback(FreePort.onLoopback()), one.listeners().getFirst())))
                .build();
        Gateway gateway = fixture.start(one);

        gateway.reload(two);
        InetSocketAddress added = gateway.addresses().get(1);
        try (SSLSocket client = TlsClient.plain().connect(added)) {
            assertEchoes(client);
            gateway.reload(one);

            assertEchoes(client);
            assertThat(gateway.addresses()).hasSize(1);
            awaitRefusal(added);
        }
        assertThat(presented(gateway.addresses().getFirst())).isEqualTo(first.certificate());
    }

    /** The socket closes when the kernel has given up to accept on it, in a later turn of the loop. */
    private static void awaitRefusal(InetSocketAddress address) {
        Waiting.until(LIMIT, () -> isRefused(address), () -> address + " still takes connections");
    }

    private static boolean isRefused(InetSocketAddress address) {
        try (Socket accepted = new Socket(address.getAddress(), address.getPort())) {
            return !accepted.isConnected();
        } catch (ConnectException refused) {
            return true;
        } catch (IOException other) {
            return false;
        }
    }

    @Test
    void otherLimitsHoldAtOnce() throws IOException {
        RouteConfig route = route(backend("echo", ProxyProtocol.NONE, echoing()));
        GatewayConfig config = serving(first, route);
        Gateway gateway = fixture.start(config);
        InetSocketAddress address = gateway.addresses().getFirst();
        try (SSLSocket open = TlsClient.plain().connect(address)) {
            assertEchoes(open);

            gateway.reload(
                    Copies.of(config).limits(config.limits().withConnections(1)).build());

            assertThatThrownBy(() -> TlsClient.plain().connect(address)).isInstanceOf(IOException.class);
            assertEchoes(open);
        }
    }

    @Test
    void aKeyThatDoesNotFitIsRefusedAndNothingChanges() throws IOException {
        RouteConfig route = route(backend("echo", ProxyProtocol.NONE, echoing()));
        Gateway gateway = fixture.start(serving(first, route));
        Credential broken = new Credential(second.chainFile(), first.keyFile(), second.chain(), second.key());

        assertThatThrownBy(() -> gateway.reload(serving(broken, route)))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining(first.keyFile().toString());

        assertThat(presented(gateway.addresses().getFirst())).isEqualTo(first.certificate());
    }

    @Test
    void aTakenPortIsRefusedAndNothingChanges() throws IOException {
        RouteConfig route = route(backend("echo", ProxyProtocol.NONE, echoing()));
        Gateway gateway = fixture.start(serving(first, route));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            GatewayConfig next = serving(second, route);
            ListenerConfig there =
                    at(loopback(taken.getLocalPort()), next.listeners().getFirst());

            assertThatThrownBy(() -> gateway.reload(Copies.of(next)
                            .listeners(List.of(next.listeners().getFirst(), there))
                            .build()))
                    .isInstanceOf(GatewayStartException.class)
                    .hasMessageContaining("is in use");
        }
        assertThat(gateway.addresses()).hasSize(1);
        assertThat(presented(gateway.addresses().getFirst())).isEqualTo(first.certificate());
    }

    @Test
    void whatTakesARestartIsTold() throws IOException {
        GatewayConfig config = serving(first, route(saying("one")));
        Gateway gateway = fixture.start(config);

        assertThat(gateway.reload(Copies.of(config).loops(3).build()))
                .singleElement()
                .asString()
                .contains("loops");
        assertThat(gateway.reload(config)).isEmpty();
    }

    @Test
    void whoeverDrainsReloadsNoMore() throws Exception {
        GatewayConfig config = serving(first, route(saying("one")));
        Gateway gateway = fixture.start(config);
        gateway.drain(Duration.ofSeconds(1));

        assertThatThrownBy(() -> gateway.reload(config))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("drain");
    }

    @Test
    void noHandshakeFailsWhileItReloadsAllTheTime() throws Exception {
        RouteConfig route = route(saying("hello"));
        List<GatewayConfig> configs = List.of(serving(first, route), serving(second, route));
        Gateway gateway = fixture.start(configs.getFirst());
        AtomicBoolean done = new AtomicBoolean();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            Callable<Integer> comesAndGoes = () -> {
                int told = 0;
                while (!done.get()) {
                    assertThat(told(gateway, 0)).isEqualTo("hello");
                    told++;
                }
                return told;
            };
            List<Future<Integer>> counts = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                counts.add(clients.submit(comesAndGoes));
            }
            for (int i = 0; i < RELOADS; i++) {
                gateway.reload(configs.get(i % 2));
            }
            done.set(true);
            for (Future<Integer> count : counts) {
                assertThat(count.get()).isPositive();
            }
        }
        assertThat(gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason").keySet())
                .containsExactly("completed");
    }

    // --- configurations ---------------------------------------------------------------------------------------------

    private GatewayConfig serving(Credential credential, RouteConfig... routes) {
        return fixture.config(
                listener(List.of(certificate("main", "localhost", credential)), List.of(), TlsOptions.DEFAULT, routes));
    }

    private static ListenerConfig at(InetSocketAddress address, ListenerConfig like) {
        return new ListenerConfig(
                address, like.certificates(), like.alpn(), like.tls(), like.routes(), "test.yaml:2:1");
    }

    private InetSocketAddress echoing() throws IOException {
        return fixture.closing(TestBackend.echoing()).address();
    }

    private BackendConfig saying(String what) throws IOException {
        return backend(
                what,
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.saying(what)).address());
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    // --- clients ----------------------------------------------------------------------------------------------------

    private static X509Certificate presented(InetSocketAddress address) throws IOException {
        try (SSLSocket client = TlsClient.plain().connect(address)) {
            return (X509Certificate) client.getSession().getPeerCertificates()[0];
        }
    }

    private static String told(Gateway gateway, int listener) throws IOException {
        try (SSLSocket client = TlsClient.plain().connect(gateway.addresses().get(listener))) {
            return new String(client.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static void echoOnce(TlsClient client, InetSocketAddress address) throws IOException {
        try (SSLSocket socket = client.connect(address)) {
            assertEchoes(socket);
        }
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        client.getOutputStream().write('x');
        assertThat(client.getInputStream().read()).isEqualTo('x');
    }
}
