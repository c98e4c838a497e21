package dev.sluice.gateway;

import static dev.sluice.gateway.ConfiguredGateway.GREETING;
import static dev.sluice.gateway.GatewayFixture.awaitEnds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that prove who they are, by {@code openssl s_client}: each virtual host has its own idea of whom to let in.
 */
class ClientCertificatesTest extends GatewayConformance {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private final Instant soon = Instant.now().plus(Duration.ofDays(7));
    private static final String REFUSED = "alert";

    private static final String HOSTS = """
            listeners:
              - certificates: [all]
                hosts:
                  - {sni: admin.example, client-auth: required, client-ca: root.pem, client-crl: root.crl}
                  - {sni: "*.inner.example", client-auth: required, client-ca: root.pem, client-depth: 0}
            certificates:
              all: {chain: all.pem, key: all.key}
            """;

    private final Credential anna =
            CERTIFICATES.issue(CertificateRequest.named("anna").forHosts("anna.example"));
    private final Credential bert = CERTIFICATES.issue(
            CertificateRequest.named("bert").forHosts("bert.example").viaIntermediate());

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @BeforeEach
    void writeFiles() throws IOException {
        Credential server = CERTIFICATES.issue(CertificateRequest.named("hosts")
                .forHosts("public.example", "admin.example", "one.inner.example", "*.inner.example"));
        Files.copy(server.chainFile(), directory.resolve("all.pem"));
        Files.copy(server.keyFile(), directory.resolve("all.key"));
        Files.copy(CERTIFICATES.rootFile(), directory.resolve("root.pem"));
        revoke(soon);
    }

