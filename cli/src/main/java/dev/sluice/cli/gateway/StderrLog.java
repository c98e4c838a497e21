package dev.sluice.cli.gateway;

import dev.sluice.gateway.log.GatewayLog;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A log of lines such as {@code 2026-11-21T06:30:00Z INFO  listening on 127.0.0.1:8443}. Thread-safe: a line is one
 * write.
 */
final class StderrLog implements GatewayLog {
    private final PrintStream stream;

    StderrLog(PrintStream stream) {
        this.stream = stream;
    }

    @Override
    public void line(Level level, String line) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String name = switch (level) {
            case INFO -> "INFO  ";
            case WARN -> "WARN  ";
            case ERROR -> "ERROR ";
        };
        stream.println(now + " " + name + oneLine(line));
    }

    /** Escapes control characters: a peer's text must not forge a line or move the cursor. */
    private static String oneLine(String line) {
        StringBuilder result = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean harmless = c >= ' ' && c != 0x7F;
            if (harmless) {
                result.append(c);
            } else if (c == '\n') {
                result.append(" | ");
            } else if (c != '\r') {
                result.append('?');
            }
        }
        return result.toString();
    }
}
