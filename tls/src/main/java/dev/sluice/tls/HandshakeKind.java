package dev.sluice.tls;

import java.util.Locale;

/** What kind of handshake it was. */
public enum HandshakeKind {
    /** With a certificate and a signature. */
    FULL,
    /** A session was resumed. */
    RESUMED,
    /** A session was resumed, and the client's early data was taken. */
    EARLY;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** For logs and metrics: {@code full}, {@code resumed}, {@code early}. */
    public String label() {
        return label;
    }
}
