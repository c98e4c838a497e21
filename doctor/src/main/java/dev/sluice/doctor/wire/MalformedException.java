package dev.sluice.doctor.wire;

/** What a server sent is not what TLS allows at this place. */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    private final String text;

    /** Names the field, and what was there. */
    public MalformedException(String message) {
        super(message);
        this.text = message;
    }

    @Override
    public String getMessage() {
        return text;
    }
}
