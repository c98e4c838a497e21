package dev.sluice.doctor.probe;

/** A failed connection of an audit. The message is for people. */
public final class ProbeException extends Exception {
    private static final long serialVersionUID = 1;

    /** The kinds of failures. */
    public enum Kind {
        UNREACHABLE,
        STALLED,
        CLOSED,
        NOT_TLS,
        START_TLS_REFUSED,
        ALERT,
        REFUSED_BY_US
    }

    private final Kind kind;
    private final Step step;
    private final String text;

    ProbeException(Kind kind, Step step, String message) {
        super(message);
        this.kind = kind;
        this.step = step;
        this.text = message;
    }

    @Override
    public String getMessage() {
        return text;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the step that failed. */
    public Step step() {
        return step;
    }
}
