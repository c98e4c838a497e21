package dev.sluice.config.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.monitoring.AlertName;
import dev.sluice.config.read.ConfigSamples;
import dev.sluice.config.yaml.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The section {@code alerts}. */
class AlertSectionTest {
    @TempDir
    Path directory = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
    }

    private @Nullable AlertConfig alerts(String lines) throws Exception {
        return ConfigSamples.read(directory, ConfigSamples.MINIMAL + lines, Map.of())
                .config()
                .alerts();
    }

    private AlertConfig watched(String lines) throws Exception {
        return Objects.requireNonNull(alerts(lines));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''", "alerts: off", "alerts: off, admin: unix:a.sock", "alerts: false"})
    void isOffWithoutAnAdminInterface(String lines) throws Exception {
        assertThat(alerts(lines.replace(", ", "\n"))).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"admin: unix:a.sock", "alerts: on", "alerts: {}"})
    void isOnWithAnAdminInterface(String lines) throws Exception {
        assertThat(alerts(lines)).isEqualTo(AlertConfig.DEFAULT);
    }

    @Test
    void readsAThresholdOrOffForEachAlert() throws Exception {
        AlertConfig config = watched("""
                alerts:
                  window: 10s
                  hold: 0s
                  clear: 5s
                  minimum-handshakes: 7
                  resumption-ratio: 0.85
                  full-handshakes-per-second: 200
                  certificate-expiry: 2d
                  servers-down: off
                  reload-failed: off
                  staple-expiry: off
                  command: [logger, -t, sluice]
                """);

        assertThat(config.window()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.hold()).isEqualTo(Duration.ZERO);
        assertThat(config.clear()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.minimumHandshakes()).isEqualTo(7);
        assertThat(config.command()).containsExactly("logger", "-t", "sluice");
        assertThat(config.thresholds())
                .containsEntry(AlertName.RESUMPTION_RATIO, 0.85)
                .containsEntry(AlertName.FULL_HANDSHAKES_PER_SECOND, 200.0)
                .containsEntry(AlertName.CERTIFICATE_EXPIRY, 172_800.0)
                .containsEntry(AlertName.BACKEND_DOWN, 0.0)
                .doesNotContainKeys(AlertName.SERVERS_DOWN, AlertName.RELOAD_FAILED, AlertName.STAPLE_EXPIRY);
    }

    @Test
    void derivesTheTicketKeyAgeFromTheRotation() throws Exception {
        AlertConfig config = watched("tickets: {rotate: 1h}\nalerts: on");

        assertThat(config.thresholds()).containsEntry(AlertName.TICKET_KEY_AGE, 7_200.0);
    }

    @Test
    void findsAProgramInTheConfigurationsDirectory() throws Exception {
        Path script = Files.createFile(directory.resolve("page me"));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        AlertConfig config = watched("alerts: {command: [\"./page me\", now]}");

        assertThat(config.command())
                .containsExactly(directory.resolve("page me").toString(), "now");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{resumption-ratio: 70%} | resumption-ratio is \"70%\"; write a number from 0 to 1, or off",
                "{resumption-ratio: 1.5} | resumption-ratio is \"1.5\"; write a number from 0 to 1, or off",
                "{refusals-per-second: -1} | refusals-per-second is \"-1\"; write a number from 0 to 1000000000,"
                        + " or off",
                "{certificate-expiry: 14} | certificate-expiry is \"14\", not a duration",
                "{backend-down: 3} | backend-down is \"3\"; write on or off",
                "{resumtion-ratio: 0.7} | unknown key \"resumtion-ratio\" in alerts; did you mean"
                        + " \"resumption-ratio\"?",
                "{command: [./absent]} | absent is not executable; name an executable file",
                "{command: []} | command is an empty list",
                "sometimes | alerts is \"sometimes\"; write on or off"
            })
    void reportsMistakesWithTheRemedy(String section, String message) {
        ConfigException problem = catchThrowableOfType(ConfigException.class, () -> alerts("alerts: " + section));

        assertThat(problem).hasMessageContaining(message);
    }
}
