package dev.sluice.tls;

import java.time.Instant;

/**
 * A key of a {@link TicketKeyRing}, without its secrets.
 *
 * @param id eight bytes of its name in hexadecimal, which stands in every ticket
 * @param generation counts the keys of a ring, from 1
 * @param state at the time of asking
 * @param notBefore when it begins to seal
 * @param notAfter when it ceases to open
 */
public record TicketKeyInfo(String id, int generation, State state, Instant notBefore, Instant notAfter) {
    /** What a key is good for. */
    public enum State {
        /** Opens; will seal. */
        NEXT,
        /** Seals and opens. */
        CURRENT,
        /** Opens; its tickets are replaced. */
        PREVIOUS,
        /** Neither; about to be wiped. */
        EXPIRED
    }
}
