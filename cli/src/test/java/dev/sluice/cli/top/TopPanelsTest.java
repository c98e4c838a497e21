package dev.sluice.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cli.command.TerminalSize;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the screen that {@code sluice top} draws from a snapshot. */
final class TopPanelsTest {
    private static final String SNAPSHOT = """
            {"time": 1800000000000, "state": "serving",
             "series": {"full": 12.5, "resumed": 95, "failed": null, "resumption": 0.88, "crypto": 0.043,
                        "crypto_cpu": 0.09, "cpu": 0.7, "connections": 1240,
                        "sent": 25000000, "received": 900, "memory": 10000000},
             "alerts": [
               {"name": "resumption-ratio", "state": "firing", "message": "0.4 of all handshakes resumed a session",
                "advice": ["Switch tickets on.", "Share keys."]},
               {"name": "crypto-cpu-ratio", "state": "ok", "message": "all is well", "advice": ["nothing"]}],
             "counts": {
               "versions": [{"name": "TLSv1.2", "recent": 1, "total": 90},
                            {"name": "TLSv1.3", "recent": 3, "total": 10}],
               "failures": [{"name": "no_shared_cipher", "detail": "peer", "recent": 2, "total": 30}]},
             "tables": {
               "backends": [{"labels": {"backend": "web", "server": "10.0.0.1:80"},
                            "figures": {"up": 0, "connects_total": 5}}],
               "keys": [{"labels": {"state": "current"}, "figures": {"keys": 1}}]},
             "figures": {"process_start_time_seconds": 1799990000},
             "info": {"sluice_build_info": {"version": "0.1.0"}},
             "history": {"fine": {"time": [1, 2, 3], "full": [0, 6, 12]}}}
            """;

    private static final Sparkline SPARKLINE = new Sparkline(StandardCharsets.UTF_8);

    @Test
    void everyPanelShowsItsFigures() {
        List<String> lines = lines(120, false);

        assertThat(lines.getFirst()).isEqualTo("Sluice 0.1.0 · gateway:9900 · serving · up 2 h 46 min");
        assertThat(line(lines, "Full handshakes")).contains(" 13 /s", "▁▅█", "95 resumed, - failed /s");
        assertThat(line(lines, "Resumption")).contains("88 %");
        assertThat(line(lines, "Cryptography")).contains("4.3 %", "0.09 of 0.70 cores");
        assertThat(line(lines, "To clients")).contains("23.8 MiB/s");
        assertThat(line(lines, "Versions")).contains("TLSv1.3 75 %, TLSv1.2 25 %");
        assertThat(line(lines, "Ciphers")).contains("no handshake yet");
        assertThat(line(lines, "web 10.0.0.1:80")).contains("down").containsPattern("5 +- +-$");
        assertThat(line(lines, "no shared cipher (peer)")).containsPattern("2 +30$");
        assertThat(line(lines, "Ticket keys")).contains("1 current");
    }

    @Test
    void showsAFiringAlertFirstWithItsRemedy() {
        List<String> lines = lines(120, false);

        assertThat(lines.subList(1, 5))
                .containsExactly(
                        "",
                        "! 0.4 of all handshakes resumed a session (resumption-ratio)",
                        "  1. Switch tickets on.",
                        "  2. Share keys.");
        assertThat(lines).noneMatch(line -> line.contains("all is well"));
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 40, 80, 200})
    void noLineIsWiderThanTheTerminal(int width) {
        assertThat(lines(width, false))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
    }

    @Test
    void wrapsWhatIsWiderThanTheTerminal() {
        List<String> lines = lines(40, false);
        assertThat(lines).containsSequence("! 0.4 of all handshakes resumed a", "    session (resumption-ratio)");
    }

    @Test
    void writesEscapesForTerminalsOnly() {
        assertThat(lines(120, false)).noneMatch(line -> line.contains("\u001b"));
        assertThat(lines(120, true)).anyMatch(line -> line.startsWith("\u001b[1;31m! 0.4"));
    }

    @Test
    void drawsAnEmptySnapshot() {
        List<String> lines = new TopPanels(JsonView.parse("{}"), "gateway:9900", 80, false, SPARKLINE).lines();

        assertThat(line(lines, "Ticket keys")).contains("none: clients cannot resume");
        assertThat(line(lines, "Full handshakes")).contains("- /s");
    }

    @Test
    void sparklineHasTheWidthAndTheNewestValueAtTheRight() {
        assertThat(SPARKLINE.of(List.of(0.0, 1.0, 2.0, 4.0), 6, 0)).isEqualTo("  ▁▃▅█");
        assertThat(SPARKLINE.of(List.of(0.0, 0.0, 4.0, 4.0), 2, 8)).isEqualTo("▁▅");
        assertThat(SPARKLINE.of(List.of(1.0, Double.NaN, 1.0), 3, 1)).isEqualTo("█ █");
        assertThat(SPARKLINE.of(List.of(), 3, 1)).isEqualTo("   ");
        assertThat(new Sparkline(StandardCharsets.US_ASCII).of(List.of(0.0, 4.0), 2, 4))
                .isEqualTo("_@");
    }

    @Test
    void rejectsMalformedJson() {
        assertThatThrownBy(() -> JsonView.parse("{\"a\": [")).isInstanceOf(IllegalArgumentException.class);
        assertThat(JsonView.parse("\"<html>\"").at("series").at("full").number())
                .isNaN();
    }

    @ParameterizedTest
    @CsvSource({"24 80,24,80", "50 211,50,211", "0 0,24,80", "'',24,80", "stty: no terminal,24,80"})
    void assumesTheDefaultSizeOfAnUnknownTerminal(String told, int rows, int columns) {
        assertThat(TerminalSize.parse(told)).isEqualTo(new TerminalSize(rows, columns));
    }

    private static List<String> lines(int width, boolean ansi) {
        return new TopPanels(JsonView.parse(SNAPSHOT), "gateway:9900", width, ansi, SPARKLINE).lines();
    }

    private static String line(List<String> lines, String beginning) {
        return lines.stream()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + beginning + " in " + Arrays.toString(lines.toArray())));
    }
}
