package dev.sluice.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.read.ConfigSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The replacement of environment variables. */
class EnvironmentTest {
    private static final Environment ENVIRONMENT = new Environment(Map.of("A", "one", "EMPTY", "", "B", "$\\1"));

    @TempDir
    Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "x; x",
                "${A}; one",
                "/run/${A}/${A}.key; /run/one/one.key",
                "${A:-two}; one",
                "${NONE:-two}; two",
                "${EMPTY:-two}; two",
                "${NONE:-}x; x",
                "${B}; $\\1",
                "$A; $A",
                "$${A}; ${A}",
                "$$${A}; $${A}"
            })
    void replacesReferences(String text, String result) {
        assertThat(ENVIRONMENT.substitute(text)).isEqualTo(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"${NONE}", "a${NONE}b", "${EMPTY}"})
    void reportsAnUnsetVariableWithTheRemedy(String text) {
        assertThatThrownBy(() -> ENVIRONMENT.substitute(text))
                .hasMessageMatching(
                        "the environment has no variable (NONE|EMPTY); set it where the gateway is started, or"
                                + " give a default: \\$\\{(NONE|EMPTY):-default}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${", "${}", "${1}", "${A", "${A B}", "${A-b}"})
    void reportsAMalformedReferenceWithTheForm(String text) {
        assertThatThrownBy(() -> ENVIRONMENT.substitute(text))
                .hasMessageContaining("is not a reference to the environment; write ${NAME} or ${NAME:-default}");
    }

    @Test
    void reportsAnUnsetVariableOnceWithItsPosition() throws IOException {
        ConfigSamples.writeFiles(directory);
        String text = ConfigSamples.MINIMAL.replace("key: shop.key", "key: \"${KEYS}/shop.key\"");

        ConfigException problem =
                catchThrowableOfType(ConfigException.class, () -> ConfigSamples.read(directory, text, Map.of()));

        assertThat(problem.problems())
                .singleElement()
                .extracting(ConfigProblem::toString)
                .asString()
                .startsWith(directory.resolve("sluice.yaml") + ":4:32: the environment has no variable KEYS; ");
    }
}
