package dev.sluice.doctor.wire;

/** A violation of TLS in a server's message. */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    private final String text;

    /** Creates the exception with the field and its value. */
    MalformedException(String message) {
        super(message);
        this.text = message;
    }

    @Override
    public String getMessage() {
        return text;
    }
}
