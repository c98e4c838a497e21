package dev.sluice.tls.engine;

import java.util.Locale;

/** The kind of a handshake. */
public enum HandshakeKind {
    /** With a certificate and a signature. */
    FULL,
    /** A session was resumed. */
    RESUMED,
    /** A session was resumed, and the client's early data was accepted. */
    EARLY;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the label in logs and metrics: {@code full}, {@code resumed}, {@code early}. */
    public String label() {
        return label;
    }
}
