package dev.sluice.cost.doctor;

/** A failed connection of an audit. The message is for people. */
final class ProbeException extends Exception {
    private static final long serialVersionUID = 1;

    /** The kinds of failures. */
    enum Kind {
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

    Kind kind() {
        return kind;
    }

    /** Returns the step that failed. */
    Step step() {
        return step;
    }
}
