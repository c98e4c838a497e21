package dev.sluice.net.peer;

import dev.sluice.net.ConnectionFailure;

/** The expiry of a deadline: of a connect, a handshake, an idle connection, or a peer that takes nothing. */
public final class DeadlineExceededException extends ConnectionFailedException {
    private static final long serialVersionUID = 1L;

    DeadlineExceededException(Stage stage, ConnectionFailure failure) {
        super(stage, failure);
    }
}
