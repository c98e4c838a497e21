package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.tls.Bytes;
import dev.sluice.tls.Peer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.context.EarlyDataGate;
import dev.sluice.tls.context.EarlyDataOffer;
import dev.sluice.tls.context.EarlyDataPolicy;
import dev.sluice.tls.context.EngineConformance;
import dev.sluice.tls.context.ProtocolVersion;
import dev.sluice.tls.context.ServerContextBuilder;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.failure.TlsConfigurationException;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of servers that accept early data from a client of libssl. */
@ParameterizedClass
@EnumSource(
        value = EngineKind.class,
        names = {"MEMORY", "DIRECT"})
class EarlyDataTest extends EngineConformance {
    private static final byte[] EARLY = "early".getBytes(StandardCharsets.US_ASCII);
    private static final String AES_128 = "TLS_AES_128_GCM_SHA256";
    private static final String CHACHA_20 = "TLS_CHACHA20_POLY1305_SHA256";

    private final List<EarlyDataOffer> offers = new ArrayList<>();
    private int unfit;
    private boolean open = true;
    private final TicketKeyRing keys =
            new TicketKeyRing(Duration.ofHours(12), Duration.ofHours(24), InstantSource.system());
    private final EarlyDataPolicy policy = policy(EarlyDataPolicy.MAX_BYTES);
    private final TlsContext clients = trustingClient().build();

    EarlyDataTest(EngineKind kind) {
        super(kind);
    }

    /** A gate that records its calls. */
    private final class Gate implements EarlyDataGate {
        @Override
        public boolean accept(EarlyDataOffer offer) {
            offers.add(offer);
            return open;
        }

        @Override
        public void unfit() {
            unfit++;
        }
    }

    private EarlyDataPolicy policy(int maxBytes) {
        return new EarlyDataPolicy(maxBytes, new Gate());
    }

    @BeforeEach
    void closeAtTheEnd() {
        closing(keys);
        closing(policy);
        closing(clients);
    }

    private TlsContext context(EarlyDataPolicy taken, ServerContextBuilder builder) {
        return closing(builder.ticketKeys(keys).earlyData(taken).build());
    }

    private TlsContext context() {
        return context(policy, serverWith(CERTIFICATES.server()));
    }

    private OurPeer taking(TlsContext context) {
        OurPeer server = server(context);
        server.takeEarlyData();
        return server;
    }

    /** Returns a client's session from a server of this context. */
    private TlsSession session(TlsContext context, TlsContext client, String host) {
        try (OurPeer first = EngineKind.MEMORY.client(client, host);
                OurPeer server = kind.server(context)) {
            Wire.whole().handshake(first, server);
            assertThat(first.read()).isEmpty(); // the tickets
            return closing(Objects.requireNonNull(first.engine().session()));
        }
    }

    private TlsSession session(TlsContext context) {
        return session(context, clients, "localhost");
    }

    private EarlyDataClient resuming(TlsSession session) {
        return closing(new EarlyDataClient(clients, "localhost", session));
    }

