package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.failure.Fault;
import dev.sluice.tls.failure.TlsAlert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the engines' certificate verification and of the alerts that they send. */
@ParameterizedClass
@EnumSource(EngineKind.class)
class CertificateConformanceTest extends EngineConformance {
    private static final TestCertificates STRANGERS = new TestCertificates();

    CertificateConformanceTest(EngineKind kind) {
        super(kind);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void rejectsAnExpiredCertificateAndAlertsTheServer(ProtocolVersion version) {
        Credential expired = CERTIFICATES.expiredServer();
        OurPeer server = server(serverWith(expired).dangerouslyAllowExpiredCertificate());
        OurPeer client = client(trustingClient().versions(version, version), "localhost");
        Wire.whole().handshake(client, server);

        assertThat(client.failure()).isEqualTo("certificate_expired");
        assertThat(client.tlsFailure().alert()).isEqualTo(45);
        assertThat(client.tlsFailure().fault()).isEqualTo(Fault.PEER_INCOMPATIBLE);
        if (version == ProtocolVersion.TLS_1_2) {
            assertThat(server.failure()).isEqualTo("alert_received_certificate_expired");
        } else {
            assertThat(alertAfterHandshake(server)).isEqualTo("alert_received_certificate_expired");
        }
    }

    @Test
    void rejectsACertificateForAnotherHost() {
        OurPeer server = server(serverWith(CERTIFICATES.wrongHostServer()));
        OurPeer client = client(trustingClient(), "localhost");
        Wire.whole().handshake(client, server);

        assertThat(client.failure()).isEqualTo("wrong_host");
        assertThat(alertAfterHandshake(server)).isEqualTo("alert_received_bad_certificate");
        assertThat(server.tlsFailure().alert()).isEqualTo(client.tlsFailure().alert());
    }

    @Test
    void rejectsACertificateOfAnUnknownAuthority() {
        OurPeer server = server(serverWith(STRANGERS.server()));
        OurPeer client = client(trustingClient(), "localhost");
        Wire.whole().handshake(client, server);

        assertThat(client.failure()).isEqualTo("certificate_unknown_authority");
        assertThat(alertAfterHandshake(server)).isEqualTo("alert_received_unknown_ca");
        assertThat(server.tlsFailure().alert()).isEqualTo(client.tlsFailure().alert());
    }

    @Test
    void rejectsACertificateThatIsNotYetValid() {
        Credential early =
                CERTIFICATES.issue(CertificateRequest.named("server-early").valid(2, 9));
        OurPeer server = server(serverWith(early).dangerouslyAllowExpiredCertificate());
        OurPeer client = client(trustingClient(), "localhost");
        Wire.whole().handshake(client, server);

        assertThat(client.failure()).isEqualTo("certificate_not_yet_valid");
        assertThat(alertAfterHandshake(server)).isEqualTo("alert_received_bad_certificate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void verifiesAddressesWithoutSendingThemAsNames(String address) {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        OurPeer client = client(trustingClient(), address);
        Wire.whole().handshake(client, server);

        assertThat(client.isEstablished()).isTrue();
        assertThat(server.info().serverName()).isEmpty();
    }

    @Test
    void rejectsAnAddressMissingFromTheCertificate() {
        OurPeer server = server(serverWith(CERTIFICATES.server()));
        OurPeer client = client(trustingClient(), "127.0.0.2");
        Wire.whole().handshake(client, server);

        assertThat(client.failure()).isEqualTo("wrong_host");
    }

    @Test
    void requiresAHostNameForVerification() {
        TlsContext context = closing(trustingClient().build());

        assertThatThrownBy(() -> kind.client(context, "")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acceptsAnyCertificateWithoutVerification() {
        OurPeer server = server(serverWith(STRANGERS.expiredServer()).dangerouslyAllowExpiredCertificate());
        OurPeer client = client(TlsContext.client().dangerouslyTrustAnyone(), "elsewhere.example");
        Wire.whole().handshake(client, server);

        assertThat(client.isEstablished()).isTrue();
        assertThat(server.info().serverName()).isEqualTo("elsewhere.example");
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIONAL, TLS_1_2, own", "OPTIONAL, TLS_1_3, own", "REQUIRED, TLS_1_2, own", "REQUIRED, TLS_1_3, own",
        "OPTIONAL, TLS_1_2, none", "OPTIONAL, TLS_1_3, none", "NONE, TLS_1_2, own", "NONE, TLS_1_3, own"
    })
    void acceptsVerifiedClients(ClientAuthentication mode, ProtocolVersion version, String presented) {
        OurPeer server = server(serverWith(CERTIFICATES.server()).clientAuthentication(mode, CERTIFICATES.rootFile()));
        OurPeer client = client(presenting(presented).versions(version, version), "localhost");
        Wire.whole().handshake(client, server);

        assertThat(client.isEstablished()).isTrue();
        boolean asked = mode != ClientAuthentication.NONE && presented.equals("own");
        assertThat(server.info().peerSubject()).isEqualTo(asked ? "CN=client" : "");
        client.write(PING);
        assertThat(Wire.whole().carry(client, server)).isEqualTo(PING);
    }

    @ParameterizedTest
    @CsvSource({
        "REQUIRED, TLS_1_2, none, certificate_missing, 40",
        "REQUIRED, TLS_1_3, none, certificate_missing, 116",
        "REQUIRED, TLS_1_2, strange, certificate_unknown_authority, 48",
        "REQUIRED, TLS_1_3, strange, certificate_unknown_authority, 48",
        "OPTIONAL, TLS_1_3, strange, certificate_unknown_authority, 48",
        "OPTIONAL, TLS_1_2, expired, certificate_expired, 45",
        "OPTIONAL, TLS_1_3, expired, certificate_expired, 45"
    })
    void rejectsUnverifiedClients(
            ClientAuthentication mode, ProtocolVersion version, String presented, String reason, int alert) {
        OurPeer server = server(serverWith(CERTIFICATES.server()).clientAuthentication(mode, CERTIFICATES.rootFile()));
        OurPeer client = client(presenting(presented).versions(version, version), "localhost");
        Wire.whole().handshake(client, server);

        assertThat(server.failure()).isEqualTo(reason);
        assertThat(server.tlsFailure().alert()).isEqualTo(alert);
        if (client.failure().isEmpty()) {
            client.read();
        }
        assertThat(client.failure()).isEqualTo("alert_received_" + TlsAlert.label(alert));
    }

    private static ClientContextBuilder presenting(String which) {
        ClientContextBuilder builder = trustingClient();
        return switch (which) {
            case "own" -> with(builder, CERTIFICATES.client());
            case "strange" -> with(builder, STRANGERS.client());
            case "expired" -> with(builder.dangerouslyAllowExpiredCertificate(), CERTIFICATES.expiredServer());
            default -> builder;
        };
    }

    private static ClientContextBuilder with(ClientContextBuilder builder, Credential credential) {
        return builder.certificate(credential.chainFile(), credential.keyFile());
    }

    /**
     * Returns the alert of a client's rejection, which in TLS 1.3 may reach the server during or after its handshake.
     */
    private static String alertAfterHandshake(OurPeer server) {
        if (server.isEstablished()) {
            server.read();
        }
        return server.failure();
    }
}
