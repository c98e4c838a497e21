package dev.sluice.doctor.probe;

/** A connection did not come to what was asked of it. The message is for people. */
public final class ProbeException extends Exception {
    private static final long serialVersionUID = 1;

    /** What went wrong. */
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

    /** How far it came. */
    public Step step() {
        return step;
    }
}
