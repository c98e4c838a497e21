package dev.sluice.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({"250ms, PT0.25S", "5s, PT5S", "90m, PT1H30M", "12h, PT12H", "2d, PT48H", "0s, PT0S"})
    void parsesDurations(String text, Duration duration) {
        assertThat(Quantities.duration(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "5", "s", "-1s", "5 s", "5S", "5sec", "1.5s", "99999999999999999999s", "900000000000000d"})
    void rejectsWhatIsNotADuration(String text) {
        assertThat(Quantities.duration(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1B, 1", "64KiB, 65536", "3MiB, 3145728", "1GiB, 1073741824"})
    void parsesAndWritesSizes(String text, long bytes) {
        assertThat(Quantities.bytes(text)).isEqualTo(bytes);
        assertThat(Quantities.text(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "KiB", "-1KiB", "1KB", "1k", "999999999999999GiB"})
    void rejectsWhatIsNotASize(String text) {
        assertThat(Quantities.bytes(text)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"250ms", "5s", "90s", "7m", "12h", "30d", "0s"})
    void writesDurationsAsTheyAreRead(String text) {
        Duration duration = Objects.requireNonNull(Quantities.duration(text));

        assertThat(Quantities.duration(Quantities.text(duration))).isEqualTo(duration);
    }
}
