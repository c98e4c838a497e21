package dev.sluice.transfer.meet;

import java.io.IOException;

/** The failure of a meeting. The message names the event, the cause on each path and the remedy. */
public final class MeetException extends IOException {
    private static final long serialVersionUID = 1L;

    private final MeetFailure failure;

    /**
     * Creates the exception.
     *
     * @param message event, cause and remedy
     */
    public MeetException(MeetFailure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** Returns the reason, which names the party at fault. */
    public MeetFailure failure() {
        return failure;
    }
}
