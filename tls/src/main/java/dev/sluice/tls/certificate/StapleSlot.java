package dev.sluice.tls.certificate;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The OCSP response of one certificate, shared by all contexts that present it. It is stapled for clients that request
 * it (RFC 6066 section 8), until it expires or is replaced.
 *
 * <p>May be used from any thread; handshakes take no lock. Responses are not checked here: the caller of {@link #put}
 * has verified them.
 */
public final class StapleSlot {
    /** The longest response in bytes; 300 to 2,500 are usual. */
    public static final int MAX_BYTES = 16 * 1024;

    @SuppressWarnings("ArrayRecordComponent") // passed on, never compared
    private record Staple(byte[] response, Instant until, long untilMillis) {}

    private final InstantSource clock;
    private final LongAdder given = new LongAdder();
    private volatile @Nullable Staple staple;

    /** Creates an empty slot. */
    public StapleSlot(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Staples a response from the next handshake on.
     *
     * @param response DER, at most {@link #MAX_BYTES}; copied
     * @param until the end of its use
     */
    public void put(byte[] response, Instant until) {
        if (response.length == 0 || response.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "an OCSP response to staple must have 1 to " + MAX_BYTES + " bytes, length=" + response.length);
        }
        staple = new Staple(response.clone(), until, until.toEpochMilli());
    }

    /** Clears the slot from the next handshake on. */
    public void clear() {
        staple = null;
    }

    /** Returns the end of the response's use; null without a current response. */
    public @Nullable Instant until() {
        Staple now = current();
        return now == null ? null : now.until();
    }

    /** Returns the number of responses stapled so far. */
    public long given() {
        return given.sum();
    }

    /** Returns the response for one client, which must not be modified; null for none. */
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
