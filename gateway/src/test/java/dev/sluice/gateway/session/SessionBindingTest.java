package dev.sluice.gateway.session;

import static dev.sluice.gateway.GatewayFixture.backend;
import static dev.sluice.gateway.GatewayFixture.certificate;
import static dev.sluice.gateway.GatewayFixture.listener;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.ClientAuth;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.ListenerConfig;
import dev.sluice.config.model.ProxyProtocol;
import dev.sluice.config.model.RouteConfig;
import dev.sluice.config.model.TlsOptions;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayConformance;
import dev.sluice.gateway.TestBackend;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import dev.sluice.testkit.TestCertificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session that one virtual host, certificate or policy has given resumes under no other, although all share their
 * ticket keys. Asked by {@code openssl s_client}, which offers a saved session to whomever it is told to.
 */
class SessionBindingTest extends GatewayConformance {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final String GREETING = "hello from behind";

    private final ForeignProgram openssl = ForeignProgram.required("openssl", "openssl");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void twoCertificatesOfOneListener(String version) {
        Gateway gateway = serving(of(
                certificate("one", "one.example", issued("one.example", "two.example")),
                certificate("two", "two.example", issued("one.example", "two.example"))));

        assertResumesOnlyAt(version, at(gateway, 0, "one.example"), at(gateway, 0, "two.example"));
    }

    /** One certificate for both names: it is the virtual hosts that differ. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void twoVirtualHostsWithOneCertificate(String version) {
        Credential both = issued("one.example", "two.example");
        Gateway gateway = serving(of(certificate("one", "one.example", both), certificate("two", "two.example", both)));

        assertResumesOnlyAt(version, at(gateway, 0, "one.example"), at(gateway, 0, "two.example"));
    }

    /** Checks that a client with an unknown server name gets the first host, and cannot resume at another. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void fromTheFallbackToAHost(String version) {
        Gateway gateway = serving(of(
                certificate("one", "one.example", issued("one.example", "two.example")),
                certificate("two", "two.example", issued("one.example", "two.example"))));

        assertResumesOnlyAt(version, at(gateway, 0, "elsewhere.example"), at(gateway, 0, "two.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void twoListenersOfDifferentPolicy(String version) {
        CertificateConfig same = certificate("same", "one.example", issued("one.example"));
        Gateway gateway = serving(of(same), with(ClientAuth.OPTIONAL, same));

        assertResumesOnlyAt(version, at(gateway, 0, "one.example"), at(gateway, 1, "one.example"));
        assertResumesOnlyAt(version, at(gateway, 1, "one.example"), at(gateway, 0, "one.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void twoListenersOfDifferentCertificates(String version) {
        Gateway gateway = serving(
                of(certificate("same", "one.example", issued("one.example"))),
                of(certificate("same", "one.example", issued("one.example"))));

        assertResumesOnlyAt(version, at(gateway, 0, "one.example"), at(gateway, 1, "one.example"));
    }

    /** Two doors of one host: here a session may, and does, go on. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void twoListenersOfOneHostResumeEachOthers(String version) {
        CertificateConfig same = certificate("same", "one.example", issued("one.example"));
        Gateway gateway = serving(of(same), of(same));
        Path session = newSession(version, at(gateway, 0, "one.example"));

        assertThat(offered(version, session, at(gateway, 1, "one.example"))).contains("Reused, TLSv1", GREETING);
    }

    // --- what tests need --------------------------------------------------------------------------------------------

    private record Place(Gateway gateway, int port, String host) {}

    private static Place at(Gateway gateway, int listener, String host) {
        return new Place(gateway, gateway.addresses().get(listener).getPort(), host);
    }

    private void assertResumesOnlyAt(String version, Place home, Place elsewhere) {
        Path session = newSession(version, home);
        long full = home.gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "full");

        assertThat(offered(version, session, elsewhere))
                .contains("New, TLSv1", GREETING)
                .doesNotContain("Reused");
        assertThat(home.gateway.metrics().count(Metric.TLS_HANDSHAKES, "kind", "full"))
                .isEqualTo(full + 1);
        assertThat(home.gateway.metrics().count(Metric.ADMISSION_TICKETS_REFUSED))
                .as("a ticket of ours that is not for this place")
                .isPositive();
        assertThat(offered(version, session, home)).contains("Reused, TLSv1", GREETING);
    }

    private Path newSession(String version, Place place) {
        Path session = directory.resolve("session-" + System.nanoTime() + ".pem");
        assertThat(client(version, place, "-sess_out", session.toString())).contains("New, TLSv1", GREETING);
        assertThat(session).exists();
        return session;
    }

    private String offered(String version, Path session, Place place) {
        return client(version, place, "-sess_in", session.toString());
    }

    private String client(String version, Place place, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "s_client",
                version,
                "-ign_eof",
                "-connect",
                "127.0.0.1:" + place.port,
                "-servername",
                place.host,
                "-CAfile",
                CERTIFICATES.rootFile().toString()));
        all.addAll(List.of(more));
        ForeignResult result =
                openssl.command(all.toArray(String[]::new)).input("hello\n").run();
        return result.output() + result.errors();
    }

    private static Credential issued(String... hosts) {
        return CERTIFICATES.issue(
                CertificateRequest.named("c" + System.nanoTime()).forHosts(hosts));
    }

    private ListenerConfig of(CertificateConfig... certificates) {
        return listener(List.of(certificates), List.of(), TlsOptions.DEFAULT, RouteConfig.toAll(greeter()));
    }

    private ListenerConfig with(ClientAuth policy, CertificateConfig certificate) {
        TlsOptions plain = TlsOptions.DEFAULT;
        TlsOptions options =
                new TlsOptions(plain.minVersion(), plain.ciphers(), plain.groups(), policy, CERTIFICATES.rootFile());
        return listener(List.of(certificate), List.of(), options, RouteConfig.toAll(greeter()));
    }

    private BackendConfig greeter() {
        return backend(
                "greeter",
                ProxyProtocol.NONE,
                fixture.closing(TestBackend.saying(GREETING)).address());
    }

    private Gateway serving(ListenerConfig... listeners) {
        GatewayConfig one = fixture.config(listeners[0]);
        return fixture.start(new GatewayConfig(
                List.of(listeners),
                one.certificates(),
                one.backends(),
                one.limits(),
                one.loops(),
                one.transport(),
                one.tickets(),
                one.drain()));
    }
}
