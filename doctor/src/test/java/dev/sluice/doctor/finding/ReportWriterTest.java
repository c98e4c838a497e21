package dev.sluice.doctor.finding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of a report in its three formats. */
class ReportWriterTest {
    private static DoctorReport report() {
        Facts facts = new Facts();
        facts.put("certificate", "subject", "CN=\u001b[31mred\"<&\\");
        facts.put("certificate", "trusted", false);
        facts.put("resumption", "tickets", 2);
        facts.put("suites", "TLS 1.3", List.of("A", "B"));
        Finding fault = new Finding(FindingKind.EXPIRED, "on \u202eMonday <&\"");
        Finding note = new Finding(FindingKind.NO_H2, "chosen: http/1.1");
        return new DoctorReport("example.com:443", false, List.of(fault, note), facts, 42);
    }

    @Test
    void theTextContainsFindingsFiguresAndRemedies() {
        assertThat(ReportWriter.text(report()))
                .startsWith("example.com:443: 1 fault, 1 note (42 connections)\n")
                .contains("fault: The certificate has expired [expired]")
                .contains("nginx    listen 443 ssl http2;")
                .contains("suites\n  TLS 1.3                       A, B\n")
                .contains("trusted                       no");
    }

    @Test
    void removesControlCharactersOfAServer() {
        assertThat(ReportWriter.text(report()))
                .doesNotContain("\u001b", "\u202e")
                .contains("CN=?[31mred");
    }

    @Test
    void theJsonIsComplete() {
        assertThat(ReportWriter.json(report()))
                .contains("\"severity\": \"fault\"", "\"id\": \"expired\"", "\"connections\": 42", "\"tickets\": 2")
                .contains("\"subject\": \"CN=\\u001b[31mred\\\"<&\\\\\"", "\"trusted\": false");
    }

    @Test
    void theXmlHasACaseForEachKindOfFinding() {
        String xml = ReportWriter.junit(report());

        long kinds = Arrays.stream(FindingKind.values())
                .filter(kind -> !kind.isLocal())
                .count();
        assertThat(xml.lines().filter(line -> line.contains("<testcase "))).hasSize((int) kinds);
        assertThat(xml.lines().filter(line -> line.contains("<failure ")))
                .singleElement()
                .asString()
                .contains("Monday &lt;&amp;&quot;", "type=\"fault\"");
    }
}
