package dev.sluice.tls.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.tls.JdkPeer;
import dev.sluice.tls.Wire;
import dev.sluice.tls.engine.EngineKind;
import dev.sluice.tls.engine.OurPeer;
import dev.sluice.tls.failure.TlsConfigurationException;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of several certificates behind one port. */
@ParameterizedClass
@EnumSource(EngineKind.class)
class VirtualHostConformanceTest extends EngineConformance {
    VirtualHostConformanceTest(EngineKind kind) {
        super(kind);
    }

    private TlsContext contextFor(String name, String... hosts) {
        return closing(
                serverWith(CERTIFICATES.issue(CertificateRequest.named(name).forHosts(hosts)))
                        .alpn(List.of(name))
                        .build());
    }

    private ServerNameSelector selector() {
        return closing(ServerNameSelector.builder()
                .add("api.hosts.example", contextFor("exact", "api.hosts.example"))
                .add("*.hosts.example", contextFor("wildcard", "*.hosts.example"))
                .fallback(contextFor("default", "localhost", "a.b.hosts.example", "elsewhere"))
                .build());
    }

    @ParameterizedTest
    @CsvSource({
        "api.hosts.example, exact",
        "API.Hosts.Example, exact",
        "shop.hosts.example, wildcard",
        "localhost, default",
        "a.b.hosts.example, default",
        "127.0.0.1, default"
    })
    void selectsCertificateAndAlpnByName(String asked, String chosen) {
        OurPeer server = server(selector());
        OurPeer client = client(
                TlsContext.client()
                        .trust(CERTIFICATES.rootFile())
                        .dangerouslyTrustAnyone()
                        .alpn(List.of("default", "wildcard", "exact")),
                asked);
        Wire.whole().handshake(client, server);

        assertThat(client.info().peerSubject()).isEqualTo("CN=" + chosen);
        assertThat(client.info().alpn()).isEqualTo(chosen);
        boolean address = asked.startsWith("127");
        assertThat(server.info().serverName()).isEqualTo(address ? "" : asked.toLowerCase(Locale.ROOT));
    }

    @Test
    void satisfiesTheJdksVerification() throws Exception {
        OurPeer server = server(selector());
        JdkPeer client = closing(JdkPeer.client(
                CERTIFICATES.rootCertificate(),
                "shop.hosts.example",
                parameters -> parameters.setServerNames(List.of(new SNIHostName("shop.hosts.example")))));
        Wire.whole().handshake(client, server);

        assertThat(client.failure()).isEmpty();
        assertThat(client.session().getPeerPrincipal().getName()).isEqualTo("CN=wildcard");
    }

    @ParameterizedTest
    @CsvSource({"TLS_1_2, other.example", "TLS_1_3, other.example", "TLS_1_3, 127.0.0.1"})
    void rejectsUnknownNamesWithoutAFallback(ProtocolVersion version, String asked) {
        OurPeer server = server(closing(ServerNameSelector.builder()
                .add("api.hosts.example", contextFor("exact", "api.hosts.example"))
                .build()));
        OurPeer client = client(trustingClient().versions(version, version), asked);
        Wire.whole().handshake(client, server);

        assertThat(server.failure()).isEqualTo("unrecognized_name");
        assertThat(server.tlsFailure().message()).contains(asked.startsWith("127") ? "no server" : asked);
        assertThat(client.failure()).isEqualTo("alert_received_unrecognized_name");
    }

    @Test
    void appliesVersionsAndClientAuthenticationPerVirtualHost() {
        TlsContext strict = closing(
                serverWith(CERTIFICATES.issue(CertificateRequest.named("exact").forHosts("api.hosts.example")))
                        .versions(ProtocolVersion.TLS_1_3, ProtocolVersion.TLS_1_3)
                        .clientAuthentication(ClientAuthentication.REQUIRED, CERTIFICATES.rootFile())
                        .build());
        TlsContext lax = closing(serverWith(CERTIFICATES.server()).build());
        ServerNameSelector selector = closing(ServerNameSelector.builder()
                .add("api.hosts.example", strict)
                .fallback(lax)
                .build());
        ClientContextBuilder old = trustingClient().versions(ProtocolVersion.TLS_1_2, ProtocolVersion.TLS_1_2);

        OurPeer oldStrict = server(selector);
        Wire.whole().handshake(client(old, "api.hosts.example"), oldStrict);
        OurPeer oldLax = server(selector);
        Wire.whole().handshake(client(old, "localhost"), oldLax);
        OurPeer anonymous = server(selector);
        Wire.whole().handshake(client(trustingClient(), "api.hosts.example"), anonymous);

        assertThat(oldStrict.failure()).isEqualTo("unsupported_protocol");
        assertThat(oldLax.info().version()).isEqualTo("TLSv1.2");
        assertThat(anonymous.failure()).isEqualTo("certificate_missing");
    }

    @Test
    void contextsLiveAsLongAsTheirLastEngine() {
        TlsContext one = contextFor("exact", "api.hosts.example");
        TlsContext two = contextFor("wildcard", "*.hosts.example");
        ServerNameSelector selector = closing(ServerNameSelector.builder()
                .add("api.hosts.example", one)
                .add("*.hosts.example", two)
                .build());
        OurPeer server = server(selector);
        one.close();
        two.close();
        selector.close();
        OurPeer client = client(trustingClient(), "shop.hosts.example");
        Wire.whole().handshake(client, server);

        assertThat(client.info().peerSubject()).isEqualTo("CN=wildcard");
        assertThatThrownBy(() -> kind.server(selector))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("after its close");
    }

    @Test
    void rejectsUnusablePatterns() {
        TlsContext context = contextFor("exact", "api.hosts.example");

        for (String pattern : List.of("", "*", "*.", "a.*.example", "*.*.example")) {
            assertThatThrownBy(() -> ServerNameSelector.builder().add(pattern, context))
                    .isInstanceOf(TlsConfigurationException.class)
                    .hasMessageContaining('"' + pattern + '"');
        }
        assertThatThrownBy(() -> ServerNameSelector.builder()
                        .add("a.example", context)
                        .add("A.example", contextFor("wildcard", "*.hosts.example")))
                .isInstanceOf(TlsConfigurationException.class)
                .hasMessageContaining("duplicate");
    }
}
