package dev.sluice.bench.terminator;

import java.util.Locale;

/** The phases by the names of the option {@code --only}. */
public enum Phase {
    /** CPU per GB to the client. */
    DOWNLOAD,
    /** CPU per GB from the client. */
    UPLOAD,
    /** CPU per full handshake. */
    HANDSHAKE,
    /** CPU per resumed handshake. */
    RESUMED,
    /** CPU per small round trip. */
    ECHO,
    /** CPU per round trip of 4 KiB. */
    ECHO_4K,
    /** Latency of small round trips at half load. */
    LATENCY,
    /** Memory per idle connection. */
    IDLE,
    /** Time and memory to the first connection. */
    STARTUP,
    /** CPU of the first full handshakes after a start. */
    COLDSTART;

    /**
     * Returns whether the phase carries data over established connections, so that TLS's addition to plain TCP is a
     * cost of records.
     */
    boolean movesData() {
        return this == DOWNLOAD || this == UPLOAD || this == ECHO || this == ECHO_4K;
    }

    /** Returns the name in the option. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
