package dev.sluice.tls.ticket;

import java.time.Instant;

/**
 * A key of a {@link TicketKeyRing}, without its secrets.
 *
 * @param id eight bytes of its name in hexadecimal, part of every ticket
 * @param generation counts the keys of a ring, from 1
 * @param state at the time of the call
 * @param notBefore start of sealing
 * @param notAfter end of opening
 */
public record TicketKeyInfo(String id, int generation, State state, Instant notBefore, Instant notAfter) {
    /** The use of a key. */
    public enum State {
        /** Opens tickets; will seal later. */
        NEXT,
        /** Seals and opens tickets. */
        CURRENT,
        /** Opens tickets and renews them. */
        PREVIOUS,
        /** Neither; about to be wiped. */
        EXPIRED
    }
}
