package dev.sluice.ffi.openssl;

import java.util.List;
import java.util.stream.Collectors;

/** An OpenSSL call failed. Carries the calling thread's whole error queue, the root cause first. */
public final class OpenSslException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<OpenSslError> errors;

    private OpenSslException(String what, List<OpenSslError> errors) {
        super(what + ": " + text(errors));
        this.errors = errors;
    }

    /**
     * Takes the queue's errors.
     *
     * @param what which function failed, on what
     */
    public static OpenSslException drained(String what) {
        return new OpenSslException(what, ErrorQueue.drain());
    }

    /** What stood in the queue, the root cause first; empty where OpenSSL told nothing. */
    public List<OpenSslError> errors() {
        return errors;
    }

    /** Whether the queue holds an error of this library and reason. */
    public boolean has(int library, int reason) {
        return errors.stream().anyMatch(error -> error.library() == library && error.reason() == reason);
    }

    private static String text(List<OpenSslError> errors) {
        return errors.isEmpty()
                ? "OpenSSL tells no cause"
                : errors.stream().map(OpenSslError::toString).collect(Collectors.joining("; "));
    }
}
