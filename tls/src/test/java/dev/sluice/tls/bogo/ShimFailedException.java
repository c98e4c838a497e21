package dev.sluice.tls.bogo;

/** Thrown where a test's connection fails, or what came of it is not what the flags expect. */
final class ShimFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ShimFailedException(String message) {
        super(message);
    }
}
