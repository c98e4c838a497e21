package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.alerts.AlertState;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.ocsp.ResponderDouble;
import dev.sluice.gateway.ocsp.TestAnswers;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Incidents of which operators have told, replayed with OpenSSL's clients: each is to be seen in the metrics, raises
 * the alert that is for it, and clears it when it is mended. Windows are short, and nothing is said of how long
 * anything takes.
 */
class IncidentTest extends GatewayConformance {
    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static final String MOBILE = "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256";

    private static final String ALERTS =
            "alerts: {window: 2s, hold: 200ms, clear: 200ms, minimum-handshakes: 2, certificate-expiry: off,"
                    + " crypto-cpu-ratio: off}\n";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private ConfiguredGateway gateway;

    @BeforeEach
    void writeCertificates() throws IOException {
        write("ecdsa", KeyAlgorithm.ECDSA_P256);
        write("rsa", KeyAlgorithm.RSA_2048);
    }

    private void write(String name, KeyAlgorithm algorithm) throws IOException {
        Credential credential = CERTIFICATES.issue(
                CertificateRequest.named("incident-" + name).with(algorithm).viaIntermediate());
        Files.copy(credential.chainFile(), directory.resolve(name + ".pem"));
        Files.copy(credential.keyFile(), directory.resolve(name + ".key"));
    }

    private static String serving(String listenerKeys, String pairs, String more) {
        return "listeners:\n  - certificates: [main]\n" + listenerKeys + "certificates:\n  main: {" + pairs + "}\n"
                + ALERTS + more;
    }

    private static String ecdsa(String more) {
        return serving("", "chain: ecdsa.pem, key: ecdsa.key", more);
    }

    private void start(String yaml) {
        gateway = ConfiguredGateway.start(fixture, transport, directory, yaml);
    }

    /** Connects, and five times more with the session that it got. */
    private void comeBack() {
        gateway.ask("localhost", "-tls1_2", "-reconnect");
    }

    private void mobileClient() {
        gateway.ask("localhost", "-tls1_3", "-ciphersuites", MOBILE);
    }

    private AlertStatus alert(String name) {
        return gateway.gateway().alerts().alerts().stream()
                .filter(status -> status.name().equals(name))
                .findFirst()
                .orElseGet(() -> new AlertStatus(name, AlertState.OK, Double.NaN, 0, "", Instant.EPOCH, "", List.of()));
    }

