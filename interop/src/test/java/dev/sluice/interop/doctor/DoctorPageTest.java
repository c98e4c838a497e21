package dev.sluice.interop.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.doctor.finding.FindingKind;
import dev.sluice.interop.fixture.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The page tells of each finding, by its severity, and of none that there is not. */
class DoctorPageTest {
    @Test
    void eachFindingIsDescribed() throws IOException {
        List<String> rows = Files.readAllLines(Sluice.home().resolve("docs/doctor.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', 1) + 1) + 1))
                .toList();

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(FindingKind.values())
                        .map(kind -> "| `" + kind.id() + "` | "
                                + kind.severity().name().toLowerCase(Locale.ROOT) + " |")
                        .toList());
    }
}
