package dev.sluice.gateway.backend;

import dev.sluice.config.model.BackendConfig;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The lines logged about servers, one each. */
public final class HealthLines implements BackendHealth.Log {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** Returns the state that loops share of a backend without TLS. */
    public static BackendTarget target(BackendConfig config, HealthLines lines) {
        BackendNames names =
                new BackendNames(config, server -> null, new TestNames(), new NameLookups(), new NameCounts(), lines);
        return new BackendTarget(config, names, null, lines, null);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void info(String line) {
        lines.add("INFO " + line);
    }

    @Override
    public void warn(String line) {
        lines.add("WARN " + line);
    }
}
