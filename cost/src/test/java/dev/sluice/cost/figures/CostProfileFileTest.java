package dev.sluice.cost.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostProfileFileTest {
    private static final CostProfile PROFILE = new CostProfile(
            Map.of("CPU", "a \"quoted\" one \\ with\ttab", "kernel", "µ"),
            List.of(
                    new Figure("asymmetric/rsa-2048/sign", Figure.Unit.MICROSECONDS, new Estimate(246.5, 240, 250, 15)),
                    new Figure("aead/aes-128-gcm/64/seal", Figure.Unit.NANOSECONDS, new Estimate(0.125, 0, 1e6, 1)),
                    new Figure("memory/handshake/native", Figure.Unit.BYTES, Estimate.exactly(75_776))));

    @TempDir
    private Path directory;

    @Test
    void readsWhatItWrote() {
        Path file = directory.resolve("new").resolve("cost.json");

        CostProfileFile.write(PROFILE, file);

        assertThat(CostProfileFile.read(file)).isEqualTo(PROFILE);
    }

    @Test
    void findsFiguresByNameAndPrefix() {
        assertThat(PROFILE.median("asymmetric/rsa-2048/sign")).isEqualTo(246.5);
        assertThat(PROFILE.under("a")).extracting(Figure::name).hasSize(2);
        assertThat(PROFILE.find("nothing")).isEmpty();
        assertThatThrownBy(() -> PROFILE.median("nothing"))
                .isInstanceOf(CostException.class)
                .hasMessageContaining("nothing")
                .hasMessageContaining("sluice cost");
    }

    @Test
    void reportsAMissingFile() {
        assertThatThrownBy(() -> CostProfileFile.read(directory.resolve("absent.json")))
                .isInstanceOf(CostException.class)
                .hasMessageContaining("absent.json does not exist")
                .hasMessageContaining("sluice cost");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no JSON at all|not an object",
                "{|",
                "{\"format\": \"sluice-cost/9\"}|format is sluice-cost/9",
                "{\"format\": \"sluice-cost/1\", \"facts\": {}, \"figures\": 7}|figures is not an object",
                "{\"format\": \"sluice-cost/1\", \"facts\": {}, \"figures\": {\"a\": {\"unit\": \"us\"}}}"
                        + "|a has no number median",
                "{\"format\": \"sluice-cost/1\", \"facts\": {}, \"figures\": {\"a\": {\"unit\": \"years\", "
                        + "\"median\": 1, \"low\": 1, \"high\": 1, \"rounds\": 1}}}|no unit is called years"
            })
    void rejectsAMalformedFileWithTheRemedy(String text, String cause) throws IOException {
        Path file = Files.writeString(directory.resolve("bad.json"), text);

        assertThatThrownBy(() -> CostProfileFile.read(file))
                .isInstanceOf(CostException.class)
                .hasMessageContaining("bad.json")
                .hasMessageContaining(cause == null ? "" : cause)
                .hasMessageContaining("measure again with: sluice cost");
    }

    @Test
    void defaultFileIsInTheCacheDirectory() {
        assertThat(CostProfileFile.usual(Map.of(), "/home/anna"))
                .isEqualTo(Path.of("/home/anna/.cache/sluice/cost.json"));
        assertThat(CostProfileFile.usual(Map.of("HOME", "/home/berta"), "/home/anna"))
                .isEqualTo(Path.of("/home/berta/.cache/sluice/cost.json"));
        assertThat(CostProfileFile.usual(Map.of("XDG_CACHE_HOME", "/var/cache"), "/home/anna"))
                .isEqualTo(Path.of("/var/cache/sluice/cost.json"));
    }
}
