package dev.sluice.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.OrderedBackend;
import dev.sluice.interop.fixture.OrderedBackend.ClientEnd;
import dev.sluice.interop.fixture.Transport;
import dev.sluice.interop.peer.Conversation;
import dev.sluice.interop.peer.ForeignPeer;
import dev.sluice.interop.peer.PeerConnection;
import dev.sluice.interop.peer.PeerEnd;
import dev.sluice.interop.peer.Suite;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every TLS library against one gateway, on each transport and with each handshake: byte for byte in both directions
 * under every suite, and each kind of end told to the other side as what it was. When all have been there, the
 * gateway's own count of ends must agree with what was done to it.
 */
@ParameterizedClass
@CsvSource({"EPOLL, libssl", "IO_URING, lean", "EPOLL, lean"})
class ForeignPeersTest {
    private static final List<Suite> SUITES = List.of(Suite.values());

    /** One of each version, where the version is what matters. */
    private static final List<Suite> BOTH_VERSIONS =
            List.of(Suite.TLS_AES_128_GCM_SHA256, Suite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256);

    private static final String PEERS = "dev.sluice.interop.peer.ForeignPeer#all";
    private static final int CONVERSATION_BYTES = 1 << 20;

    /** Less than half of a conversation's records, even if all are large: each sees updates that the gateway begins. */
    private static final int RECORDS_PER_KEY = 30;

    private static @Nullable OrderedBackend backend;
    private static @Nullable GatewayProcess gateway;

    /** The expected number of ended connections for each reason. */
    private static final Map<String, Long> expectedEnds = new TreeMap<>();

    @Parameter(0)
    Transport transport = Transport.EPOLL;

    @Parameter(1)
    String handshake = "libssl";

    @BeforeParameterizedClassInvocation
    static void start(Transport transport, String handshake) {
        transport.require();
        expectedEnds.clear();
        gateway = null;
        backend = new OrderedBackend();
        GatewaySetup setup = GatewaySetup.before(backend().backend(), transport)
                .presenting(
                        TestCertificates.shared().server(),
                        TestCertificates.shared().serverRsa())
                .javaOption("-Dsluice.tls.records-per-key=" + RECORDS_PER_KEY)
                .listener(only(SUITES.getFirst()))
                .listener("handshake: " + handshake);
        SUITES.stream().skip(1).forEach(suite -> setup.furtherListener(only(suite), "handshake: " + handshake));
        gateway = GatewayProcess.start(setup);
    }

    @AfterParameterizedClassInvocation
    static void endsAreCounted() {
        if (gateway == null) {
            return;
        }
        try (GatewayProcess stopping = gateway) {
            assertThat(stopping.stopAndTellEnds()).isEqualTo(expectedEnds);
            long connections =
                    expectedEnds.values().stream().mapToLong(Long::longValue).sum();
            assertThat(stopping.records()).isEqualTo(Map.of("direct", connections));
            assertThat(stopping.log()).doesNotContain("Exception", "leak:", "\tat ");
        } finally {
            backend().backend().close();
        }
    }

    @ParameterizedTest
    @MethodSource(PEERS)
    void everyByteArrivesUnderEverySuite(ForeignPeer peer) throws Exception {
        for (Suite suite : SUITES) {
            try (PeerConnection connection = connect(peer, suite)) {
                assertThat(connection.suite()).isEqualTo(suite.name());
                int updatesMax = suite.isTls13() ? peer.updatesMax() : 0;
                new Conversation(connection, updatesMax, CONVERSATION_BYTES, SUITES.indexOf(suite))
                        .beginningWith(OrderedBackend.ECHO)
                        .run();

                connection.closeNotify();
                assertThat(endOf(connection)).as(connection.trouble()).isEqualTo(PeerEnd.CLOSE_NOTIFY);
                if (peer.tellsOfUpdates()) {
                    assertThat(connection.updatesReceived() > 0).isEqualTo(suite.isTls13());
                }
            }
            assertThat(backend().takeLast().get()).as(suite.name()).isEqualTo(ClientEnd.CLEAN);
            expect("completed");
        }
    }

    @ParameterizedTest
    @MethodSource(PEERS)
    void theEndOfTheBackendIsACloseNotify(ForeignPeer peer) throws Exception {
        for (Suite suite : BOTH_VERSIONS) {
            try (PeerConnection connection = ordered(peer, suite, OrderedBackend.END)) {
                connection.write(new byte[1], 0, 1);
                assertThat(endOf(connection)).as(connection.trouble()).isEqualTo(PeerEnd.CLOSE_NOTIFY);
                connection.closeNotify();
                assertThat(backend().takeLast().get()).isEqualTo(ClientEnd.CLEAN);
            }
            expect("completed");
        }
    }

    @ParameterizedTest
    @MethodSource(PEERS)
    void aBackendThatBreaksOffIsNotTakenForOneThatEnded(ForeignPeer peer) throws Exception {
        for (Suite suite : BOTH_VERSIONS) {
            try (PeerConnection connection = ordered(peer, suite, OrderedBackend.RESET)) {
                connection.write(new byte[1], 0, 1);
                assertThat(endOf(connection)).as(connection.trouble()).isIn(PeerEnd.RESET, PeerEnd.TRUNCATED);
                assertThat(backend().takeLast().get()).isEqualTo(ClientEnd.NONE);
            }
            expect("backend_connection_reset");
        }
    }

    @ParameterizedTest
    @MethodSource(PEERS)
    void aStreamThatEndsWithoutCloseNotifyIsNotTakenForComplete(ForeignPeer peer) throws Exception {
        for (Suite suite : BOTH_VERSIONS) {
            try (PeerConnection connection = ordered(peer, suite, OrderedBackend.ECHO)) {
                connection.endStream();
                assertThat(backend().takeLast().get()).isEqualTo(ClientEnd.BROKEN);
            }
            expect("client_truncated");
        }
    }

    @ParameterizedTest
    @MethodSource(PEERS)
    void aResetIsPassedOnAsAReset(ForeignPeer peer) throws Exception {
        for (Suite suite : BOTH_VERSIONS) {
            try (PeerConnection connection = ordered(peer, suite, OrderedBackend.ECHO)) {
                connection.reset();
                assertThat(backend().takeLast().get()).isEqualTo(ClientEnd.BROKEN);
            }
            expect("client_connection_reset");
        }
    }

    /** A connection whose backend has taken its order. */
    private static PeerConnection ordered(ForeignPeer peer, Suite suite, char order) throws Exception {
        PeerConnection connection = connect(peer, suite);
        new Conversation(connection, 0, 1, 0).beginningWith(order).run();
        return connection;
    }

    private static PeerEnd endOf(PeerConnection connection) throws Exception {
        assertThat(connection.received().readAllBytes()).isEmpty();
        return connection.awaitEnd();
    }

    private static PeerConnection connect(ForeignPeer peer, Suite suite) throws IOException {
        return peer.connect(gateway().ports().get(SUITES.indexOf(suite)), suite.version());
    }

    /** Each suite has a listener of its own, so that peers need not be told which one to offer. */
    private static String only(Suite suite) {
        return "ciphers: [" + suite.configured() + "]";
    }

    private static void expect(String reason) {
        expectedEnds.merge(reason, 1L, Long::sum);
    }

    private static GatewayProcess gateway() {
        return Objects.requireNonNull(gateway);
    }

    private static OrderedBackend backend() {
        return Objects.requireNonNull(backend);
    }
}
