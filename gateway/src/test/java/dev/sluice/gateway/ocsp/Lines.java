package dev.sluice.gateway.ocsp;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The lines logged about OCSP responses. */
final class Lines implements StapleLog {
    final List<String> infos = new CopyOnWriteArrayList<>();
    final List<String> warnings = new CopyOnWriteArrayList<>();

    @Override
    public void info(String line) {
        infos.add(line);
    }

    @Override
    public void warn(String line) {
        warnings.add(line);
    }
}
