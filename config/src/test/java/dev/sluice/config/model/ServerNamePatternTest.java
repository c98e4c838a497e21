package dev.sluice.config.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerNamePatternTest {
    @ParameterizedTest(name = "{0} covers {1}: {2}")
    @CsvSource({
        "example.com, example.com, true",
        "Example.COM., example.com, true",
        "example.com, a.example.com, false",
        "*.example.com, a.example.com, true",
        "*.example.com, example.com, false",
        "*.example.com, a.b.example.com, false",
        "*.example.com, .example.com, false",
        "*.example.com, axexample.com, false",
        "*.example.com, a.example.org, false",
        "*.example.com, '', false",
        "'', '', true",
        "'', anything, true",
    })
    void coversExactlyOneLabelPerWildcard(String pattern, String name, boolean covered) {
        assertThat(new ServerNamePattern(pattern).matches(name)).isEqualTo(covered);
    }
}
