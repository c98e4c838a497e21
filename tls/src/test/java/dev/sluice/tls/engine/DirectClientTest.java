package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.testkit.Credential;
import dev.sluice.tls.Bytes;
import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.ClientAuthentication;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.TlsContext;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.Random;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the detach of direct clients for all kinds of servers, and of the resumption of their sessions. */
final class DirectClientTest extends EngineConformance {
    private static final int STEPS = 60;

    private final Wire wire = Wire.whole();

    DirectClientTest() {
        super(EngineKind.DIRECT_CLIENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 40})
    void detachesAfterTheServersTicketsAndResumes(int tickets) {
        TlsContext server = closing(
                serverWith(CERTIFICATES.server()).sessionTickets(tickets).build());
        TlsContext client = closing(trustingClient().build());
        TlsSession session = null;
        for (int connection = 0; connection < 3; connection++) {
            Pair pair = connect(client, server, session);
            assertThat(pair.client().info().resumed()).isEqualTo(connection > 0);
            assertThat(detach(pair)).isEqualTo(Detach.TICKET_AWAITED);
            assertThat(pair.client().read()).isEmpty();
            assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
            assertBothWays(pair);
            session = session(pair);
        }
    }

    @Test
    void readsDataFromTheFlightOfTheTickets() {
        Pair pair = connect(closing(serverWith(CERTIFICATES.server()).build()));
        pair.server().write(PING);
        pair.server().write(PING);
        assertThat(wire.carry(pair.server(), pair.client())).isEqualTo(Bytes.join(PING, PING));
        assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
        assertBothWays(pair);
    }

