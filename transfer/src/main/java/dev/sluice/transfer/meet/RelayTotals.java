package dev.sluice.transfer.meet;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The counts of a relay since its start.
 *
 * @param accepted connections
 * @param joined pairs
 * @param bytes passed on, both directions
 * @param expired pairs that were ended after the idle limit
 * @param refused connections by reason; only those that occurred
 */
public record RelayTotals(long accepted, long joined, long bytes, long expired, Map<RelayAnswer, Long> refused) {
    /** Copies the map. */
    public RelayTotals {
        refused = Map.copyOf(refused);
    }

    /** Returns the counts as one line for the log. */
    public String line() {
        String reasons = refused.isEmpty()
                ? ""
                : new EnumMap<>(refused)
                        .entrySet().stream()
                                .map(entry -> " refused_" + entry.getKey().label() + "=" + entry.getValue())
                                .collect(Collectors.joining());
        return "relay: accepted=" + accepted + " joined=" + joined + " bytes=" + bytes + " expired=" + expired
                + reasons;
    }
}
