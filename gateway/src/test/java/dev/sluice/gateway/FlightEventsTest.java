package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.gateway.flight.Flight;
import dev.sluice.gateway.tickets.TicketKeyLog;
import dev.sluice.gateway.tickets.TicketKeys;
import dev.sluice.testkit.Waiting;
import dev.sluice.tls.ticket.TicketKeyInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;
import jdk.jfr.Configuration;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;

/** Tests of the events that Flight Recorder itself records, by the settings that the documentation names. */
class FlightEventsTest extends GatewayConformance {
    private static final Path SETTINGS = Path.of("..", "docs", "sluice.jfc");
    private static final Duration LIMIT = Waiting.LIMIT;

    private final Queue<RecordedEvent> recorded = new ConcurrentLinkedQueue<>();

    private List<RecordedEvent> events(String name) {
        return recorded.stream()
                .filter(event -> event.getEventType().getName().equals("dev.sluice." + name))
                .toList();
    }

    private RecordedEvent await(String name) {
        Waiting.until(LIMIT, () -> !events(name).isEmpty(), () -> "no event " + name + ": " + recorded);
        return events(name).getFirst();
    }

    private RecordingStream record() throws Exception {
        RecordingStream stream = new RecordingStream(Configuration.create(SETTINGS));
        stream.setReuse(false);
        stream.onEvent(recorded::add);
        stream.startAsync();
        Flight.look();
        return stream;
    }

    private GatewayConfig config() {
        return fixture.config(route(backend(
                "echo",
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.echoing()).address())));
    }

    /**
     * Once at least: a machine that has much else to do may cost a client its turn, which is not what is tested here.
     */
    private static void echo(TlsClient client, InetSocketAddress address) {
        Waiting.until(LIMIT, () -> isEchoed(client, address), () -> "no echo from " + address);
    }

    private static boolean isEchoed(TlsClient client, InetSocketAddress address) {
        try (SSLSocket socket = client.connect(address)) {
            socket.getOutputStream().write('x');
            return socket.getInputStream().read() == 'x';
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void handshakesDetachesRefusalsAndReloads() throws Exception {
        GatewayConfig config = config();
        Gateway gateway = fixture.start(config);
        InetSocketAddress address = gateway.addresses().getFirst();
        TlsClient client = TlsClient.plain().speaking("TLSv1.3").offering("h2");
        try (RecordingStream stream = record()) {
            echo(client, address);
            echo(client, address);
            try (Socket plain = TlsClient.plainSocket(address)) {
                plain.getOutputStream().write(new byte[100]);
                await("HandshakeFailure");
            }
            gateway.reload(
                    Copies.of(config).limits(config.limits().withConnections(1)).build());
            try (SSLSocket first = client.connect(address);
                    Socket second = TlsClient.plainSocket(address)) {
                assertThat(await("Refusal").getString("reason")).isEqualTo("connection_limit");
                assertThat(await("Refusal").getString("peer")).isEqualTo("127.0.0.1:" + second.getLocalPort());
                assertThat(first.isConnected()).isTrue();
            }
            Waiting.until(LIMIT, () -> events("Handshake").size() >= 3, () -> "" + recorded);
            await("Detach");
            await("Reload");
            assertThat(stream).isNotNull();
        }

        RecordedEvent full = events("Handshake").get(0);
        assertThat(full.getString("kind")).isEqualTo("full");
        assertThat(full.getString("miss")).isEqualTo("none_offered");
        assertThat(full.getString("tlsVersion")).isEqualTo("TLSv1.3");
        assertThat(full.getString("alpn")).isEqualTo("h2");
        assertThat(full.getString("host")).isEqualTo("localhost");
        assertThat(full.getString("signature")).isEqualTo("ecdsa_secp256r1_sha256");
        assertThat(full.getDuration("inLibrary")).isPositive().isLessThanOrEqualTo(full.getDuration("wall"));
        assertThat(events("Handshake"))
                .anyMatch(event -> event.getString("kind").equals("resumed"));
        assertThat(events("Detach")).hasSizeGreaterThanOrEqualTo(2);
        assertThat(events("Detach").getFirst().getString("outcome")).isEqualTo("direct");
        assertThat(events("HandshakeFailure").getFirst().getString("peer")).startsWith("127.0.0.1:");
        assertThat(events("Reload").getFirst().getString("outcome")).isEqualTo("done");
        assertThat(events("Reload").getFirst().getDuration()).isPositive();
    }

    @Test
    void anotherKeyThatSeals() throws Exception {
        TicketKeyLog silent = new TicketKeyLog() {
            @Override
            public void info(String line) {}

            @Override
            public void warn(String line) {}
        };
        try (RecordingStream stream = record();
                TicketKeys keys = TicketKeys.start(TicketConfig.DEFAULT, silent)) {
            keys.rotate();
            Waiting.until(
                    LIMIT,
                    () -> events("KeyRotation").stream()
                            .anyMatch(event -> event.getString("current")
                                    .equals(keys.ring().keys().stream()
                                            .filter(key -> key.state() == TicketKeyInfo.State.CURRENT)
                                            .findFirst()
                                            .orElseThrow()
                                            .id())),
                    () -> "not told of the new key: " + recorded);
            assertThat(stream).isNotNull();
        }
    }

    /** Somebody takes long to write a line of the log, which a loop waits for. */
    @Test
    void turnsThatTakeLong() throws Exception {
        Gateway gateway = fixture.closing(Gateway.start(config(), (level, line) -> {
            if (line.contains("client ")) {
                LockSupport.parkNanos(Duration.ofMillis(30).toNanos());
            }
        }));
        try (RecordingStream stream = record()) {
            Waiting.until(
                    LIMIT,
                    () -> {
                        breakHandshake(gateway);
                        return !events("SlowTurn").isEmpty();
                    },
                    () -> "no slow turn: " + recorded);
            assertThat(stream).isNotNull();
        }

        assertThat(events("SlowTurn").getFirst().getString("loop")).startsWith("loop-");
        assertThat(events("SlowTurn").getFirst().getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(5));
    }

    /** Not more often than failures are logged. */
    private static void breakHandshake(Gateway gateway) {
        try (Socket plain = TlsClient.plainSocket(gateway.addresses().getFirst())) {
            plain.getOutputStream().write(new byte[100]);
            assertThat(plain.getInputStream().readAllBytes()).isNotNull();
            Thread.sleep(400);
        } catch (IOException | InterruptedException reset) {
            // As it may end.
        }
    }

    @Test
    void withoutASettingNothingIsRecorded() throws Exception {
        Gateway gateway = fixture.start(config());
        try (RecordingStream stream = new RecordingStream(Configuration.getConfiguration("profile"))) {
            stream.onEvent(recorded::add);
            stream.startAsync();
            Flight.look();
            echo(TlsClient.plain(), gateway.addresses().getFirst());
            assertThat(Objects.requireNonNull(Flight.events()).recordsHandshakes())
                    .isFalse();
            stream.stop();
        }

        assertThat(recorded)
                .extracting(RecordedEvent::getEventType)
                .extracting(EventType::getName)
                .noneMatch(name -> name.startsWith("dev.sluice."));
    }
}
