package dev.sluice.tls.ticket;

import dev.sluice.ffi.openssl.TicketKey;

/**
 * A ticket key and its times, in milliseconds since 1970 by the clock of its {@link TicketKeyRing}.
 *
 * @param key owned by its creator until it is installed, by the ring from then on
 * @param generation number among the keys of one origin, from 1; of keys with the same start the highest seals
 * @param notBeforeMillis start of sealing; 0 to seal only as a last resort
 * @param notAfterMillis end of opening
 */
public record TimedTicketKey(TicketKey key, int generation, long notBeforeMillis, long notAfterMillis) {
    /** An end in the infinite future. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Returns whether the key seals or opens tickets, now or later. */
    public boolean isAlive(long nowMillis) {
        return notAfterMillis > nowMillis;
    }

    /** Returns whether the key's sealing time has come and it still opens tickets. */
    public boolean isInForce(long nowMillis) {
        return notBeforeMillis <= nowMillis && isAlive(nowMillis);
    }

    /** Returns the same key for opening only, until a time. */
    public TimedTicketKey openingUntil(long endMillis) {
        return new TimedTicketKey(key, generation, 0, endMillis);
    }
}
