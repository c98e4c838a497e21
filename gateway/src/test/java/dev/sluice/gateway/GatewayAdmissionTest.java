package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * More handshakes than the limits allow: who waits, who is refused, and that established connections notice nothing.
 */
class GatewayAdmissionTest extends GatewayConformance {
    /** The start of a ClientHello: enough to begin a handshake, which takes its place in flight until more comes. */
    private static final byte[] HALF_HELLO = HexFormat.of().parseHex("16030102000100" + "01fc0303" + "00".repeat(32));

    private static final HandshakeLimits ONE_AT_A_TIME =
            Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build().withQueue(1, Duration.ofMinutes(1));

    @Test
    void resetsClientsWhenTheQueueIsFullAndServesTheOthers() throws Exception {
        Gateway gateway = gateway(ONE_AT_A_TIME);
        try (SSLSocket established = established(gateway);
                Socket holder = holding(gateway)) {
            CompletableFuture<SSLSocket> waiting = connecting(TlsClient.plain(), gateway);
            awaitCounter(gateway, 1, Metric.ADMISSION_QUEUED);
            assertEchoes(established);

            assertThatThrownBy(() -> TlsClient.plain().connect(address(gateway)))
                    .isInstanceOf(IOException.class);
            awaitEnds(gateway, "handshake_limit", 1);
            assertThat(fixture.lines()).anyMatch(line -> line.contains("raise limits.handshakes"));
            assertEchoes(established);
            assertThat(waiting).isNotDone();

            TlsClient.reset(holder);
            try (SSLSocket served = waiting.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEchoes(served);
            }
        }
        assertThat(gateway.metrics().count(Metric.ADMISSION_HANDSHAKES, "result", "refused"))
                .isEqualTo(1);
        assertThat(gateway.metrics().count(Metric.ADMISSION_HANDSHAKES, "result", "admitted"))
                .isEqualTo(3);
        assertThat(gateway.metrics().count(Metric.ADMISSION_QUEUED)).isEqualTo(1);
    }

    @Test
    void resetsClientsAfterTheLongestWait() throws Exception {
        Gateway gateway =
                gateway(Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build().withQueue(10, Duration.ofMillis(50)));
        try (Socket holder = holding(gateway)) {
            assertThatThrownBy(() -> TlsClient.plain().connect(address(gateway)))
                    .isInstanceOf(IOException.class);
            awaitEnds(gateway, "handshake_deadline", 1);
            assertThat(holder.isConnected()).isTrue();
        }
        TlsClient.plain().connect(address(gateway)).close();
    }

    /** One at a time: when the full handshake is complete, the resumed one has been so before. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void servesResumingClientsFirst(String version) throws Exception {
        Gateway gateway = gateway(ONE_AT_A_TIME.withQueue(10, Duration.ofMinutes(1)));
        TlsClient returning = TlsClient.plain().speaking(version);
        try (SSLSocket first = returning.connect(address(gateway))) {
            assertEchoes(first);
        }
        CompletableFuture<SSLSocket> full;
        CompletableFuture<Long> resumedBefore;
        CompletableFuture<SSLSocket> resuming;
        try (Socket holder = holding(gateway)) {
            full = connecting(TlsClient.plain().speaking(version), gateway);
            resumedBefore =
                    full.thenApply(complete -> gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "resumed"));
            awaitCounter(gateway, 1, Metric.ADMISSION_QUEUED);
            resuming = connecting(returning, gateway);
            awaitCounter(gateway, 2, Metric.ADMISSION_QUEUED);
            assertThat(holder.isConnected()).isTrue();
        }
        try (SSLSocket second = resuming.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                SSLSocket third = full.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            assertThat(resumedBefore.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
            assertEchoes(second);
            assertEchoes(third);
        }
    }

    /** One at a time, four that resume before it: three of them begin, then the full one, then the fourth. */
    @Test
    void keepsAShareOfTheTurnsForFullHandshakes() throws Exception {
        Gateway gateway = gateway(ONE_AT_A_TIME.withQueue(10, Duration.ofMinutes(1)));
        TlsClient returning = TlsClient.plain().speaking("TLSv1.2");
        try (SSLSocket first = returning.connect(address(gateway))) {
            assertEchoes(first);
        }
        CompletableFuture<SSLSocket> full;
        List<CompletableFuture<SSLSocket>> resuming = new ArrayList<>();
        List<CompletableFuture<Long>> fullBefore = new ArrayList<>();
        try (Socket holder = holding(gateway)) {
            full = connecting(TlsClient.plain(), gateway);
            awaitCounter(gateway, 1, Metric.ADMISSION_QUEUED);
            for (int i = 1; i <= 4; i++) {
                CompletableFuture<SSLSocket> client = connecting(returning, gateway);
                resuming.add(client);
                fullBefore.add(
                        client.thenApply(complete -> gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "full")));
                awaitCounter(gateway, i + 1, Metric.ADMISSION_QUEUED);
            }
            assertThat(holder.isConnected()).isTrue();
        }
        for (CompletableFuture<SSLSocket> client : resuming) {
            client.get(LIMIT.toSeconds(), TimeUnit.SECONDS).close();
        }
        full.get(LIMIT.toSeconds(), TimeUnit.SECONDS).close();

