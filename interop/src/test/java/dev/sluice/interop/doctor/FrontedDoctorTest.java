package dev.sluice.interop.doctor;

import static dev.sluice.doctor.finding.FindingKind.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.Doctor;
import dev.sluice.doctor.audit.DoctorOptions;
import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.ReportWriter;
import dev.sluice.doctor.probe.StartTls;
import dev.sluice.doctor.probe.Target;
import dev.sluice.testkit.CertificateRequest;
import dev.sluice.testkit.CertificateRequest.KeyAlgorithm;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;

/**
 * nginx with something before it: STARTTLS, a server that falls silent, time that goes by; and a report for a pipeline.
 */
class FrontedDoctorTest extends DoctorTest {
    @TempDir
    static Path directory = Path.of("");

    private static NginxServers servers = new NginxServers(directory);

    @BeforeAll
    static void startServers() {
        TestCertificates certificates = TestCertificates.shared();
        Credential well = certificates.issue(CertificateRequest.named("doctor-fronted"));
        Credential rsa = certificates.issue(
                CertificateRequest.named("doctor-fronted-rsa").with(KeyAlgorithm.RSA_2048));
        servers = new NginxServers(directory)
                .add("well", well, "")
                .add("1.2", well, "ssl_protocols TLSv1.2;")
                .add("rsa", rsa, "ssl_protocols TLSv1.2;")
                .start();
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    @ParameterizedTest
    @EnumSource(value = StartTls.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void tlsBehindAnotherProtocolIsAuditedToo(StartTls protocol) throws IOException {
        try (Front front = front(protocol, servers.port("rsa"))) {
            DoctorReport report = Doctor.audit(new Target("127.0.0.1", front.port(), "localhost", protocol), OPTIONS);

            assertFindings(report, NO_TLS13, RSA_ONLY);
            assertThat(kinds(report)).doesNotContain(NO_ALPN, NO_H2);
        }
    }

    private static Front front(StartTls protocol, int port) {
        return switch (protocol) {
            case SMTP -> Front.smtp(port);
            case IMAP -> Front.imap(port);
            case POSTGRES -> Front.postgres(port);
            case NONE -> throw new IllegalArgumentException("nothing is spoken before");
        };
    }

    /** 700 bytes hold the server's first flight up to its certificate; in TLS 1.2 another one follows. */
    @Test
    void aServerThatFallsSilentBeforeItsFinishedIsTold() throws IOException {
        try (Front front = Front.thatFallsSilent(servers.port("1.2"), firstFlightBytes())) {
            DoctorOptions impatient = OPTIONS.withLimits(QUICK.withStep(Duration.ofMillis(500)));

            DoctorReport report = audit(front.port(), impatient);

            assertThat(report.findings()).anySatisfy(finding -> {
                assertThat(finding.kind()).isEqualTo(FindingKind.STALLED);
                assertThat(finding.figure()).contains("does not finish the handshake within 500 ms");
            });
        }
    }

    private static long firstFlightBytes() {
        String bytes = audit(servers.port("1.2"), OPTIONS).facts().text("certificate", "server's flight bytes");
        // The flight counts two flights' records without their headers: ticket, ChangeCipherSpec and Finished are the
        // last.
        return Long.parseLong(bytes) - 200;
    }

    @Test
    void aTicketKeyIsWatched() {
        DoctorReport report = audit(servers.port("well"), OPTIONS.watching(Duration.ofMillis(120)));

        assertThat(report.facts().text("ticket key", "keys")).isEqualTo("1");
        assertThat(report.facts().text("ticket key", "handshakes with tickets")).isEqualTo("13");
        assertThat(kinds(report)).doesNotContain(TICKET_KEY_STATIC);
    }

    @Test
    void theXmlOfAReportIsWellFormedAndFailsWhereItMust() throws Exception {
        DoctorReport report = audit(servers.port("1.2"), OPTIONS);

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(ReportWriter.junit(report).getBytes(StandardCharsets.UTF_8)));

        assertThat(document.getDocumentElement().getAttribute("failures")).isEqualTo("1");
        assertThat(document.getElementsByTagName("failure")
                        .item(0)
                        .getParentNode()
                        .getAttributes()
                        .getNamedItem("name")
                        .getNodeValue())
                .isEqualTo("no-tls13");
    }
}
