package dev.sluice.doctor.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cost.doctor.PuppetServer;
import dev.sluice.doctor.Doctor;
import dev.sluice.doctor.audit.DoctorOptions;
import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Severity;
import dev.sluice.testkit.FreePort;
import dev.sluice.testkit.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests with misbehaving endpoints: each is a finding that names the behaviour, and nothing is thrown. */
class HostileEndpointTest {
    private static final DoctorOptions QUICK = DoctorOptions.DEFAULT
            .trusting(TestCertificates.shared().rootFile())
            .withLimits(DoctorLimits.DEFAULT
                    .withConnectionsPerSecond(1_000)
                    .withQuiet(Duration.ofMillis(50))
                    .withStep(Duration.ofMillis(400)));

    /** TLS 1.2, no session, ECDHE-ECDSA with AES-128-GCM: enough for a client to wait for a certificate. */
    private static final byte[] SERVER_HELLO =
            HexFormat.of().parseHex("160303002a02000026" + "0303" + "ab".repeat(32) + "00" + "c02b" + "00");

    /** The kinds of misbehaviour. */
    enum Wrong {
        SILENT(FindingKind.STALLED, "does not send its ServerHello within 400 ms"),
        ENDS_AT_ONCE(FindingKind.NOT_TLS, "connection ended"),
        ENDS_AFTER_HELLO(FindingKind.NOT_TLS, "connection ended"),
        GARBAGE(FindingKind.NOT_TLS, "failed to send its ServerHello: invalid message"),
        HTTP(FindingKind.NOT_TLS, "its answer begins with \"HTTP/\""),
        SERVER_HELLO_ALONE(FindingKind.STALLED, "does not send its certificate within 400 ms"),
        DRIPS(FindingKind.STALLED, "does not send its ServerHello within 400 ms"),
        CERTIFICATE_OF_GARBAGE(FindingKind.HANDSHAKE_FAILS, "invalid message"),
        ALERT(FindingKind.HANDSHAKE_FAILS, "refused with the alert handshake_failure");

        final FindingKind kind;
        final String figure;

        Wrong(FindingKind kind, String figure) {
            this.kind = kind;
            this.figure = figure;
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsAFinding(Wrong wrong) throws IOException {
        try (PuppetServer server = PuppetServer.start((client, in, out) -> play(wrong, client, in, out))) {
            DoctorReport report = Doctor.audit(target(server.port(), StartTls.NONE), QUICK);

            assertThat(report.findings()).anySatisfy(finding -> {
                assertThat(finding.kind()).isEqualTo(wrong.kind);
                assertThat(finding.figure()).contains(wrong.figure);
            });
            assertThat(report.severity()).isEqualTo(Severity.FAULT);
        }
    }

    private static void play(Wrong wrong, Socket client, InputStream in, OutputStream out)
            throws IOException, InterruptedException {
        switch (wrong) {
            case SILENT -> untilTheClientGoes(in);
            case ENDS_AT_ONCE -> client.shutdownOutput();
            case ENDS_AFTER_HELLO -> assertThat(in.read(new byte[4_096])).isPositive();
            case GARBAGE -> {
                byte[] noise = new byte[20_000];
                new Random(1).nextBytes(noise);
                out.write(noise);
                untilTheClientGoes(in);
            }
            case HTTP -> {
                out.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                untilTheClientGoes(in);
            }
            case SERVER_HELLO_ALONE -> {
                out.write(SERVER_HELLO);
                untilTheClientGoes(in);
            }
            case DRIPS -> {
                for (byte each : SERVER_HELLO) {
                    out.write(each);
                    Thread.sleep(100);
                }
            }
            case CERTIFICATE_OF_GARBAGE -> {
                out.write(SERVER_HELLO);
                out.write(HexFormat.of().parseHex("160303000e0b00000a0000070000041122334455"));
                untilTheClientGoes(in);
            }
            case ALERT -> {
                out.write(HexFormat.of().parseHex("15030300020228"));
                untilTheClientGoes(in);
            }
        }
    }

    @Test
    void reportsAnEndpointWithoutAListener() {
        DoctorReport report = Doctor.audit(target(FreePort.onLoopback(), StartTls.NONE), QUICK);

        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(FindingKind.UNREACHABLE);
            assertThat(finding.figure()).contains("127.0.0.1", "refused");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SMTP | 554 go away | its greeting with: 554 go away",
                "SMTP | 220 here 502 no | EHLO with: 502 no",
                "IMAP | * BYE | its greeting with: * BYE",
                "IMAP | * OK here a1 NO | STARTTLS with: a1 NO",
                "POSTGRES | N | SSLRequest with: 'N'",
            })
    void reportsARefusedStartTls(StartTls protocol, String says, String figure) throws IOException {
        String lines = says.replace("here ", "here\r\n") + "\r\n";
        try (PuppetServer server = PuppetServer.start((client, in, out) -> {
            out.write(lines.getBytes(StandardCharsets.US_ASCII));
            untilTheClientGoes(in);
        })) {
            DoctorReport report = Doctor.audit(target(server.port(), protocol), QUICK);

            assertThat(report.findings()).singleElement().satisfies(finding -> {
                assertThat(finding.kind()).isEqualTo(FindingKind.STARTTLS_REFUSED);
                assertThat(finding.figure()).contains(figure);
            });
        }
    }

    @ParameterizedTest
    @EnumSource(value = StartTls.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void reportsSilenceBeforeTls(StartTls protocol) throws IOException {
        try (PuppetServer server = PuppetServer.start((client, in, out) -> untilTheClientGoes(in))) {
            DoctorReport report = Doctor.audit(target(server.port(), protocol), QUICK);

            assertThat(report.findings()).singleElement().satisfies(finding -> {
                assertThat(finding.kind()).isEqualTo(FindingKind.STALLED);
                assertThat(finding.figure()).contains("does not agree to TLS within 400 ms");
            });
        }
    }

    @Test
    void truncatesAnUnterminatedLine() throws IOException {
        try (PuppetServer server = PuppetServer.start((client, in, out) -> {
            byte[] endless = "220 ".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            out.write(endless);
            untilTheClientGoes(in);
        })) {
            DoctorReport report = Doctor.audit(target(server.port(), StartTls.SMTP), QUICK);

            assertThat(report.findings())
                    .singleElement()
                    .satisfies(finding -> assertThat(finding.figure()).contains("unterminated line"));
        }
    }

    private static Target target(int port, StartTls startTls) {
        return new Target("127.0.0.1", port, "localhost", startTls);
    }

    private static void untilTheClientGoes(InputStream in) throws IOException {
        byte[] bytes = new byte[4_096];
        while (in.read(bytes) >= 0) {
            // whatever its wording
        }
    }
}
