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
    /** Memory per idle connection. */
    IDLE,
    /** Time and memory to the first connection. */
    STARTUP;

    /** As the option names it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
