package dev.sluice.ffi.openssl;

import java.util.List;
import java.util.stream.Collectors;

/** A failed OpenSSL call. Carries the calling thread's whole error queue, the root cause first. */
public final class OpenSslException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<OpenSslError> errors;

    private OpenSslException(String what, List<OpenSslError> errors) {
        super(what + ": " + text(errors));
        this.errors = errors;
    }

    /**
     * Creates an exception and drains the error queue into it.
     *
     * @param what the failed function and its object
     */
    public static OpenSslException drained(String what) {
        return new OpenSslException(what, ErrorQueue.drain());
    }

    /** Returns the drained errors, the root cause first; empty where OpenSSL reported none. */
    public List<OpenSslError> errors() {
        return errors;
    }

    /** Returns whether the queue holds an error of this library and reason. */
    public boolean has(int library, int reason) {
        return errors.stream().anyMatch(error -> error.library() == library && error.reason() == reason);
    }

    private static String text(List<OpenSslError> errors) {
        return errors.isEmpty()
                ? "OpenSSL reported no cause"
                : errors.stream().map(OpenSslError::toString).collect(Collectors.joining("; "));
    }
}
