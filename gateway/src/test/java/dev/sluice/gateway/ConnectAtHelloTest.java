package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.listener;
import static dev.sluice.gateway.GatewayFixture.route;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.BackendConfig.ConnectMode;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.ServerNamePattern;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.context.HandshakePath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Backends that are connected to when a ClientHello has come, beside the handshake. */
class ConnectAtHelloTest extends GatewayConformance {
    private static final int HELLO_BYTES_MAX = 16_384;

    @ParameterizedTest
    @EnumSource(
            value = HandshakePath.class,
            names = {"LEAN", "LIBSSL"})
    void servesClients(HandshakePath path) throws Exception {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        Gateway gateway = fixture.start(fixture.config(
                listener(List.of(), TlsOptions.DEFAULT.withHandshake(path), route(early(echo.address())))));
        TlsClient client = TlsClient.plain();
        for (int i = 0; i < 3; i++) { // the later ones resume
            try (SSLSocket socket = client.connect(gateway.addresses().getFirst())) {
                socket.getOutputStream().write("ping".getBytes(US_ASCII));
                assertThat(socket.getInputStream().readNBytes(4))
                        .asString(US_ASCII)
                        .isEqualTo("ping");
            }
        }
        awaitEnds(gateway, "completed", 3);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isEqualTo(3);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS_UNUSED)).isZero();
    }

    @Test
    void connectsBeforeTheClientHasAnswered() throws Exception {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        Gateway gateway = fixture.start(fixture.config(route(early(echo.address()))));
        Socket client = sendHello(gateway, "localhost");
        Waiting.until(LIMIT, () -> echo.open() == 1, () -> "no connection to the backend");
        // The kernel connects before the loop knows, and a connect that is under way is given up, not unused.
        Waiting.until(
                LIMIT, () -> gateway.metrics().count(Metric.BACKEND_CONNECTS) == 1, () -> "no connect is counted");
        assertThat(gateway.metrics().count(Metric.TLS_HANDSHAKES)).isZero();
        TlsClient.reset(client);
        awaitUnused(gateway, echo);
    }

    @Test
    void waitsForTheHandshakeByDefault() throws Exception {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        Gateway gateway = fixture.before(echo);
        try (Socket client = sendHello(gateway, "localhost")) {
            assertThat(client.getInputStream().read()).isNotNegative();
            assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isZero();
            assertThat(echo.open()).isZero();
        }
    }

    /** The protocol is negotiated in the handshake, and the first route that matches needs it. */
    @Test
    void waitsForTheHandshakeWhereTheProtocolDecides() throws Exception {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        TestBackend other = fixture.closing(TestBackend.saying("other"));
        BackendConfig http2 = Copies.of(backend("http2", ProxyProtocol.NONE, other.address()))
                .connect(ConnectMode.AT_HELLO)
                .build();
        Gateway gateway = fixture.start(
                fixture.config(new RouteConfig(ServerNamePattern.ANY, "h2", http2), route(early(echo.address()))));
        try (Socket client = sendHello(gateway, "localhost")) {
            assertThat(client.getInputStream().read()).isNotNegative();
            assertThat(gateway.metrics().count(Metric.BACKEND_CONNECTS)).isZero();
        }
        try (SSLSocket socket =
                TlsClient.plain().offering("h2").connect(gateway.addresses().getFirst())) {
            assertThat(socket.getInputStream().readAllBytes())
                    .asString(US_ASCII)
                    .isEqualTo("other");
        }
    }

    @Test
    void sendsTheAlertOfAFailedHandshake() throws Exception {
        TestBackend echo = fixture.closing(TestBackend.echoing());
        Gateway gateway = fixture.start(fixture.config(route(early(echo.address()))));
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> TlsClient.plain()
                            .offering("unknown")
                            .connect(gateway.addresses().getFirst()))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("no_application_protocol");
        }
        Waiting.until(LIMIT, () -> echo.open() == 0, () -> echo.open() + " connections to the backend");
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.CONNECTIONS) == 0,
                () -> gateway.metrics().count(Metric.CONNECTIONS) + " clients");
    }

    @Test
    void passesOnWhatTheServerSaysBeforeTheHandshakeIsComplete() throws Exception {
        TestBackend greeting = fixture.closing(TestBackend.saying("hello from the server"));
        Gateway gateway = fixture.start(fixture.config(route(early(greeting.address()))));
        try (Socket raw = TlsClient.plainSocket(gateway.addresses().getFirst());
                SSLSocket socket = TlsClient.plain().over(raw)) {
            assertThat(socket.getInputStream().readAllBytes())
                    .asString(US_ASCII)
                    .isEqualTo("hello from the server");
        }
        awaitEnds(gateway, "completed", 1);
    }

    @Test
    void triesAgainAfterTheHandshakeWhenNoServerAccepts() throws Exception {
        int port = FreePort.onLoopback();
        Gateway gateway = fixture.start(
                fixture.config(route(early(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))));
        try (SSLSocket socket = TlsClient.plain().connect(gateway.addresses().getFirst())) {
            assertThat(socket.getInputStream().read()).isNegative();
        } catch (SSLException | SocketException reset) {
            // also an answer
        }
        awaitEnds(gateway, "backend_connection_refused", 1);
        assertThat(gateway.metrics().count(Metric.BACKEND_CONNECT_FAILURES)).isEqualTo(2);
    }

    private static BackendConfig early(SocketAddress server) {
        return Copies.of(backend("early", ProxyProtocol.NONE, server))
                .connect(ConnectMode.AT_HELLO)
                .build();
    }

    private static Socket sendHello(Gateway gateway, String serverName) throws IOException, GeneralSecurityException {
        Socket socket = TlsClient.plainSocket(gateway.addresses().getFirst());
        socket.getOutputStream().write(hello(serverName));
        return socket;
    }

    private static byte[] hello(String serverName) throws SSLException, GeneralSecurityException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(serverName)));
        parameters.setApplicationProtocols(new String[] {"h2"});
        engine.setSSLParameters(parameters);
        ByteBuffer bytes = ByteBuffer.allocate(2 * HELLO_BYTES_MAX);
        engine.wrap(ByteBuffer.allocate(0), bytes);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static void awaitUnused(Gateway gateway, TestBackend backend) {
        Waiting.until(LIMIT, () -> backend.open() == 0, () -> "the backend's connection stays open");
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(Metric.BACKEND_CONNECTS_UNUSED) == 1,
                () -> "unused=" + gateway.metrics().count(Metric.BACKEND_CONNECTS_UNUSED));
    }
}
