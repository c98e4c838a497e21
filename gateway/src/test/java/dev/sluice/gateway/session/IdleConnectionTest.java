package dev.sluice.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayFixture;
import dev.sluice.gateway.TestBackend;
import dev.sluice.gateway.TlsClient;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.Ledger.Balance;
import dev.sluice.net.EventLoop;
import dev.sluice.testkit.LiveObjects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory of an established connection through the gateway while it is idle: the client's side and the backend's, on
 * and off the heap, as this JVM lays objects out.
 */
@ParameterizedClass
@MethodSource("dev.sluice.gateway.Transports#available")
class IdleConnectionTest {
    private static final int MAX_BYTES = 928;
    private static final int CONNECTIONS = 128;

    /** Each connection has a slot in tables that grow by doubling: these arrays, and half that of references. */
    private static final String ENDPOINTS = "[Ldev.sluice.net.internal.Endpoint;";

    private static final int TABLE_ARRAYS = 3;

    /** The size below which something is not held for each connection. */
    private static final int SMALLEST_OBJECT_BYTES = 8;

    /** Objects of earlier phases, which must be garbage. */
    private static final String[] FINISHED_PHASES = Stream.of(
                    HelloPhase.class, HandshakePhase.class, ConnectPhase.class, ClosingPhase.class)
            .map(Class::getName)
            .toArray(String[]::new);

    private static final Pattern OF_TESTS = Pattern.compile("\\.TestBackend|\\.testkit\\.");

    private final GatewayFixture fixture;
    private final List<SSLSocket> clients = new ArrayList<>();

    IdleConnectionTest(EventLoop.Backend transport) {
        this.fixture = new GatewayFixture(transport);
    }

    @AfterEach
    void close() throws Exception {
        for (SSLSocket client : clients) {
            client.close();
        }
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void holdsAtMostTheLimit(String version) throws IOException {
        TestBackend backend = fixture.closing(TestBackend.echoing());
        Gateway gateway = fixture.before(backend);
        TlsClient client = TlsClient.plain().speaking(version);
        open(gateway, client, CONNECTIONS);
        LiveObjects heapBefore = LiveObjects.now();
        Map<String, Balance> nativeBefore = Ledger.process().balances();

        open(gateway, client, CONNECTIONS);
        Map<String, Long> held = new TreeMap<>();
        heldOnTheHeap(heapBefore, LiveObjects.now(), held);
        heldOutside(nativeBefore, Ledger.process().balances(), held);

        assertThat(held)
                .containsKeys(Session.class.getName(), RelayPhase.class.getName(), "connection keys")
                .doesNotContainKeys(FINISHED_PHASES);
        assertThat(held.values().stream().mapToLong(Long::longValue).sum())
                .as("bytes for each of %s connections: %s", gateway.metrics().count(Metric.CONNECTIONS_ACCEPTED), held)
                .isLessThanOrEqualTo(MAX_BYTES);
    }

    /** Opens connections, each of which has an answer from its backend. */
    private void open(Gateway gateway, TlsClient client, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            SSLSocket socket = client.connect(gateway.addresses().getFirst());
            clients.add(socket);
            socket.getOutputStream().write('x');
            assertThat(socket.getInputStream().read()).isEqualTo('x');
        }
    }

    /** Our own classes, of which the clients and the backend have none. */
    private static void heldOnTheHeap(LiveObjects before, LiveObjects now, Map<String, Long> held) {
        for (String name : now.classes().keySet()) {
            long more = now.count(name).bytes() - before.count(name).bytes();
            if (name.startsWith("dev.sluice.") && !OF_TESTS.matcher(name).find()) {
                put(held, name, more);
            } else if (name.equals(ENDPOINTS)) {
                put(held, "tables", more * TABLE_ARRAYS);
            }
        }
    }

    private static void heldOutside(Map<String, Balance> before, Map<String, Balance> now, Map<String, Long> held) {
        now.forEach((owner, balance) -> put(
                held,
                owner,
                balance.bytes() - before.getOrDefault(owner, Balance.NOTHING).bytes()));
    }

    /** Notes what there is more of, for each connection, rounded up. */
    private static void put(Map<String, Long> held, String what, long bytesOfAll) {
        if (bytesOfAll >= CONNECTIONS * SMALLEST_OBJECT_BYTES) {
            held.put(what, (bytesOfAll + CONNECTIONS - 1) / CONNECTIONS);
        }
    }
}