    @Test
    void stopsWaitingForAServerWithoutTickets() {
        Pair pair = connect(
                closing(serverWith(CERTIFICATES.server()).sessionTickets(0).build()));
        for (int record = 1; record <= TicketWait.MAX_RECORDS; record++) {
            assertThat(detach(pair)).isEqualTo(Detach.TICKET_AWAITED);
            assertBothWays(pair);
        }
        assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
        assertBothWays(pair);
        assertThat(pair.client().engine().session()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "15, true", "16, false", "50, false"})
    void readsALateTicketAfterData(int recordsBefore, boolean awaited) {
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        TlsContext client = closing(trustingClient().build());
        Pair pair = lateTickets(client, server);
        for (int i = 0; i < recordsBefore; i++) {
            assertBothWays(pair);
        }
        assertThat(detach(pair)).isEqualTo(awaited ? Detach.TICKET_AWAITED : Detach.DIRECT);
        for (int i = 0; i < 100; i++) {
            libssl(pair.server()).newSessionTicket(); // more than the allowed control records in a row
            assertBothWays(pair);
        }
        assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
        TlsSession session = session(pair);
        assertThat(session != null).isEqualTo(awaited);
        if (session != null) {
            assertThat(connect(client, server, session).client().info().resumed())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handlesKeyUpdatesWhileWaitingForATicket(boolean clientAsksToo) {
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        Pair pair = lateTickets(closing(trustingClient().build()), server);
        for (int i = 0; i < 3; i++) {
            libssl(pair.server()).updateKeys(true);
            assertBothWays(pair);
            if (clientAsksToo) {
                Objects.requireNonNull(((DirectEngine) pair.client().engine()).libssl())
                        .ssl()
                        .updateKeys(true);
            }
            assertBothWays(pair);
        }
        assertThat(detach(pair)).isEqualTo(Detach.TICKET_AWAITED);
        assertBothWays(pair); // libssl sends the pending update first, and only then tickets
        libssl(pair.server()).newSessionTicket();
        assertBothWays(pair);
        assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
        libssl(pair.server()).updateKeys(true);
        assertBothWays(pair);
        assertBothWays(pair);
    }

    @Test
    void sendsAnUpdatePendingInLibssl() {
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        Pair pair = lateTickets(closing(trustingClient().build()), server);
        libssl(pair.server()).newSessionTicket();
        pair.server().write(PING);
        libssl(pair.server()).updateKeys(true);
        pair.server().write(PING);
        // Both in one flight: the first read detaches, the second finds the request.
        assertThat(wire.carry(pair.server(), pair.client())).isEqualTo(Bytes.join(PING, PING));
        assertBothWays(pair);

        Pair owing = lateTickets(closing(trustingClient().build()), server);
        libssl(owing.server()).updateKeys(true);
        owing.server().write(PING);
        assertThat(wire.carry(owing.server(), owing.client())).isEqualTo(PING);
        libssl(owing.server()).newSessionTicket();
        owing.server().write(PING);
        assertThat(wire.carry(owing.server(), owing.client())).isEqualTo(PING);
        assertThat(detach(owing)).isEqualTo(Detach.DIRECT);
        owing.client().write(PING);
        byte[] output = owing.client().takeOutput();
        assertThat(output).as("a KeyUpdate, then the data").startsWith(23, 3, 3, 0, 5 + 1 + 16);
        owing.server().offer(output);
        assertThat(owing.server().read()).isEqualTo(PING);
        assertBothWays(owing);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void readsRecordsSplitAnywhereOnce(long seed) {
        Random random = new Random(seed);
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        Pair pair = lateTickets(closing(trustingClient().build()), server);
        for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(20) == 0) {
                libssl(pair.server()).newSessionTicket();
            }
            if (random.nextInt(6) == 0) {
                libssl(pair.server()).updateKeys(random.nextBoolean());
            }
            byte[] down = Bytes.random(1 + random.nextInt(30_000), random.nextLong());
            byte[] up = Bytes.random(1 + random.nextInt(30_000), random.nextLong());
            pair.server().write(down);
            pair.client().write(up);
            assertThat(deliver(pair.server().takeOutput(), pair.client(), random))
                    .as("step %d", step)
                    .isEqualTo(down);
            assertThat(deliver(pair.client().takeOutput(), pair.server(), random))
                    .as("step %d", step)
                    .isEqualTo(up);
        }
        assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
    }

    @Test
    void delaysTheDetachForUnsentBytes() {
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        Pair pair = connect(server);
        TlsEngine engine = pair.client().engine();
        try (Arena arena = Arena.ofConfined()) {
            long buffer = arena.allocate(64).address();
            RawMemory.copy(PING, 0, buffer, PING.length);
            assertThat(engine.write(buffer, PING.length)).isEqualTo(PING.length);
            assertThat(engine.read(buffer, 64)).isEqualTo(EngineStatus.WANT_READ);
        }
        assertThat(detach(pair)).isEqualTo(Detach.BYTES_HELD);
        assertThat(wire.carry(pair.client(), pair.server())).isEqualTo(PING);
        assertBothWays(pair);
        assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void resumesWithTheJdk(String version) {
        ProtocolVersion only = version.equals("TLSv1.3") ? ProtocolVersion.TLS_1_3 : ProtocolVersion.TLS_1_2;
        TlsContext context = closing(trustingClient().versions(only, only).build());
        SSLContext servers = JdkPeer.context(CERTIFICATES.rootCertificate(), CERTIFICATES.server());
        TlsSession session = null;
        for (int connection = 0; connection < 3; connection++) {
            OurPeer client = clientOf(context, session);
            JdkPeer server = closing(JdkPeer.server(servers));
            wire.handshake(client, server);
            assertThat(client.info().resumed()).isEqualTo(connection > 0);
            client.write(PING);
            assertThat(wire.carry(client, server)).isEqualTo(PING);
            server.write(PING);
            assertThat(wire.carry(server, client)).isEqualTo(PING);
            assertThat(((DirectEngine) client.engine()).detached()).isEqualTo(Detach.DIRECT);
            session = closing(Objects.requireNonNull(client.engine().session()));
        }
    }

    /** Checks that one session serves several connections, which detach after their handshakes. */
    @ParameterizedTest
    @ValueSource(strings = {"TLS_1_2", "TLS_1_3"})
    void detachesAfterTheHandshakeWithoutANeedForASession(ProtocolVersion version) {
        TlsContext server =
                closing(serverWith(CERTIFICATES.server()).sessionTickets(2).build());
        TlsContext client = closing(trustingClient().versions(version, version).build());
        Deque<TlsSession> kept = new ArrayDeque<>();
        Pair first = connect(server, DirectTransport.client(client, "localhost", null, kept::add));
        assertBothWays(first);
        assertThat(kept).hasSize(1);
        assertThat(first.client().engine().session()).as("it is the keeper's").isNull();

        TlsSession session = closing(kept.getFirst());
        for (int connection = 0; connection < 3; connection++) {
            Pair pair = connect(server, DirectTransport.client(client, "localhost", session, null));
            assertThat(pair.client().info().resumed()).isTrue();
            assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
            assertThat(pair.client().read()).as("tickets, which are no data").isEmpty();
            assertBothWays(pair);
        }
        Pair stranger = connect(server, DirectTransport.client(client, "localhost", null, null));
        assertThat(detach(stranger)).isEqualTo(Detach.DIRECT);
        assertBothWays(stranger);
        assertThat(stranger.client().engine().session()).isNull();
    }

    /** Checks that a Finished after a client certificate is not a record of the stream. */
    @Test
    void detachesAfterItsOwnCertificate() {
        TlsContext server = closing(serverWith(CERTIFICATES.server())
                .clientAuthentication(ClientAuthentication.REQUIRED, CERTIFICATES.rootFile())
                .build());
        Credential own = CERTIFICATES.client();
        TlsContext client = closing(
                trustingClient().certificate(own.chainFile(), own.keyFile()).build());
        Pair pair = connect(server, DirectTransport.client(client, "localhost", null, null));
        assertThat(detach(pair)).isEqualTo(Detach.DIRECT);
        assertBothWays(pair);
        libssl(pair.server()).updateKeys(true);
        pair.server().write(PING);
        assertThat(wire.carry(pair.server(), pair.client())).isEqualTo(PING);
        assertBothWays(pair);
    }

    private Pair connect(TlsContext server, DirectTransport client) {
        Pair pair = new Pair(closing(new OurPeer(client)), server(server));
        wire.handshake(pair.client(), pair.server());
        return pair;
    }

    private Pair connect(TlsContext server) {
        return connect(closing(trustingClient().build()), server, null);
    }

    private Pair connect(TlsContext clientContext, TlsContext serverContext, @Nullable TlsSession session) {
        Pair pair = new Pair(clientOf(clientContext, session), server(serverContext));
        wire.handshake(pair.client(), pair.server());
        return pair;
    }

    private OurPeer clientOf(TlsContext context, @Nullable TlsSession session) {
        return closing(
                session == null ? kind.client(context, "localhost") : kind.client(context, "localhost", session));
    }

    /** Returns a connection to a server that sends tickets only on demand. */
    private Pair lateTickets(TlsContext clientContext, TlsContext serverContext) {
        Pair pair = new Pair(clientOf(clientContext, null), server(serverContext));
        libssl(pair.server()).tickets(true, 0);
        wire.handshake(pair.client(), pair.server());
        return pair;
    }

    private static Ssl libssl(OurPeer peer) {
        return ((MemoryEngine) peer.engine()).ssl();
    }

    private static @Nullable Detach detach(Pair pair) {
        return ((DirectEngine) pair.client().engine()).detached();
    }

    private @Nullable TlsSession session(Pair pair) {
        TlsSession session = pair.client().engine().session();
        return session == null ? null : closing(session);
    }

    private void assertBothWays(Pair pair) {
        pair.server().write(PING);
        assertThat(wire.carry(pair.server(), pair.client()))
                .as(pair.client().failure())
                .isEqualTo(PING);
        pair.client().write(PING);
        assertThat(wire.carry(pair.client(), pair.server()))
                .as(pair.server().failure())
                .isEqualTo(PING);
    }

    private static byte[] deliver(byte[] bytes, OurPeer to, Random random) {
        byte[] plaintext = {};
        int end;
        for (int at = 0; at < bytes.length; at = end) {
            end = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 40 : 20_000));
            to.offer(Arrays.copyOfRange(bytes, at, end));
            plaintext = Bytes.join(plaintext, to.read());
        }
        return plaintext;
    }
}
