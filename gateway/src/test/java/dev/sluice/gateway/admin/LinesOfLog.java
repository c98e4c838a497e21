package dev.sluice.gateway.admin;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A log that keeps the lines of an endpoint. */
final class LinesOfLog implements AdminLog {
    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();

    @Override
    public void info(String line) {}

    @Override
    public void warn(String line) {
        warnings.add(line);
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }
}
