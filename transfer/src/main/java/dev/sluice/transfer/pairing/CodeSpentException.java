package dev.sluice.transfer.pairing;

/** A second use of a pairing code. */
public final class CodeSpentException extends PairingException {
    private static final long serialVersionUID = 1L;

    CodeSpentException() {
        super("the code was used before, and permits one attempt; ask for another code");
    }
}