    /** Does something again and again until an alert is in a state, and its value can be told. */
    private AlertStatus until(String name, AlertState state, Runnable load) {
        AtomicReference<AlertStatus> last = new AtomicReference<>(alert(name));
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> {
                    load.run();
                    last.set(alert(name));
                    return last.get().state() == state
                            && !Double.isNaN(last.get().value());
                },
                () -> name + " is not " + state + " but " + last.get() + "; all: "
                        + gateway.gateway().alerts().alerts());
        return last.get();
    }

    private MetricSnapshot metrics() {
        return gateway.gateway().metrics();
    }

    private double handshakes(String label, String value) {
        return metrics().sum(Metric.TLS_HANDSHAKES, label, value);
    }

    private boolean hasLogged(String words) {
        return fixture.lines().stream().anyMatch(line -> line.contains(words));
    }

    /** "To simplify a migration" somebody turns tickets off. */
    @Test
    void resumptionIsSwitchedOff() {
        start(ecdsa(""));
        AlertStatus before = until("resumption-ratio", AlertState.OK, this::comeBack);
        assertThat(before.value()).isGreaterThan(0.7);
        double resumed = handshakes("kind", "resumed");
        assertThat(resumed).isPositive();

        gateway.reload(ecdsa("tickets: off\n"));
        double full = handshakes("kind", "full");
        AlertStatus firing = until("resumption-ratio", AlertState.FIRING, this::comeBack);
        assertThat(handshakes("kind", "full")).isGreaterThan(full);
        assertThat(firing.value()).isLessThan(0.7);
        assertThat(firing.advice().getFirst()).contains("tickets must not be off");
        assertThat(metrics().sum(Metric.ALERT_FIRING, "alert", "resumption-ratio"))
                .isEqualTo(1);
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> hasLogged("alert resumption-ratio fires"),
                () -> "not logged: " + fixture.lines());

        gateway.reload(ecdsa(""));
        AlertStatus after = until("resumption-ratio", AlertState.OK, this::comeBack);
        assertThat(after.value()).isGreaterThan(0.7);
        assertThat(metrics().sum(Metric.ALERT_FIRING, "alert", "resumption-ratio"))
                .isZero();
    }

    /** A load generator before the demo, monitors, clients that keep nothing: what nobody offers nobody can resume. */
    @Test
    void clientsThatOfferNoTicketRaiseNoAlert() {
        start(ecdsa(""));
        Runnable newClient = () -> gateway.ask("localhost", "-tls1_3");
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> {
                    newClient.run();
                    return metrics().sum(Metric.TLS_RESUMPTION_MISSES, "reason", "none_offered") > 12;
                },
                () -> "no clients: " + metrics().countBy(Metric.TLS_RESUMPTION_MISSES, "reason"));

        assertThat(alert("resumption-ratio").value()).isNaN();
        assertThat(gateway.gateway().alerts().alerts())
                .filteredOn(status -> status.state() != AlertState.OK)
                .isEmpty();
        assertThat(hasLogged("alert resumption-ratio")).isFalse();
    }

    /** A certificate was renewed, with the other kind of key. */
    @Test
    void rsaIsServedInPlaceOfEcdsa() {
        start(serving("", "chain: rsa.pem, key: rsa.key", ""));
        AlertStatus firing = until("rsa-ratio", AlertState.FIRING, () -> gateway.ask("localhost", "-tls1_3"));
        assertThat(firing.value()).isEqualTo(1);
        assertThat(firing.advice().getFirst()).contains("ECDSA P-256");
        assertThat(metrics().countBy(Metric.TLS_HANDSHAKES, "signature").keySet())
                .anyMatch(signature -> signature.startsWith("rsa"));
        double ofRsa = asymmetricPerHandshake(0, 0);

        double spent = asymmetric();
        double made = handshakes("kind", "full");
        gateway.reload(serving("", "chain: [ecdsa.pem, rsa.pem], key: [ecdsa.key, rsa.key]", ""));
        until("rsa-ratio", AlertState.OK, () -> gateway.ask("localhost", "-tls1_3"));
        assertThat(metrics().countBy(Metric.TLS_HANDSHAKES, "signature").keySet())
                .anyMatch(signature -> signature.startsWith("ecdsa"));
        assertThat(asymmetricPerHandshake(spent, made)).isPositive().isLessThan(ofRsa);
    }

    private double asymmetric() {
        return metrics().sum(Metric.TLS_CRYPTO_CPU, "phase", "asymmetric");
    }

    private double asymmetricPerHandshake(double spentBefore, double madeBefore) {
        return (asymmetric() - spentBefore) / (handshakes("kind", "full") - madeBefore);
    }

    /** The list of suites knows AES only, and phones without AES instructions suffer. */
    @Test
    void mobileClientsWantChaCha20() {
        start(serving(
                "    ciphers: [TLS_AES_128_GCM_SHA256]\n    min-version: 1.3\n",
                "chain: ecdsa.pem, key: ecdsa.key",
                ""));
        AlertStatus missed = until("chacha20-missed-ratio", AlertState.FIRING, this::mobileClient);
        assertThat(missed.value()).isEqualTo(1);
        assertThat(missed.advice().getFirst()).contains("leave ciphers out");
        assertThat(handshakes("cipher", "TLS_CHACHA20_POLY1305_SHA256")).isZero();
        assertThat(metrics().sum(Metric.TLS_CLIENT_PREFERENCE, "cipher", "chacha20"))
                .isPositive();
        assertThat(alert("chacha20-ratio").state()).isEqualTo(AlertState.OK);

        gateway.reload(ecdsa(""));
        until("chacha20-missed-ratio", AlertState.OK, this::mobileClient);
        assertThat(handshakes("cipher", "TLS_CHACHA20_POLY1305_SHA256")).isPositive();
        AlertStatus share = until("chacha20-ratio", AlertState.FIRING, this::mobileClient);
        assertThat(share.value()).isGreaterThan(0.5);

        until("chacha20-ratio", AlertState.OK, () -> gateway.ask("localhost", "-tls1_3"));
    }

    /** The authority's responder does not answer, for longer than its last answer holds. */
    @Test
    void theResponderIsDown() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        ResponderDouble.Behaviour answers =
                ResponderDouble.answering(request -> TestAnswers.good(now.get()).to(request));
        ResponderDouble responder = fixture.closing(ResponderDouble.behaving(answers));
        gateway = ConfiguredGateway.start(fixture, transport, directory, asking(responder), now::get);
        until("staples-missing", AlertState.OK, () -> {});
        assertThat(stapled()).contains("OCSP Response Status: successful");
        assertThat(alert("staple-expiry").value()).as("it is renewed").isNaN();

        responder.behave(ResponderDouble.refusing("503 Service Unavailable"));
        now.updateAndGet(time -> time.plus(TestAnswers.LIFE).minus(Duration.ofHours(1)));
        gateway.reload(asking(responder));
        AlertStatus firing = until("staple-expiry", AlertState.FIRING, () -> {});
        assertThat(firing.message()).startsWith("the OCSP response of certificate main is not renewed and lasts for");
        assertThat(firing.advice().getFirst()).contains("answers with an HTTP error");
        assertThat(firing.advice()).noneMatch(line -> line.contains("firewall"));
        assertThat(metrics().sum(Metric.TLS_OCSP_NEXT_UPDATE) - now.get().getEpochSecond())
                .isBetween(3000.0, 3601.0);
        assertThat(stapled()).contains("OCSP Response Status: successful");

        now.updateAndGet(time -> time.plus(Duration.ofHours(2)));
        assertThat(stapled()).contains("OCSP response: no response sent").contains(ConfiguredGateway.GREETING);
        AlertStatus missing = until("staples-missing", AlertState.FIRING, () -> {});
        assertThat(missing.advice().getFirst()).contains("answers with an HTTP error");

        gateway.reload(asking(fixture.closing(ResponderDouble.behaving(answers))));
        until("staples-missing", AlertState.OK, () -> {});
        assertThat(alert("staple-expiry").state()).isEqualTo(AlertState.OK);
        assertThat(stapled()).contains("OCSP Response Status: successful");
    }

    private static String asking(ResponderDouble responder) {
        return serving("", "chain: ecdsa.pem, key: ecdsa.key, ocsp: {responder: \"" + responder.uri() + "\"}", "");
    }

    private String stapled() {
        return gateway.ask("localhost", "-tls1_3", "-status");
    }
}
