package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.log.GatewayLog.Level;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StderrLogTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final StderrLog log = new StderrLog(new PrintStream(written, true, StandardCharsets.UTF_8));

    @Test
    void writesTimeLevelAndText() {
        log.line(Level.WARN, "something");

        assertThat(text()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ WARN  something\\R");
    }

    @Test
    void escapesForgedLinesAndCursorMovements() {
        log.line(Level.INFO, "server name \"a\r\n2026-11-21T06:30:00Z ERROR forged\u001b[2J\"");

        assertThat(text().lines()).hasSize(1);
        assertThat(text()).contains("\"a | 2026-11-21T06:30:00Z ERROR forged?[2J\"");
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
