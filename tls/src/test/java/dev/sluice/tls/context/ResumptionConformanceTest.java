package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.ticket.TicketKeyRing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of sessions that resume, and of those that must not. */
@ParameterizedClass
@EnumSource(EngineKind.class)
class ResumptionConformanceTest extends EngineConformance {
    ResumptionConformanceTest(EngineKind kind) {
        super(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "TLS_1_3, 2, 0, true", // stateless tickets
        "TLS_1_3, 0, 100, true", // tickets that name a cached session
        "TLS_1_3, 0, 0, false",
        "TLS_1_2, 1, 0, true", // stateless tickets
        "TLS_1_2, 0, 100, true", // session ids
        "TLS_1_2, 0, 0, false"
    })
    void resumesInEveryMode(ProtocolVersion version, int tickets, int cached, boolean resumed) {
        TlsContext server = closing(serverWith(CERTIFICATES.server())
                .sessionTickets(tickets)
                .sessionCache(cached)
                .build());
        TlsContext client = closing(trustingClient().versions(version, version).build());

        TlsSession session = connect(client, "localhost", server, null, false);
        if (resumed) {
            assertThat(session).isNotNull();
            connect(client, "localhost", server, session, true);
        } else {
            assertThat(session).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void resumesWithAJdkClient(String version) {
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        SSLContext clients = JdkPeer.context(CERTIFICATES.rootCertificate(), null);

        assertThat(jdkConnects(clients, server, version)).isFalse();
        assertThat(jdkConnects(clients, server, version)).isTrue();
    }

    @Test
    void resumesWithSharedTicketKeys() {
        try (TicketKeyRing keys = ring()) {
            TlsContext first =
                    closing(serverWith(CERTIFICATES.server()).ticketKeys(keys).build());
            TlsContext second =
                    closing(serverWith(CERTIFICATES.server()).ticketKeys(keys).build());
            TlsContext stranger = closing(serverWith(CERTIFICATES.server()).build());
            TlsContext client = closing(trustingClient().build());

            TlsSession session = Objects.requireNonNull(connect(client, "localhost", first, null, false));
            connect(client, "localhost", second, session, true);
            connect(client, "localhost", stranger, session, false);
        }
    }

    private static TicketKeyRing ring() {
        return new TicketKeyRing(Duration.ofHours(12), Duration.ofHours(24), InstantSource.system());
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void keepsSessionsFromOtherCertificatesAndAuthentication(ProtocolVersion version) {
        try (TicketKeyRing keys = ring()) {
            ServerContextBuilder plain = serverWith(CERTIFICATES.server()).ticketKeys(keys);
            TlsContext first = closing(plain.build());
            TlsContext otherCertificate = closing(
                    serverWith(CERTIFICATES.serverRsa()).ticketKeys(keys).build());
            TlsContext otherHost = closing(plain.virtualHost("another").build());
            TlsContext authenticating = closing(plain.virtualHost("")
                    .clientAuthentication(ClientAuthentication.OPTIONAL, CERTIFICATES.rootFile())
                    .build());
            TlsContext client =
                    closing(trustingClient().versions(version, version).build());

            TlsSession session = Objects.requireNonNull(connect(client, "localhost", first, null, false));
            connect(client, "localhost", otherCertificate, session, false);
            connect(client, "localhost", otherHost, session, false);
            connect(client, "localhost", authenticating, session, false);
            connect(client, "localhost", first, session, true);
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void keepsSessionsWithinTheirVirtualHost(ProtocolVersion version) {
        TlsContext one = closing(
                serverWith(CERTIFICATES.issue(CertificateRequest.named("one").forHosts("one.example")))
                        .build());
        TlsContext two = closing(
                serverWith(CERTIFICATES.issue(CertificateRequest.named("both").forHosts("one.example", "two.example")))
                        .build());
        ServerNameSelector selector = closing(ServerNameSelector.builder()
                .add("one.example", one)
                .add("two.example", two)
                .build());
        TlsContext client = closing(trustingClient().versions(version, version).build());

        TlsSession session = Objects.requireNonNull(connect(client, "one.example", selector, null, false));
        connect(client, "one.example", selector, session, true);
        TlsSession forTwo = Objects.requireNonNull(connect(client, "two.example", selector, null, false));
        connect(client, "two.example", selector, forTwo, true);

        // A client that lies about the origin of its session: OpenSSL's own would not, so the host is swapped.
        TlsSession swapped = new TlsSession(session.handle(), "two.example");
        connect(client, "two.example", selector, swapped, false);
    }

    @Test
    void offersASessionToItsHostOnly() {
        TlsContext server = closing(serverWith(CERTIFICATES.server()).build());
        TlsContext client = closing(trustingClient().build());
        TlsSession session = Objects.requireNonNull(connect(client, "localhost", server, null, false));

        assertThatThrownBy(() -> kind.client(client, "127.0.0.1", session))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("localhost")
                .hasMessageContaining("127.0.0.1");
    }

    @Test
    void aServerReturnsNoSession() {
        Pair pair = established(ProtocolVersion.TLS_1_3);

        assertThatThrownBy(() -> pair.server().engine().session()).isInstanceOf(IllegalStateException.class);
    }

    /** Connects, exchanges some data, and returns the client's resulting session. */
    private @Nullable TlsSession connect(
            TlsContext clientContext,
            String host,
            SharedContext serverContext,
            @Nullable TlsSession session,
            boolean resumed) {
        try (OurPeer server = kind.server(serverContext);
                OurPeer client = session == null
                        ? kind.client(clientContext, host)
                        : kind.client(clientContext, host, session)) {
            Wire wire = Wire.whole();
            wire.handshake(client, server);
            assertThat(client.info().resumed()).isEqualTo(resumed);
            assertThat(server.info().resumed()).isEqualTo(resumed);
            assertThat(server.info().serverName()).isEqualTo(host);
            server.write(PING);
            assertThat(wire.carry(server, client)).isEqualTo(PING);
            TlsSession next = client.engine().session();
            return next == null ? null : closing(next);
        }
    }

    private boolean jdkConnects(SSLContext clients, TlsContext serverContext, String version) {
        try (OurPeer server = kind.server(serverContext);
                JdkPeer client = JdkPeer.client(
                        clients, "localhost", parameters -> parameters.setProtocols(new String[] {version}))) {
            Wire wire = Wire.whole();
            wire.handshake(client, server);
            server.write(PING);
            assertThat(wire.carry(server, client)).isEqualTo(PING);
            return server.info().resumed();
        }
    }
}
