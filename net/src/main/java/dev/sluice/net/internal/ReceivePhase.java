package dev.sluice.net.internal;

/**
 * The phases of the receiving direction of a {@link StreamConnection}.
 *
 * <pre>
 *                  receive asked for        buffer came            handler returned
 *   OFF, STOPPED ──────────────────▶ ON ──────────────▶ DELIVERING ────────────────▶ ON
 *                                     └─stopReceiving()─▶ LATE ──buffer came──▶ STOPPED
 *
 *   OFF, STOPPED ──receiveInto()──▶ LENT ──bytes came──▶ OFF
 *   LATE ──receiveInto()──▶ LENT_NEXT ──late receive over──▶ LENT_DUE ──handler returned──▶ LENT
 *
 *   any ──close()──▶ DROPPING or OFF           any ──peer's FIN──▶ END_TOLD or END_MET
 * </pre>
 *
 * <p>A receive is under way in {@link #ON}, {@link #LATE}, {@link #LENT}, {@link #LENT_NEXT} and {@link #DROPPING}, may
 * be in {@link #OVER}, and in no other.
 */
enum ReceivePhase {
    /** Nothing is asked for, and the handler does not receive the stream. */
    OFF,

    /** Nothing is asked for; the handler has received the stream and is told of its end. */
    STOPPED,

    /** A receive into a buffer is under way. */
    ON,

    /** The handler holds what came; the next receive into a buffer follows when it returns. */
    DELIVERING,

    /** A receive into a buffer is under way though the handler has stopped receiving; what it brings is delivered. */
    LATE,

    /** A receive into memory that the caller lent is under way. */
    LENT,

    /** A receive into lent memory is asked for; one into a buffer is being cancelled before it. */
    LENT_NEXT,

    /** The handler holds what the late receive brought; the one into lent memory follows when it returns. */
    LENT_DUE,

    /** The connection is closing, and a receive is under way whose bytes are dropped. */
    DROPPING,

    /** The peer's FIN has come, and the handler was not told: a receiver into lent memory was, or nobody. */
    END_MET,

    /** The peer's FIN has come, and the handler was told. */
    END_TOLD,

    /** The protocol above has ended the peer's direction, so that its FIN is not awaited. */
    OVER;

    /** Returns the phase after {@code close()}: what comes now is dropped. */
    ReceivePhase closed() {
        return switch (this) {
            case ON, LATE, LENT, LENT_NEXT, DROPPING -> DROPPING;
            case OFF, STOPPED, DELIVERING, LENT_DUE -> OFF;
            case END_MET, END_TOLD, OVER -> this;
        };
    }

    /** Returns the phase after a receive into a buffer that brought bytes, or nothing since it was cancelled. */
    ReceivePhase received() {
        return switch (this) {
            case ON -> DELIVERING;
            case LATE -> STOPPED;
            case LENT, DROPPING -> OFF;
            case LENT_NEXT -> LENT_DUE;
            case OFF, STOPPED, DELIVERING, LENT_DUE, END_MET, END_TOLD, OVER -> this;
        };
    }

    /** Returns true when nothing more is expected of the peer. */
    boolean isOver() {
        return this == END_MET || this == END_TOLD || this == OVER;
    }
}
