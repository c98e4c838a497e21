package dev.sluice.transfer.pairing;

/** A peer's message that is not one of pairing. */
public final class PairingException extends Exception {
    private static final long serialVersionUID = 1L;

    PairingException(String message) {
        super(message);
    }
}