    private void revoke(Instant nextUpdate, Credential... revoked) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Credential each : revoked) {
            certificates.add(each.certificate());
        }
        Files.writeString(
                directory.resolve("root.crl"),
                CERTIFICATES.revocationList(nextUpdate, certificates.toArray(X509Certificate[]::new)));
    }

    @Test
    void eachHostHasItsOwnPolicy() {
        ConfiguredGateway gateway = start(HOSTS);

        assertThat(gateway.ask("public.example")).contains(GREETING);
        assertThat(gateway.ask("elsewhere.example")).contains(GREETING);
        assertThat(gateway.ask("admin.example")).contains(REFUSED).doesNotContain(GREETING);
        assertThat(gateway.ask("admin.example", with(anna))).contains(GREETING);
        for (String inner : List.of("one.inner.example", "two.inner.example")) {
            assertThat(gateway.ask(inner)).contains(REFUSED).doesNotContain(GREETING);
            assertThat(gateway.ask(inner, with(anna))).contains(GREETING);
            assertThat(gateway.ask(inner, with(bert))).contains(REFUSED).doesNotContain(GREETING);
        }
        awaitEnds(gateway.gateway(), "handshake_certificate_missing", 3);
        awaitEnds(gateway.gateway(), "handshake_certificate_chain_too_long", 2);
    }

    /** Routes know a name by other spellings, too: none of them may lead around the policy. */
    @ParameterizedTest
    @ValueSource(strings = {"admin.example.", "ADMIN.example", "Admin.Example."})
    void noOtherSpellingOfAHostLeadsAroundItsPolicy(String spelling) {
        ConfiguredGateway gateway = start(HOSTS);

        assertThat(gateway.ask(spelling)).contains(REFUSED).doesNotContain(GREETING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void noSessionCrossesFromOnePolicyToAnother(String version) {
        ConfiguredGateway gateway = start(HOSTS);
        String open = directory.resolve("open.session").toString();
        String closed = directory.resolve("closed.session").toString();
        assertThat(gateway.ask("public.example", version, "-sess_out", open)).contains("New, TLSv1", GREETING);
        assertThat(gateway.ask("admin.example", with(anna, version, "-sess_out", closed)))
                .contains("New, TLSv1", GREETING);

        assertThat(gateway.ask("admin.example", version, "-sess_in", open))
                .contains(REFUSED)
                .doesNotContain("Reused", GREETING);
        assertThat(gateway.ask("one.inner.example", version, "-sess_in", closed))
                .contains(REFUSED)
                .doesNotContain("Reused", GREETING);
        assertThat(gateway.ask("admin.example", version, "-sess_in", closed)).contains("Reused", GREETING);
    }

    /** A session carries what was verified once; a client that was revoked since must not live on by it. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void aSessionDoesNotOutliveTheListThatItWasMadeUnder(String version) throws IOException {
        ConfiguredGateway gateway = start(HOSTS);
        String session = directory.resolve("session").toString();
        assertThat(gateway.ask("admin.example", with(anna, version, "-sess_out", session)))
                .contains(GREETING);
        gateway.reload(HOSTS);
        assertThat(gateway.ask("admin.example", version, "-sess_in", session)).contains("Reused", GREETING);

        revoke(soon, anna);
        gateway.reload(HOSTS);

        assertThat(gateway.ask("admin.example", with(anna, version, "-sess_in", session)))
                .contains("alert certificate revoked")
                .doesNotContain("Reused", GREETING);
        awaitEnds(gateway.gateway(), "handshake_certificate_revoked", 1);
    }

    /** A session is bound to the names too, so that nobody gets in by one that was made when others were welcome. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void onlyClientsOfCertainNamesAreLetIn(String version) {
        String anybody = HOSTS.replace("client-crl: root.crl", "client-names: ['dns:*.example']");
        String onlyAnna =
                HOSTS.replace("client-crl: root.crl", "client-names: ['uri:spiffe://none/*', 'dns:anna.example']");
        ConfiguredGateway gateway = start(anybody);
        String session = directory.resolve("session").toString();
        assertThat(gateway.ask("admin.example", with(bert, version, "-sess_out", session)))
                .contains(GREETING);
        assertThat(gateway.ask("admin.example", version, "-sess_in", session)).contains("Reused", GREETING);

        gateway.reload(onlyAnna);

        assertThat(gateway.ask("admin.example", with(anna, version))).contains(GREETING);
        assertThat(gateway.ask("admin.example", with(bert, version, "-sess_in", session)))
                .contains("alert bad certificate")
                .doesNotContain("Reused", GREETING);
        assertThat(gateway.ask("public.example")).contains(GREETING);
        awaitEnds(gateway.gateway(), "handshake_certificate_not_allowed", 1);
    }

    /**
     * Refuses unknown names in the handshake: by routes such clients would learn what is behind the port, at the price
     * of a handshake.
     */
    @Test
    void aNameThatNobodyHasIsRefusedInTheHandshake() {
        ConfiguredGateway gateway =
                start(HOSTS.replace("certificates: [all]", "certificates: [all]\n    strict-sni: on"));

        assertThat(gateway.ask("public.example")).contains(GREETING);
        assertThat(gateway.ask("three.inner.example"))
                .contains("certificate required")
                .doesNotContain(GREETING);
        assertThat(gateway.ask("elsewhere.example"))
                .contains("unrecognized name:")
                .doesNotContain(GREETING);
        awaitEnds(gateway.gateway(), "handshake_unrecognized_name", 1);
    }

    @Test
    void whyAClientIsRefusedIsTold() throws IOException {
        Credential late = CERTIFICATES.issue(CertificateRequest.named("late").valid(-30, -1));
        Credential strange = new TestCertificates().client();
        ConfiguredGateway gateway = start(HOSTS);

        assertThat(gateway.ask("admin.example", with(late))).contains("alert certificate expired");
        awaitEnds(gateway.gateway(), "handshake_certificate_expired", 1);
        assertThat(gateway.ask("admin.example", with(strange))).contains("alert unknown ca");
        awaitEnds(gateway.gateway(), "handshake_certificate_unknown_authority", 1);
        assertThat(gateway.ask("admin.example", with(bert))).contains("alert unknown ca");
        awaitEnds(gateway.gateway(), "handshake_certificate_revocation_unknown", 1);

        revoke(Instant.now().minus(Duration.ofHours(1)));
        gateway.reload(HOSTS);
        assertThat(gateway.ask("admin.example", with(anna))).contains("alert certificate expired");
        awaitEnds(gateway.gateway(), "handshake_certificate_revocation_unknown", 2);
        assertThat(fixture.lines())
                .anySatisfy(line -> assertThat(line)
                        .contains("revocation list of CN=Sluice Test Root", "expired at", "are refused until"));
    }

    private ConfiguredGateway start(String yaml) {
        return ConfiguredGateway.start(fixture, transport, directory, yaml);
    }

    private static String[] with(Credential credential, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "-cert", credential.chainFile().toString(),
                "-key", credential.keyFile().toString(),
                "-cert_chain", credential.chainFile().toString()));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
