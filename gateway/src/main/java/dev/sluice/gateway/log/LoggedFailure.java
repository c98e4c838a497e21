package dev.sluice.gateway.log;

import dev.sluice.tls.failure.Fault;

/**
 * A failure as the log has it.
 *
 * @param reason its kind, such as {@code handshake_timeout}
 * @param connection the connection it happened to
 * @param message event, cause and remedy
 */
public record LoggedFailure(Fault fault, String reason, String connection, String message) {
    /** Returns it as one line. */
    public String text() {
        return connection + ' ' + reason + ": " + message;
    }
}
