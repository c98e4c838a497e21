package dev.sluice.doctor.probe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The first 16 bytes of the tickets, a set for each handshake. Most servers put the key name there; others a random
 * value, so that only repeated names identify keys.
 */
public final class TicketKeyNames {
    private final Map<String, Integer> handshakesOf = new LinkedHashMap<>();
    private final List<Set<String>> handshakes = new ArrayList<>();
    private boolean sameTwice;

    /** Creates an empty collection. */
    public TicketKeyNames() {}

    /** Adds the tickets of a handshake. */
    public void add(List<Ticket> tickets) {
        Set<String> names = new HashSet<>();
        for (Ticket ticket : tickets) {
            sameTwice |= !names.add(ticket.keyName());
        }
        names.forEach(name -> handshakesOf.merge(name, 1, Integer::sum));
        if (!names.isEmpty()) {
            handshakes.add(names);
        }
    }

    /** Returns whether these bytes name keys. */
    public boolean isVisible() {
        return sameTwice || handshakesOf.values().stream().anyMatch(count -> count > 1);
    }

    /** Returns whether there are several keys. */
    public boolean differ() {
        return isVisible() && distinct() > 1;
    }

    /** Returns the number of different names. */
    public int distinct() {
        return handshakesOf.size();
    }

    /** Returns the number of handshakes with a ticket. */
    public int handshakes() {
        return handshakes.size();
    }
}
