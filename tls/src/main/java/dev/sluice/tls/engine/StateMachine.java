package dev.sluice.tls.engine;

import static dev.sluice.tls.engine.EngineState.CLOSED;
import static dev.sluice.tls.engine.EngineState.CLOSING_RECEIVED;
import static dev.sluice.tls.engine.EngineState.CLOSING_SENT;
import static dev.sluice.tls.engine.EngineState.EARLY_DATA;
import static dev.sluice.tls.engine.EngineState.FAILED;
import static dev.sluice.tls.engine.EngineState.HANDSHAKE;
import static dev.sluice.tls.engine.EngineState.OPEN;

import org.jspecify.annotations.Nullable;

/**
 * The transition table of engine states. Null is an illegal event, whose error names state and event.
 *
 * <p>A call in a state that it does not change still has a result: reading a FAILED engine returns FAILED again,
 * reading a CLOSED one returns CLOSED.
 */
final class StateMachine {
    private static final @Nullable EngineState ILLEGAL = null;

    private static final @Nullable EngineState[][] NEXT = {
        // spotless:off
        // in state:            NEW        HANDSHAKE   EARLY_DATA  OPEN              CLOSING_SENT  CLOSING_RECEIVED
        // CLOSED   FAILED
        /* HANDSHAKE */ {HANDSHAKE, HANDSHAKE, EARLY_DATA, OPEN, CLOSING_SENT, CLOSING_RECEIVED, ILLEGAL, FAILED},
        /* EARLY_DATA_ACC.. */ {ILLEGAL, EARLY_DATA, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL},
        /* EARLY_DATA_END.. */ {ILLEGAL, ILLEGAL, HANDSHAKE, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL},
        /* ESTABLISHED */ {ILLEGAL, OPEN, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL, ILLEGAL},
        /* READ */ {ILLEGAL, ILLEGAL, ILLEGAL, OPEN, CLOSING_SENT, CLOSING_RECEIVED, CLOSED, FAILED},
        /* WRITE */ {ILLEGAL, ILLEGAL, EARLY_DATA, OPEN, ILLEGAL, CLOSING_RECEIVED, ILLEGAL, FAILED},
        /* CLOSE_OUTPUT */ {CLOSED, CLOSED, CLOSED, OPEN, CLOSING_SENT, CLOSING_RECEIVED, CLOSED, FAILED},
        /* CLOSE_NOTIFY_SENT */ {ILLEGAL, ILLEGAL, ILLEGAL, CLOSING_SENT, ILLEGAL, CLOSED, ILLEGAL, ILLEGAL},
        /* .._RECEIVED */ {ILLEGAL, ILLEGAL, ILLEGAL, CLOSING_RECEIVED, CLOSED, ILLEGAL, ILLEGAL, ILLEGAL},
        /* FAIL */ {FAILED, FAILED, FAILED, FAILED, FAILED, FAILED, ILLEGAL, ILLEGAL},
        /* CLOSE */ {CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, CLOSED, FAILED},
        // spotless:on
    };

    private StateMachine() {}

    /**
     * Returns the state after an event.
     *
     * @throws IllegalStateException when the event is illegal in this state; the message names both
     */
    @SuppressWarnings("EnumOrdinal") // rows and columns are in the order of the enums; StateMachineTest checks it
    static EngineState next(EngineState state, EngineEvent event) {
        EngineState next = NEXT[event.ordinal()][state.ordinal()];
        if (next == null) {
            throw new IllegalStateException("event " + event + " is illegal in state " + state);
        }
        return next;
    }
}
