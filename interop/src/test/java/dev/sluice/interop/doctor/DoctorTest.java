package dev.sluice.interop.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.Doctor;
import dev.sluice.doctor.audit.DoctorOptions;
import dev.sluice.doctor.finding.DoctorReport;
import dev.sluice.doctor.finding.Finding;
import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.doctor.finding.Severity;
import dev.sluice.doctor.probe.DoctorLimits;
import dev.sluice.doctor.probe.StartTls;
import dev.sluice.doctor.probe.Target;
import dev.sluice.testkit.TestCertificates;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A base for tests of the doctor: quick audits, and their expected findings. */
abstract class DoctorTest {
    /** Servers on this machine need no mercy, and answer at once. */
    static final DoctorLimits QUICK =
            DoctorLimits.DEFAULT.withConnectionsPerSecond(1_000).withQuiet(Duration.ofMillis(150));

    static final DoctorOptions OPTIONS = DoctorOptions.DEFAULT
            .withLimits(QUICK)
            .trusting(TestCertificates.shared().rootFile());

    /**
     * Holds when all that is expected was found, and nothing that matters besides.
     *
     * @param expected all of the findings that are warnings or faults, and such notes as must be there
     */
    static void assertFindings(DoctorReport report, FindingKind... expected) {
        Set<FindingKind> found = kinds(report);
        Set<FindingKind> serious = found.stream()
                .filter(kind -> kind.severity().compareTo(Severity.WARNING) >= 0)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingKind.class)));
        Set<FindingKind> all =
                Arrays.stream(expected).collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingKind.class)));
        Set<FindingKind> allSerious = all.stream()
                .filter(kind -> kind.severity().compareTo(Severity.WARNING) >= 0)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingKind.class)));

        assertThat(serious).as(() -> told(report)).isEqualTo(allSerious);
        assertThat(found).as(() -> told(report)).containsAll(all);
    }

    static Set<FindingKind> kinds(DoctorReport report) {
        return report.findings().stream()
                .map(Finding::kind)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FindingKind.class)));
    }

    private static String told(DoctorReport report) {
        return report.findings() + "\n" + report.facts().sections();
    }

    static DoctorReport audit(int port, DoctorOptions options) {
        return Doctor.audit(target(port), options);
    }

    static Target target(int port) {
        return new Target("127.0.0.1", port, "localhost", StartTls.NONE);
    }
}