        // The one of the client that returns, and the one that waited before them.
        assertThat(fullBefore).extracting(CompletableFuture::join).contains(2L);
    }

    @Test
    void servesManyClientsAtOnce() throws Exception {
        Gateway gateway = gateway(HandshakeLimits.DEFAULT.withQueue(HandshakeLimits.QUEUE_MAX, Duration.ofMinutes(1)));
        List<CompletableFuture<SSLSocket>> clients = IntStream.range(0, 50)
                .mapToObj(i -> connecting(TlsClient.plain(), gateway))
                .toList();
        for (CompletableFuture<SSLSocket> client : clients) {
            try (SSLSocket served = client.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                assertEchoes(served);
            }
        }
        assertThat(gateway.metrics().count(Metric.ADMISSION_HANDSHAKES, "result", "refused"))
                .isZero();
    }

    // --- what tests need --------------------------------------------------------------------------------------------

    private Gateway gateway(HandshakeLimits limits) {
        GatewayConfig config = fixture.config(route(backend(
                "backend",
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.echoing()).address())));
        return fixture.start(Copies.of(config)
                .loops(1)
                .limits(Copies.of(config.limits())
                        .handshakeTimeout(LIMIT)
                        .handshakes(limits)
                        .build())
                .build());
    }

    /** A client whose handshake is over for the gateway, too. */
    private static SSLSocket established(Gateway gateway) throws IOException {
        SSLSocket client = TlsClient.plain().connect(address(gateway));
        assertEchoes(client);
        return client;
    }

    /** A client whose handshake has begun and does not go on. */
    private static Socket holding(Gateway gateway) throws IOException {
        long before = gateway.metrics().count(Metric.ADMISSION_HANDSHAKES, "result", "admitted");
        Socket socket = TlsClient.plainSocket(address(gateway));
        socket.getOutputStream().write(HALF_HELLO);
        awaitCounter(gateway, before + 1, Metric.ADMISSION_HANDSHAKES, "result", "admitted");
        return socket;
    }

    private static CompletableFuture<SSLSocket> connecting(TlsClient client, Gateway gateway) {
        CompletableFuture<SSLSocket> connected = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                connected.complete(client.connect(address(gateway)));
            } catch (IOException | RuntimeException e) {
                connected.completeExceptionally(e);
            }
        });
        return connected;
    }

    private static void awaitCounter(Gateway gateway, long count, Metric metric, String... labels) {
        Waiting.until(
                LIMIT,
                () -> gateway.metrics().count(metric, labels) >= count,
                () -> metric + "=" + gateway.metrics().count(metric, labels) + ", ends="
                        + gateway.metrics().countBy(Metric.CONNECTION_ENDS, "reason"));
    }

    private static void assertEchoes(SSLSocket client) throws IOException {
        client.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.getInputStream().readNBytes(5))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("hello");
    }

    private static InetSocketAddress address(Gateway gateway) {
        return gateway.addresses().getFirst();
    }
}
