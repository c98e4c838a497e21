package dev.sluice.tls.failure;

/**
 * The failure of one TLS connection.
 *
 * @param reason the reason, which tells the fault and the metric label
 * @param alert the alert that was sent or received (RFC 8446 section 6); {@link TlsAlert#NONE} for none, or where
 *     libssl does not tell
 * @param message event, cause and remedy, for people
 */
public record TlsFailure(EndReason reason, int alert, String message) {
    /** Returns the party to blame, which decides the log level. */
    public Fault fault() {
        return reason.fault();
    }
}
