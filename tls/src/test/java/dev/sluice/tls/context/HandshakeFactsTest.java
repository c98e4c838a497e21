package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.HandshakeKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.engine.ResumptionMiss;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.ticket.TicketKeyRing;
import dev.sluice.tls.ticket.TicketResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of a server's facts about a completed handshake: its kind, and the reason of a full one. */
@ParameterizedClass
@EnumSource(EngineKind.class)
class HandshakeFactsTest extends EngineConformance {
    private static final Duration DAY = Duration.ofDays(1);

    private Instant now = Instant.now();
    private final InstantSource clock = () -> now;
    private final TicketKeyRing keys = new TicketKeyRing(DAY, DAY, clock);

    HandshakeFactsTest(EngineKind kind) {
        super(kind);
        closing(keys);
    }

    private TlsContext server(UnaryOperator<ServerContextBuilder> more) {
        return closing(
                more.apply(serverWith(CERTIFICATES.server()).ticketKeys(keys)).build());
    }

    private TlsContext client(ProtocolVersion version) {
        return closing(trustingClient().versions(version, version).build());
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsAClientWithoutASession(ProtocolVersion version) {
        HandshakeInfo full =
                connect(client(version), server(same -> same), null).info();

        assertThat(full.kind()).isEqualTo(HandshakeKind.FULL);
        assertThat(full.miss()).isEqualTo(ResumptionMiss.NONE_OFFERED);
        assertThat(full.ticket()).isEqualTo(TicketResult.NONE);
        assertThat(full.signature()).isEqualTo("ecdsa_secp256r1_sha256");
        assertThat(full.group()).isNotEmpty();
        assertThat(full.wallMicros()).isGreaterThanOrEqualTo(full.handshakeMicros());
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsAResumption(ProtocolVersion version) {
        TlsContext server = server(same -> same);
        TlsContext client = client(version);
        HandshakeInfo resumed = connect(client, server, session(client, server)).info();

        assertThat(resumed.kind()).isEqualTo(HandshakeKind.RESUMED);
        assertThat(resumed.miss()).isNull();
        assertThat(resumed.ticket()).isEqualTo(TicketResult.CURRENT);
        assertThat(resumed.signature()).isEmpty();
        // TLS 1.2 resumes without a key exchange.
        assertThat(resumed.group().isEmpty()).isEqualTo(version == ProtocolVersion.TLS_1_2);
    }

    @Test
    void reportsATicketOfThePreviousKey() {
        TlsContext server = server(same -> same);
        TlsContext client = client(ProtocolVersion.TLS_1_3);
        TlsSession session = session(client, server);
        keys.rotateNow();
        HandshakeInfo resumed = connect(client, server, session).info();

        assertThat(resumed.kind()).isEqualTo(HandshakeKind.RESUMED);
        assertThat(resumed.ticket()).isEqualTo(TicketResult.PREVIOUS);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsATicketOfAnUnknownKey(ProtocolVersion version) {
        TlsContext client = client(version);
        TicketKeyRing others = closing(new TicketKeyRing(DAY, DAY, clock));
        TlsSession session = session(client, server(same -> same.ticketKeys(others)));
        HandshakeInfo full = connect(client, server(same -> same), session).info();

        assertThat(full.miss()).isEqualTo(ResumptionMiss.UNKNOWN_KEY);
        assertThat(full.ticket()).isEqualTo(TicketResult.UNKNOWN);
    }

    /** Expires the key by the ring's own clock, while the session is still valid. */
    @Test
    void reportsATicketOfAnExpiredKey() {
        TlsContext server = server(same -> same);
        TlsContext client = client(ProtocolVersion.TLS_1_3);
        TlsSession session = session(client, server);
        now = now.plus(DAY).plus(DAY).plusSeconds(1);
        HandshakeInfo full = connect(client, server, session).info();

        assertThat(full.miss()).isEqualTo(ResumptionMiss.EXPIRED);
        assertThat(full.ticket()).isEqualTo(TicketResult.EXPIRED);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsASessionOfAnotherContext(ProtocolVersion version) {
        TlsContext client = client(version);
        TlsSession session = session(client, server(same -> same));
        HandshakeInfo full = connect(
                        client,
                        server(same ->
                                same.clientAuthentication(ClientAuthentication.OPTIONAL, CERTIFICATES.rootFile())),
                        session)
                .info();

        assertThat(full.miss()).isEqualTo(ResumptionMiss.OTHER_CONTEXT);
        assertThat(full.ticket()).isEqualTo(TicketResult.CURRENT);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsASessionOfAnotherHost(ProtocolVersion version) {
        Credential credential = CERTIFICATES.issue(
                CertificateRequest.named("facts").forHosts("one.facts.example", "two.facts.example"));
        TlsContext one = closing(
                serverWith(credential).ticketKeys(keys).virtualHost("one").build());
        TlsContext two = closing(
                serverWith(credential).ticketKeys(keys).virtualHost("two").build());
        ServerNameSelector selector = closing(ServerNameSelector.builder()
                .add("one.facts.example", one)
                .add("*.facts.example", two)
                .build());
        TlsContext client = client(version);
        TlsSession session = Objects.requireNonNull(
                connect(client, "one.facts.example", selector, null).session());
        TlsSession swapped = new TlsSession(session.handle(), "two.facts.example");
        HandshakeInfo full =
                connect(client, "two.facts.example", selector, swapped).info();

        assertThat(full.miss()).isEqualTo(ResumptionMiss.OTHER_HOST);
        assertThat(selector.configuredName("one.facts.example")).isEqualTo("one.facts.example");
        assertThat(selector.configuredName("two.facts.example")).isEqualTo("*.facts.example");
        assertThat(selector.configuredName("elsewhere.example")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void reportsDisabledTickets(ProtocolVersion version) {
        TlsContext client = client(version);
        TlsSession session = session(client, server(same -> same));
        HandshakeInfo full =
                connect(client, server(same -> same.sessionTickets(0)), session).info();

        assertThat(full.miss()).isEqualTo(ResumptionMiss.TICKETS_OFF);
        assertThat(connect(client, server(same -> same.sessionTickets(0)), null)
                        .info()
                        .miss())
                .as("a client that can have got none here")
                .isEqualTo(ResumptionMiss.TICKETS_OFF);
    }

    @Test
    void reportsASessionOfAnotherHash() {
        TlsContext client = client(ProtocolVersion.TLS_1_3);
        TlsSession session = session(client, server(same -> same.cipherSuites(List.of("TLS_AES_256_GCM_SHA384"))));
        HandshakeInfo full = connect(
                        client, server(same -> same.cipherSuites(List.of("TLS_AES_128_GCM_SHA256"))), session)
                .info();

        assertThat(full.miss()).isEqualTo(ResumptionMiss.OTHER_SUITE);
        assertThat(full.ticket()).isEqualTo(TicketResult.CURRENT);
    }

    @Test
    void reportsASessionOfAnotherVersion() {
        TlsContext old = client(ProtocolVersion.TLS_1_2);
        TlsContext both = closing(trustingClient().build());
        TlsSession session = session(old, server(same -> same));
        HandshakeInfo full = connect(both, server(same -> same), session).info();

        assertThat(full.version()).isEqualTo("TLSv1.3");
        assertThat(full.miss()).isEqualTo(ResumptionMiss.OTHER_VERSION);
    }

    @ParameterizedTest
    @CsvSource({"TLS_1_2, rsa_pss_rsae_sha256", "TLS_1_3, rsa_pss_rsae_sha256"})
    void reportsTheSignatureAlgorithmOfAnRsaKey(ProtocolVersion version, String signature) {
        TlsContext server =
                closing(serverWith(CERTIFICATES.serverRsa()).ticketKeys(keys).build());

        assertThat(connect(client(version), server, null).info().signature()).isEqualTo(signature);
    }

    private record Connected(HandshakeInfo info, @Nullable TlsSession session) {}

    private TlsSession session(TlsContext client, TlsContext server) {
        return Objects.requireNonNull(connect(client, server, null).session());
    }

    private Connected connect(TlsContext client, TlsContext server, @Nullable TlsSession session) {
        return connect(client, "localhost", server, session);
    }

    private Connected connect(
            TlsContext clientContext, String host, SharedContext serverContext, @Nullable TlsSession session) {
        try (OurPeer server = kind.server(serverContext);
                OurPeer client = session == null
                        ? kind.client(clientContext, host)
                        : kind.client(clientContext, host, session)) {
            Wire wire = Wire.whole();
            wire.handshake(client, server);
            server.write(PING);
            assertThat(wire.carry(server, client)).isEqualTo(PING);
            TlsSession next = client.engine().session();
            assertThat(client.info().resumed()).isEqualTo(server.info().resumed());
            return new Connected(server.info(), next == null ? null : closing(next));
        }
    }
}
