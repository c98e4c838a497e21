package dev.sluice.net.peer;

import dev.sluice.net.ConnectionFailure;

/** The failure of a handshake. */
public class HandshakeFailedException extends ConnectionFailedException {
    private static final long serialVersionUID = 1L;

    HandshakeFailedException(Stage stage, ConnectionFailure failure) {
        super(stage, failure);
    }
}
