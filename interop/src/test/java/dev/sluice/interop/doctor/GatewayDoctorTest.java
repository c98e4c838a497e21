package dev.sluice.interop.doctor;

import static dev.sluice.doctor.finding.FindingKind.EARLY_DATA_OFFERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.interop.fixture.GatewayProcess;
import dev.sluice.interop.fixture.GatewaySetup;
import dev.sluice.interop.fixture.GatewayTest;
import dev.sluice.interop.fixture.HttpBackend;
import org.junit.jupiter.api.Test;

/** Our own gateway, as others are looked at. */
class GatewayDoctorTest extends GatewayTest {
    @Test
    void byDefaultThereIsNothingToMend() {
        GatewayProcess gateway = gateway(HttpBackend.start());

        DoctorReport report = DoctorTest.audit(gateway.port(), DoctorTest.OPTIONS.withHttp());

        DoctorTest.assertFindings(report);
        assertThat(report.facts().text("resumption", "TLS 1.3"))
                .isEqualTo("resumed, resumed, resumed, resumed, resumed");
        assertThat(report.facts().text("resumption", "TLS 1.2"))
                .isEqualTo("resumed, resumed, resumed, resumed, resumed");
        assertThat(report.facts().text("suites", "TLS 1.3 follows ChaCha20 first"))
                .isEqualTo("yes");
        assertThat(report.facts().text("conversation", "KeyUpdate answered")).isEqualTo("yes");
        assertThat(report.facts().text("conversation", "close_notify")).isEqualTo("yes");
    }

    @Test
    void earlyDataThatIsHeldIsNotCarriedOutBeforeItsTime() {
        GatewayProcess gateway = gateway(
                GatewaySetup.before(backend(HttpBackend.start()), transport).listener("early-data: hold"));

        DoctorReport report =
                DoctorTest.audit(gateway.port(), DoctorTest.OPTIONS.withHttp().withEarlyData());

        DoctorTest.assertFindings(report, EARLY_DATA_OFFERED);
        assertThat(report.facts().text("early data", "a POST before Finished"))
                .isEqualTo("held until the handshake is complete");
    }
}
