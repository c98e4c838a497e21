package dev.sluice.gateway.tickets;

import java.util.ArrayList;
import java.util.List;

/** The lines logged about ticket keys. */
final class Lines implements TicketKeyLog {
    final List<String> infos = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();

    @Override
    public void info(String line) {
        infos.add(line);
    }

    @Override
    public void warn(String line) {
        warnings.add(line);
    }
}
