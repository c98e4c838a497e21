package dev.sluice.interop.doctor;

import static dev.sluice.doctor.finding.FindingKind.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.demo.DevelopmentCertificate;
import dev.sluice.doctor.audit.DoctorOptions;
import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** nginx, well and badly: every planted fault is found, and none besides. */
class NginxDoctorTest extends DoctorTest {
    @TempDir
    static Path directory = Path.of("");

    private static final TestCertificates CERTIFICATES = TestCertificates.shared();
    private static NginxServers servers = new NginxServers(directory);

    @BeforeAll
    static void startServers() throws IOException {
        servers = new NginxServers(directory);
        addCertificates();
        addProtocols();
        addSessions();
        addEarlyData();
        Files.write(directory.resolve("big"), new byte[300_000]);
        var _ = servers.start();
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    private static void addCertificates() throws IOException {
        Credential well = issue("well");
        Credential chained =
                CERTIFICATES.issue(CertificateRequest.named("doctor-chained").viaIntermediate());
        servers.add("well", well, "")
                .add("with intermediate", chained, "")
                .add("rsa", issueRsa(), "")
                .add("both kinds", well, also(issueRsa()))
                .add(
                        "expired",
                        CERTIFICATES.issue(
                                CertificateRequest.named("doctor-expired").valid(-30, -2)),
                        "")
                .add(
                        "not yet valid",
                        CERTIFICATES.issue(
                                CertificateRequest.named("doctor-early").valid(2, 30)),
                        "")
                .add(
                        "expires soon",
                        CERTIFICATES.issue(
                                CertificateRequest.named("doctor-soon").valid(-80, 3)),
                        "")
                .add(
                        "wrong name",
                        CERTIFICATES.issue(
                                CertificateRequest.named("doctor-other").forHosts("other.example")),
                        "")
                .add(
                        "must staple",
                        CERTIFICATES.issue(
                                CertificateRequest.named("doctor-must").mustStaple()),
                        "")
                .add(
                        "no staple",
                        CERTIFICATES.issue(
                                CertificateRequest.named("doctor-ocsp").askingAt("http://127.0.0.1:1/")),
                        "")
                .add("other authority", new TestCertificates().issue(CertificateRequest.named("doctor-foreign")), "");
        DevelopmentCertificate alone = DevelopmentCertificate.in(directory.resolve("alone"));
        servers.add("self-signed", alone.chainFile(), alone.keyFile(), "");
        Path intermediate = CERTIFICATES.intermediateFile();
        Path root = CERTIFICATES.rootFile();
        Path leaf = CERTIFICATES.issue(CertificateRequest.named("doctor-leaf")).chainFile();
        addChain("no intermediate", chained, onlyFirst(chained));
        addChain("root sent", chained, read(chained.chainFile()) + read(root));
        addChain("wrong order", chained, onlyFirst(chained) + read(root) + read(intermediate));
        addChain("foreign certificate", chained, read(chained.chainFile()) + read(leaf));
        addChain("huge", chained, read(chained.chainFile()) + String.join("", Collections.nCopies(40, read(leaf))));
    }

    private static void addProtocols() {
        Credential well = issue("well");
        servers.add("1.2 only", well, "ssl_protocols TLSv1.2;")
                .add("1.3 only", well, "ssl_protocols TLSv1.3;")
                .add("old", well, "ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AES:@SECLEVEL=0;")
                .add("cbc", well, "ssl_ciphers ECDHE+AES;")
                .add("rsa key exchange", issueRsa(), "ssl_ciphers ECDHE+AESGCM:AES128-GCM-SHA256;")
                .add("null", well, "ssl_ciphers ECDHE+AESGCM:ECDHE+eNULL:@SECLEVEL=0;")
                .add("anonymous", well, "ssl_ciphers ECDHE+AESGCM:aNULL:@SECLEVEL=0;")
                .add(
                        "short prime",
                        issueRsa(),
                        "ssl_ciphers ECDHE+AESGCM:DHE+AESGCM:@SECLEVEL=0; ssl_dhparam " + shortPrime() + ";")
                .add("own order", well, "ssl_prefer_server_ciphers on;")
                .add("p-384", well, "ssl_ecdh_curve secp384r1;")
                .add("p-256", well, "ssl_ecdh_curve prime256v1;")
                .add(
                        "client certificate",
                        well,
                        "ssl_verify_client on; ssl_client_certificate " + CERTIFICATES.rootFile() + ";")
                .add("small records", well, "ssl_buffer_size 1k; rewrite ^/$ /big last;")
                .addServer(
                        "http/1.1",
                        "ssl",
                        "ssl_certificate " + well.chainFile() + "; ssl_certificate_key " + well.keyFile() + ";")
                .addServer("plain", "", "");
    }

    private static void addSessions() {
        Credential well = issue("well");
        servers.add("no resumption", well, "ssl_session_tickets off; ssl_session_cache off;")
                .add("a cache and no tickets", well, "ssl_session_tickets off; ssl_session_cache shared:doctor:1m;")
                .add("short sessions", well, "ssl_session_timeout 1m;")
                .add("many tickets", well, "ssl_conf_command NumTickets 4;");
    }

    private static void addEarlyData() {
        Credential well = issue("well");
        servers.add("early data", well, "ssl_early_data on;")
                .add("early data refused", well, "ssl_early_data on; if ($ssl_early_data) { return 425; }");
    }

    static Stream<Arguments> configurations() {
        return Stream.of(
                found("well"),
                found("with intermediate"),
                found("rsa", RSA_ONLY),
                found("both kinds"),
                found("expired", EXPIRED),
                found("not yet valid", NOT_YET_VALID),
                found("expires soon", EXPIRES_SOON),
                found("wrong name", NAME_MISMATCH),
                found("must staple", MUST_STAPLE_MISSING),
                found("no staple", NO_STAPLE),
                found("other authority", CHAIN_INCOMPLETE),
                found("self-signed", SELF_SIGNED),
                found("no intermediate", CHAIN_INCOMPLETE),
                found("root sent", ROOT_SENT),
                found("wrong order", CHAIN_ORDER, ROOT_SENT),
                found("foreign certificate", CHAIN_EXTRA),
                found("huge", CHAIN_HUGE, CHAIN_EXTRA),
                found("1.2 only", NO_TLS13),
                found("1.3 only", NO_TLS12),
                found("old", OLD_VERSIONS, CBC_SUITES),
                found("cbc", CBC_SUITES),
                found("rsa key exchange", RSA_KEY_EXCHANGE, RSA_ONLY),
                found("null", BROKEN_SUITES),
                found("anonymous", BROKEN_SUITES),
                found("short prime", WEAK_DH, RSA_ONLY),
                found("own order", CHACHA_IGNORED),
                found("p-384", SLOW_GROUP, EXTRA_ROUND_TRIP),
                found("p-256", EXTRA_ROUND_TRIP),
                found("client certificate", CLIENT_CERTIFICATE),
                found("small records", SMALL_RECORDS),
                found("http/1.1", NO_H2),
                found("plain", NOT_TLS),
                found("no resumption", NO_RESUMPTION),
                found("a cache and no tickets"),
                found("short sessions", SHORT_SESSIONS),
                found("many tickets", MANY_TICKETS),
                found("early data", EARLY_DATA_OFFERED));
    }

    private static Arguments found(String name, FindingKind... kinds) {
        return Arguments.of(name, List.of(kinds));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("configurations")
    void everyFaultIsFoundAndNoOther(String name, List<FindingKind> expected) {
        DoctorReport report = audit(servers.port(name), OPTIONS);

        assertFindings(report, expected.toArray(FindingKind[]::new));
    }

    @Test
    void ofAServerThatIsWellNothingIsToldButWhatItsLibraryLacks() {
        DoctorReport report = audit(servers.port("well"), OPTIONS);

        assertThat(kinds(report)).isSubsetOf(NO_PQ_GROUP);
        assertThat(report.facts().text("resumption", "TLS 1.3"))
                .isEqualTo("resumed, resumed, resumed, resumed, resumed");
        assertThat(report.facts().text("conversation", "KeyUpdate answered")).isEqualTo("yes");
        assertThat(report.facts().text("conversation", "close_notify")).isEqualTo("yes");
        assertThat(report.facts().text("certificate", "kinds of key")).isEqualTo("ECDSA");
    }

    @Test
    void anUnsafeRequestInEarlyDataIsTold() {
        DoctorOptions asking = OPTIONS.withEarlyData();

        assertFindings(audit(servers.port("early data"), asking), EARLY_DATA_OFFERED, EARLY_DATA_REPLAYABLE);
        assertFindings(audit(servers.port("early data refused"), asking), EARLY_DATA_OFFERED);
    }

    private static Credential issue(String name) {
        return CERTIFICATES.issue(CertificateRequest.named("doctor-" + name));
    }

    private static Credential issueRsa() {
        return CERTIFICATES.issue(CertificateRequest.named("doctor-rsa").with(KeyAlgorithm.RSA_2048));
    }

    private static String also(Credential second) {
        return "ssl_certificate " + second.chainFile() + "; ssl_certificate_key " + second.keyFile() + ";";
    }

    private static void addChain(String name, Credential credential, String pem) throws IOException {
        Path file = Files.writeString(directory.resolve(name.replace(' ', '-') + ".pem"), pem);
        servers.add(name, file, credential.keyFile(), "");
    }

    private static String onlyFirst(Credential credential) throws IOException {
        String end = "-----END CERTIFICATE-----\n";
        String pem = read(credential.chainFile());
        return pem.substring(0, pem.indexOf(end) + end.length());
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }

    /** 1,024 bits are made in a moment by the way of DSA. */
    private static Path shortPrime() {
        Path file = directory.resolve("dh.pem");
        ForeignProgram.required("openssl", "openssl")
                .command("dhparam", "-dsaparam", "-out", file.toString(), "1024")
                .run()
                .expectSuccess();
        return file;
    }
}
