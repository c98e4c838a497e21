package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.Facts;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests of the facts about this machine against its own sources. */
class NativeDoctorTest {
    @Test
    void reportsThisMachine() throws IOException {
        DoctorReport report = NativeDoctor.examine();

        assertThat(report.local()).isTrue();
        assertThat(report.findings()).allMatch(finding -> finding.kind().isLocal());
        Facts facts = report.facts();
        assertThat(facts.text("openssl", "version")).isEqualTo(OpenSsl.require().version());
        assertThat(Path.of(facts.text("openssl", "file"))).exists();
        assertThat(facts.text("openssl, measured", "AES-128-GCM")).matches("[0-9]+[.][0-9] GB/s .*1 KiB in [0-9]+ ns");
        assertThat(facts.text("kernel", "transport")).matches("(io_uring|epoll): .+");
        String queue =
                Files.readAllLines(Path.of("/proc/sys/net/core/somaxconn")).getFirst();
        assertThat(facts.text("kernel", "net.core.somaxconn")).isEqualTo(queue);
        assertThat(facts.text("limits", "descriptors (NOFILE)"))
                .matches("([0-9]+|unlimited), at most ([0-9]+|unlimited)");
        boolean aes = Files.readString(Path.of("/proc/cpuinfo")).contains(" aes ");
        assertThat(report.findings().stream().noneMatch(finding -> finding.kind() == FindingKind.LOCAL_NO_AES))
                .isEqualTo(aes);
    }
}
