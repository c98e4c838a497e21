package dev.sluice.transfer.channel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The failure of a channel. The message names the event, the cause and the remedy. */
public final class ChannelException extends IOException {
    private static final long serialVersionUID = 1L;

    private final ChannelFailure failure;

    /**
     * Creates the exception.
     *
     * @param message event, cause and remedy
     */
    public ChannelException(ChannelFailure failure, String message) {
        this(failure, message, null);
    }

    /** Creates the exception with the underlying one. */
    public ChannelException(ChannelFailure failure, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = failure;
    }

    /** Returns the reason, which names the party at fault. */
    public ChannelFailure failure() {
        return failure;
    }
}
