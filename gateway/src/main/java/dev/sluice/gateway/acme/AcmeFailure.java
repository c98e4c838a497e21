package dev.sluice.gateway.acme;

import dev.sluice.gateway.log.ForeignText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An order, or a part of one, that failed; the message names value, cause and remedy. */
class AcmeFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable Instant notBefore;

    AcmeFailure(String message) {
        this(message, null, null);
    }

    AcmeFailure(String message, @Nullable Throwable cause) {
        this(message, cause, null);
    }

    /**
     * Creates a failure.
     *
     * @param notBefore the server wants no attempt before; null: it does not say
     */
    AcmeFailure(String message, @Nullable Throwable cause, @Nullable Instant notBefore) {
        super(ForeignText.line(message), cause);
        this.notBefore = notBefore;
    }

    /** Returns the moment before which the server wants no attempt; null: it does not say. */
    @Nullable
    Instant notBefore() {
        return notBefore;
    }

    /** A store that the nodes of a fleet share and that cannot be used: no fault of the order. */
    static final class Store extends AcmeFailure {
        private static final long serialVersionUID = 1L;

        Store(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
