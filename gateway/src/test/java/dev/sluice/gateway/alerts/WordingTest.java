package dev.sluice.gateway.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.monitoring.AlertName.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values for people and for programs. */
class WordingTest {
    @ParameterizedTest
    @CsvSource({
        "RATIO, 0.123456, 0.123",
        "RATIO, 0, 0",
        "RATE, 12345.6, 12300",
        "NUMBER, 3, 3",
        "DURATION, 0.25, 0.25s",
        "DURATION, 59, 59s",
        "DURATION, 60, 1m",
        "DURATION, 301, 5m 1s",
        "DURATION, 86400, 1d",
        "DURATION, 1209500, 13d 23h",
        "DURATION, -3600, -1h",
        "RATIO, NaN, unknown",
        "RATE, Infinity, unknown"
    })
    void forPeople(Kind kind, double value, String text) {
        assertThat(Wording.value(kind, value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1209600, 1209600", "0.7, 0.7", "0.1234567891, 0.1234568", "NaN, unknown"})
    void forPrograms(double value, String text) {
        assertThat(Wording.exact(value)).isEqualTo(text);
    }
}