    private static byte[] random(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Exchanges data in both directions, in many records. */
    private static void exchange(Peer client, OurPeer server) {
        for (int i = 0; i < 20; i++) {
            byte[] there = random(i, 3_000 * i + 1);
            byte[] back = random(-i, 2_500 * i + 1);
            client.write(there);
            assertThat(Wire.whole().carry(client, server)).isEqualTo(there);
            server.write(back);
            assertThat(Wire.whole().carry(server, client)).isEqualTo(back);
        }
        assertThat(client.failure()).isEmpty();
        assertThat(server.failure()).isEmpty();
    }

    private void assertLeftLibssl(OurPeer server) {
        if (server.engine() instanceof DirectEngine direct) {
            assertThat(direct.detached()).isEqualTo(Detach.DIRECT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 100, Integer.MAX_VALUE})
    void deliversEarlyDataSeparatelyBeforeTheClientsFinished(int pieceBytes) {
        Wire wire = pieceBytes == Integer.MAX_VALUE ? Wire.whole() : Wire.inPiecesOf(pieceBytes);
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        OurPeer server = taking(context);

        client.writeEarly(EARLY);
        client.writeEarly(EARLY);
        wire.carryHandshake(client, server);

        assertThat(server.earlyData()).asString(StandardCharsets.US_ASCII).isEqualTo("earlyearly");
        assertThat(server.engine().state()).isEqualTo(EngineState.EARLY_DATA);
        EarlyData early = Objects.requireNonNull(((BufferedEngine) server.engine()).earlyData());
        assertThat(early.info().resumed()).isTrue();
        assertThat(early.info().serverName()).isEqualTo("localhost");
        assertThat(early.info().version()).isEqualTo("TLSv1.3");
        assertThat(early.offer().ownTicket()).isTrue();
        assertThat(server.engine().handshakeInfo()).isNull();

        wire.handshake(client, server);
        assertThat(client.isEarlyDataAccepted()).isTrue();
        assertThat(server.isEstablished()).isTrue();
        assertThat(server.earlyData()).hasSize(2 * EARLY.length);
        assertLeftLibssl(server);
        exchange(client, server);
        assertThat(server.earlyData()).as("none of it came later").hasSize(2 * EARLY.length);
    }

    @ParameterizedTest
    @ValueSource(strings = {AES_128, "TLS_AES_256_GCM_SHA384", CHACHA_20})
    void acceptsEarlyDataUpToTheLimitAndMoreDataLater(String suite) {
        TlsContext context = context(policy, serverWith(CERTIFICATES.server()).cipherSuites(List.of(suite)));
        EarlyDataClient client = resuming(session(context));
        OurPeer server = taking(context);
        byte[] early = random(7, EarlyDataPolicy.MAX_BYTES);

        int recordBytes = 1024;
        for (int at = 0; at < early.length; at += recordBytes) {
            client.writeEarly(Arrays.copyOfRange(early, at, at + recordBytes));
        }
        Wire.whole().handshake(client, server);

        assertThat(server.earlyData()).isEqualTo(early);
        assertThat(server.info().cipher()).isEqualTo(suite);
        assertLeftLibssl(server);
        exchange(client, server);
    }

    /**
     * Checks that the response does not wait for the client's Finished, and that the next sequence numbers are right.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void deliversResponsesWrittenBeforeTheClientsFinished(int records) {
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        OurPeer server = taking(context);
        client.writeEarly(EARLY);
        Wire.whole().carryHandshake(client, server);

        byte[] answers = {};
        for (int i = 0; i < records; i++) {
            byte[] answer = random(i, 2_000);
            server.write(answer);
            answers = Bytes.join(answers, answer);
        }
        assertThat(server.engine().state()).isEqualTo(EngineState.EARLY_DATA);
        Wire.whole().handshake(client, server);

        assertThat(client.read()).isEqualTo(answers);
        assertLeftLibssl(server);
        exchange(client, server);
    }

    @Test
    void earlyDataRejectedByTheGateIsSkippedAndSentAgain() {
        open = false;
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        OurPeer server = taking(context);
        client.writeEarly(random(1, EarlyDataPolicy.MAX_BYTES));
        Wire.whole().handshake(client, server);

        assertThat(offers).hasSize(1);
        assertRefused(client, server);
    }

    @Test
    void rejectsEarlyDataByDefault() {
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        OurPeer server = server(context);
        client.writeEarly(EARLY);
        Wire.whole().handshake(client, server);

        assertThat(offers).isEmpty();
        assertRefused(client, server);
    }

    @Test
    void rejectsEarlyDataWithoutAPolicy() {
        TlsSession session = session(context());
        TlsContext without =
                closing(serverWith(CERTIFICATES.server()).ticketKeys(keys).build());
        EarlyDataClient client = resuming(session);
        OurPeer server = taking(without);
        client.writeEarly(random(1, EarlyDataPolicy.MAX_BYTES));
        Wire.whole().handshake(client, server);

        assertRefused(client, server);
    }

    private void assertRefused(EarlyDataClient client, OurPeer server) {
        assertThat(client.isEarlyDataAccepted()).isFalse();
        assertThat(client.isResumed()).isTrue();
        assertThat(server.earlyData()).isEmpty();
        assertThat(((BufferedEngine) server.engine()).earlyData()).isNull();
        assertThat(server.info().resumed()).isTrue();
        assertLeftLibssl(server);
        exchange(client, server);
    }

    @Test
    void distinguishesTicketsOfOtherPolicies() {
        TlsSession session = session(context());
        TlsContext other = context(closing(policy(EarlyDataPolicy.MAX_BYTES)), serverWith(CERTIFICATES.server()));
        EarlyDataClient client = resuming(session);
        OurPeer server = taking(other);
        client.writeEarly(EARLY);
        Wire.whole().handshake(client, server);

        assertThat(offers).singleElement().extracting(EarlyDataOffer::ownTicket).isEqualTo(false);
    }

    /** Checks RFC 8446 section 4.2.10: early data requires the protocol, suite and server name of the ticket. */
    @Test
    void rejectsEarlyDataForAnotherProtocol() {
        List<String> protocols = List.of("h2", "http/1.1");
        TlsContext client = closing(trustingClient().alpn(protocols).build());
        TlsContext h2 = context(policy, serverWith(CERTIFICATES.server()).alpn(protocols));
        TlsContext http = context(policy, serverWith(CERTIFICATES.server()).alpn(List.of("http/1.1")));
        TlsSession session = session(h2, client, "localhost");

        assertUnfit(http, session, client);
        assertUnfit(context(), session, client);
        EarlyDataClient same = closing(new EarlyDataClient(client, "localhost", session));
        OurPeer server = taking(h2);
        same.writeEarly(EARLY);
        Wire.whole().handshake(same, server);
        assertThat(same.isEarlyDataAccepted()).isTrue();
        assertThat(server.info().alpn()).isEqualTo("h2");
    }

    @Test
    void rejectsEarlyDataForAnotherSuite() {
        TlsContext context =
                context(policy, serverWith(CERTIFICATES.server()).cipherSuites(List.of(AES_128, CHACHA_20)));
        TlsContext chacha =
                closing(trustingClient().cipherSuites(List.of(CHACHA_20)).build());
        TlsSession session = session(context, chacha, "localhost");
        TlsContext aes = context(policy, serverWith(CERTIFICATES.server()).cipherSuites(List.of(AES_128)));

        TlsContext both = closing(
                trustingClient().cipherSuites(List.of(CHACHA_20, AES_128)).build());
        assertUnfit(aes, session, both);
    }

    @Test
    void rejectsEarlyDataAfterASecondClientHello() {
        TlsContext context = context(policy, serverWith(CERTIFICATES.server()).groups(List.of("P-256")));
        TlsContext guessesWrongly =
                closing(trustingClient().groups(List.of("X25519", "P-256")).build());
        TlsSession session = session(context, guessesWrongly, "localhost");

        assertUnfit(context, session, guessesWrongly);
    }

    private void assertUnfit(TlsContext context, TlsSession session, TlsContext clientContext) {
        int before = unfit;
        EarlyDataClient client = closing(new EarlyDataClient(clientContext, "localhost", session));
        OurPeer server = taking(context);
        client.writeEarly(EARLY);
        Wire.whole().handshake(client, server);

        assertThat(client.failure()).isEmpty();
        assertThat(client.isEarlyDataAccepted()).isFalse();
        assertThat(server.earlyData()).isEmpty();
        assertThat(offers).isEmpty();
        assertThat(unfit).isEqualTo(before + 1);
        assertLeftLibssl(server);
        exchange(client, server);
    }

    @Test
    void servesClientsWithoutEarlyDataAndWithTls12() {
        TlsContext context = context();
        for (ProtocolVersion version : ProtocolVersion.values()) {
            OurPeer client = closing(EngineKind.MEMORY.client(
                    closing(trustingClient().versions(version, version).build()), "localhost"));
            OurPeer server = taking(context);
            Wire.whole().handshake(client, server);

            assertThat(client.read()).isEmpty();
            assertLeftLibssl(server);
            exchange(client, server);
        }
        assertThat(offers).isEmpty();
        assertThat(unfit).isZero();
    }

    @Test
    void breaksAConnectionOverTheLimit() {
        TlsSession generous = session(context());
        TlsContext strict = context(closing(policy(100)), serverWith(CERTIFICATES.server()));
        EarlyDataClient client = resuming(generous);
        OurPeer server = taking(strict);
        client.writeEarly(random(1, 60));
        client.writeEarly(random(2, 41));
        Wire.whole().handshake(client, server);

        assertThat(server.failure()).isEqualTo("too_much_early_data");
        assertThat(server.tlsFailure().message()).contains("more early data than its session ticket allows");
        assertThat(server.earlyData()).hasSize(60);
    }

    /** Checks that a copied ClientHello has the same binder, and that its sender gets no further than early data. */
    @Test
    void recognizesACopiedFlightByItsBinder() {
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        client.writeEarly(EARLY);
        byte[] flight = client.takeOutput();
        for (int copy = 0; copy < 2; copy++) {
            OurPeer server = taking(context);
            server.offer(flight);
            server.handshake();

            assertThat(server.earlyData()).isEqualTo(EARLY);
            assertThat(server.engine().state()).isEqualTo(EngineState.EARLY_DATA);
        }
        EarlyDataClient another = resuming(session(context));
        another.writeEarly(EARLY);
        OurPeer server = taking(context);
        server.offer(another.takeOutput());
        server.handshake();

        assertThat(offers).hasSize(3);
        assertThat(offers.get(1)).isEqualTo(offers.get(0));
        assertThat(offers.get(2)).isNotEqualTo(offers.get(0));
    }

    /** The copy's Finished is of another handshake; libssl tells of that failure only when asked to go on. */
    @Test
    void aCopyOfAllThatAClientSentFailsByItsRecords() {
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        client.writeEarly(EARLY);
        byte[] flight = client.takeOutput();
        OurPeer original = taking(context);
        original.offer(flight);
        original.handshake();
        client.offer(original.takeOutput());
        client.handshake();
        byte[] rest = client.takeOutput();
        OurPeer server = taking(context);
        server.offer(flight);
        server.handshake();
        server.offer(rest);
        server.handshake();

        assertThat(server.earlyData()).isEqualTo(EARLY);
        assertThat(server.failure()).isEqualTo("bad_record_mac");
    }

    @Test
    void aClientThatLeavesAfterEarlyDataHasNotFinished() {
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        OurPeer server = taking(context);
        client.writeEarly(EARLY);
        server.offer(client.takeOutput());
        server.endOfStream();
        server.handshake();

        assertThat(server.earlyData()).isEqualTo(EARLY);
        assertThat(server.failure()).isEqualTo("handshake_truncated");
    }

    @Test
    void requiresEarlyDataToBeReadBeforeTheHandshakeContinues() {
        TlsContext context = context();
        EarlyDataClient client = resuming(session(context));
        OurPeer server = taking(context);
        client.writeEarly(EARLY);
        Wire.whole().carryHandshake(client, server);

        assertThatThrownBy(() -> server.engine().handshake())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("early data must be read first");
        assertThatThrownBy(() -> server.engine().read(1, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void earlyDataRequiresTickets() {
        assertThatThrownBy(() -> serverWith(CERTIFICATES.server())
                        .sessionTickets(0)
                        .earlyData(policy)
                        .build())
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("early data requires session tickets");
        assertThatThrownBy(() -> policy(EarlyDataPolicy.MAX_BYTES + 1))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("maxBytes=16385");
    }
}
