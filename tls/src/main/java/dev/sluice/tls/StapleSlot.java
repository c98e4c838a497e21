package dev.sluice.tls;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Where the OCSP response of one certificate lies, for all contexts that present it: it is stapled to the certificate for
 * clients that ask for it (RFC 6066 section 8), until its time is over or another one takes its place.
 *
 * <p>May be used from any thread; handshakes take no lock. What a response says is not looked at here: who puts one in has
 * verified it.
 */
public final class StapleSlot {
    /** The longest response, in bytes; usual are 300 to 2,500. */
    public static final int MAX_BYTES = 16 * 1024;

    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Staple(byte[] response, Instant until, long untilMillis) {}

    private final InstantSource clock;
    private final LongAdder given = new LongAdder();
    private volatile @Nullable Staple staple;

    /** Makes an empty one. */
    public StapleSlot(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Staples a response from the next handshake on.
     *
     * @param response DER, at most {@link #MAX_BYTES}; copied
     * @param until from when on it is stapled no more
     */
    public void put(byte[] response, Instant until) {
        if (response.length == 0 || response.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "an OCSP response to staple must have 1 to " + MAX_BYTES + " bytes, length=" + response.length);
        }
        staple = new Staple(response.clone(), until, until.toEpochMilli());
    }

    /** Staples nothing from the next handshake on. */
    public void clear() {
        staple = null;
    }

    /** Until when the response is stapled; null when none is, any more. */
    public @Nullable Instant until() {
        Staple now = current();
        return now == null ? null : now.until();
    }

    /** How many clients have asked for a response and got it. */
    public long given() {
        return given.sum();
    }

    /** For one client: the response, which must not be changed; null: none. */
    byte @Nullable [] take() {
        Staple now = current();
        if (now == null) {
            return null;
        }
        given.increment();
        return now.response();
    }

    private @Nullable Staple current() {
        Staple now = staple;
        return now != null && clock.millis() < now.untilMillis() ? now : null;
    }
}
