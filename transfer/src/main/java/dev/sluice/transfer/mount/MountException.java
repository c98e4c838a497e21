package dev.sluice.transfer.mount;

import java.io.IOException;

/** The failure to mount. The message names the event, the cause and the remedy. */
public final class MountException extends IOException {
    private static final long serialVersionUID = 1L;

    MountException(String message) {
        super(message);
    }
}
