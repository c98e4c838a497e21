package dev.sluice.tls.ech;

import java.util.Locale;

/**
 * The part of Encrypted ClientHello in a completed handshake.
 *
 * @param state the result
 * @param outerName the name that the client sent in the clear beside the encrypted one; "" for none
 */
public record EchOutcome(State state, String outerName) {
    /** The context has no keys for it, or is a client's. */
    public static final EchOutcome OFF = new EchOutcome(State.OFF, "");

    /** The client did not offer it. */
    public static final EchOutcome ABSENT = new EchOutcome(State.ABSENT, "");

    /** No key opened it. */
    static final EchOutcome REJECTED = new EchOutcome(State.REJECTED, "");

    /** The results. */
    public enum State {
        /** The context has no keys for it, or is a client's. */
        OFF,
        /** The client did not offer it. */
        ABSENT,
        /** The inner ClientHello was used, with its server name. */
        ACCEPTED,
        /** No key opened it; the client was sent the current configurations and its outer ClientHello was used. */
        REJECTED;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** Returns the label in metrics, such as {@code accepted}. */
        public String label() {
            return label;
        }
    }

    /**
     * Returns the outcome of a handshake with the inner ClientHello.
     *
     * @param outerName the name that the client sent in the clear; "" for none
     */
    static EchOutcome accepted(String outerName) {
        return new EchOutcome(State.ACCEPTED, outerName);
    }
}
