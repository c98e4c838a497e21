package dev.sluice.transfer.pairing;

/** A pairing that cannot continue. */
public sealed class PairingException extends Exception permits CodeSpentException {
    private static final long serialVersionUID = 1L;

    PairingException(String message) {
        super(message);
    }
}
