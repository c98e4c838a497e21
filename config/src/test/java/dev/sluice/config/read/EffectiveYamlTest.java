package dev.sluice.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The effective configuration: printed in full, it is the same configuration. */
class EffectiveYamlTest {
    private static final Map<String, String> PASSWORD = Map.of("SLUICE_STORE_PASSWORD", "p%40ss");

    @TempDir
    Path directory = Path.of("");

    @TempDir
    Path elsewhere = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        ConfigSamples.writeFiles(directory);
    }

    static List<String> samples() {
        return ConfigSamples.ALL;
    }

    /** The second read is in another directory, since no path is relative any more. */
    @ParameterizedTest
    @MethodSource("samples")
    void printsAnEqualConfiguration(String text) throws Exception {
        ReadConfig read = ConfigSamples.read(directory, text, Map.of());
        ReadConfig again = ConfigSamples.read(elsewhere, read.effective(), PASSWORD);

        assertThat(withoutPlaces(again)).isEqualTo(withoutPlaces(read));
        assertThat(again.effective()).isEqualTo(read.effective());
    }

    private static String withoutPlaces(ReadConfig read) {
        return read.config().toString().replaceAll("origin=[^\\]]*", "");
    }

    @Test
    void printsDefaults() throws Exception {
        String effective =
                ConfigSamples.read(directory, ConfigSamples.MINIMAL, Map.of()).effective();

        assertThat(effective.lines())
                .contains(
                        "drain: 30s",
                        "  handshake-timeout: 5s",
                        "  rotate: 12h",
                        "    balance: round-robin",
                        "  min-version: '1.2'",
                        "    chain: " + directory.resolve("shop.pem"))
                .noneMatch(line -> line.contains("connections:"));
    }

    @Test
    void omitsPasswords() throws Exception {
        String text = ConfigSamples.MINIMAL + "tickets: {store: \"redis://u:secret@host\", fleet-key: fleet.key}\n";
        String effective = ConfigSamples.read(directory, text, Map.of()).effective();

        assertThat(effective)
                .contains("store: redis://u:${SLUICE_STORE_PASSWORD}@host:6379")
                .doesNotContain("secret");
    }

    @Test
    void replacesVariablesButNotEscapedOnes() throws Exception {
        String text = ConfigSamples.MINIMAL
                .replace("127.0.0.1:8080", "\"${HOST}:${PORT:-8080}\"")
                .replace("backend: web}", "backend: web, alpn: [\"$${x}\"]}");
        ReadConfig read = ConfigSamples.read(directory, text, Map.of("HOST", "127.0.0.9"));

        assertThat(read.config().listeners().getFirst().alpn()).containsExactly("${x}");
        assertThat(read.effective()).contains("127.0.0.9:8080").contains("$${x}");
        assertThat(ConfigSamples.read(elsewhere, read.effective(), Map.of()).effective())
                .isEqualTo(read.effective());
    }
}
