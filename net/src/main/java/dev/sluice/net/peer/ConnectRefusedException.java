package dev.sluice.net.peer;

import dev.sluice.net.ConnectionFailure;

/** The failure to reach a server: its name has no address, or each address refuses or is unreachable. */
public final class ConnectRefusedException extends ConnectionFailedException {
    private static final long serialVersionUID = 1L;

    ConnectRefusedException(Stage stage, ConnectionFailure failure) {
        super(stage, failure);
    }
}
