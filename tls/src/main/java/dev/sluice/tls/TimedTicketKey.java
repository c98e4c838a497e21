package dev.sluice.tls;

import dev.sluice.ffi.openssl.TicketKey;

/**
 * A ticket key and its times, in milliseconds since 1970 by the clock of its {@link TicketKeyRing}.
 *
 * @param key belongs to whoever made it until it is installed, and to the ring from then on
 * @param generation counts the keys of one origin, from 1; among keys that begin at the same time the highest seals
 * @param notBeforeMillis when it begins to seal; 0: it seals only when no other can
 * @param notAfterMillis when it ceases to open
 */
public record TimedTicketKey(TicketKey key, int generation, long notBeforeMillis, long notAfterMillis) {
    /** An end that never comes. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Whether it seals or opens tickets, or will. */
    public boolean isAlive(long nowMillis) {
        return notAfterMillis > nowMillis;
    }

    /** Whether its time to seal has come and it still opens. */
    public boolean isInForce(long nowMillis) {
        return notBeforeMillis <= nowMillis && isAlive(nowMillis);
    }

    /** The same key, which opens only, until a time. */
    public TimedTicketKey openingUntil(long endMillis) {
        return new TimedTicketKey(key, generation, 0, endMillis);
    }
}
