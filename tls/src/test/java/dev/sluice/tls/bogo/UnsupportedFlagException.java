package dev.sluice.tls.bogo;

/** Thrown where a test asks for what the engines do not have; the runner skips the test. */
final class UnsupportedFlagException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnsupportedFlagException(String flag) {
        super(flag);
    }
}
