package dev.sluice.transfer.meet;

import java.util.EnumMap;
import java.util.Map;

/** The running counts of a relay. Confined to its loop. */
final class RelayCounters {
    private final Map<RelayAnswer, Long> refused = new EnumMap<>(RelayAnswer.class);
    private long accepted;
    private long joined;
    private long bytes;
    private long expired;

    void accepted() {
        accepted++;
    }

    void joined() {
        joined++;
    }

    void passed(int count) {
        bytes += count;
    }

    void expired() {
        expired++;
    }

    void refused(RelayAnswer answer) {
        refused.merge(answer, 1L, Long::sum);
    }

    RelayTotals totals() {
        return new RelayTotals(accepted, joined, bytes, expired, refused);
    }
}
