package dev.sluice.doctor.probe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The first 16 bytes of the tickets seen, one set for each handshake. Most servers name the key there; others begin with something
 * that is new each time, so that only names which come again tell of keys.
 */
public final class TicketKeyNames {
    private final Map<String, Integer> handshakesOf = new LinkedHashMap<>();
    private final List<Set<String>> handshakes = new ArrayList<>();
    private boolean sameTwice;

    /** Creates an empty collection. */
    public TicketKeyNames() {}

    /** Notes a handshake's tickets. */
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

    /** Whether these bytes name keys. */
    public boolean isVisible() {
        return sameTwice || handshakesOf.values().stream().anyMatch(count -> count > 1);
    }

    /** Whether there are several keys. */
    public boolean differ() {
        return isVisible() && distinct() > 1;
    }

    /** Different names. */
    public int distinct() {
        return handshakesOf.size();
    }

    /** Handshakes that brought a ticket. */
    public int handshakes() {
        return handshakes.size();
    }
}
