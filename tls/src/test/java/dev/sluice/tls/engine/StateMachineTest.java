package dev.sluice.tls.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StateMachineTest {
    /** Checks the whole table again, by name and state, so that a shifted column is found. */
    @ParameterizedTest
    @CsvSource({
        "NEW,              HANDSHAKE, HANDSHAKE",
        "NEW,              CLOSE_OUTPUT, CLOSED",
        "NEW,              FAIL, FAILED",
        "NEW,              CLOSE, CLOSED",
        "HANDSHAKE,        HANDSHAKE, HANDSHAKE",
        "HANDSHAKE,        EARLY_DATA_ACCEPTED, EARLY_DATA",
        "HANDSHAKE,        ESTABLISHED, OPEN",
        "HANDSHAKE,        CLOSE_OUTPUT, CLOSED",
        "HANDSHAKE,        FAIL, FAILED",
        "HANDSHAKE,        CLOSE, CLOSED",
        "EARLY_DATA,       HANDSHAKE, EARLY_DATA",
        "EARLY_DATA,       EARLY_DATA_ENDED, HANDSHAKE",
        "EARLY_DATA,       WRITE, EARLY_DATA",
        "EARLY_DATA,       CLOSE_OUTPUT, CLOSED",
        "EARLY_DATA,       FAIL, FAILED",
        "EARLY_DATA,       CLOSE, CLOSED",
        "OPEN,             HANDSHAKE, OPEN",
        "OPEN,             READ, OPEN",
        "OPEN,             WRITE, OPEN",
        "OPEN,             CLOSE_OUTPUT, OPEN",
        "OPEN,             CLOSE_NOTIFY_SENT, CLOSING_SENT",
        "OPEN,             CLOSE_NOTIFY_RECEIVED, CLOSING_RECEIVED",
        "OPEN,             FAIL, FAILED",
        "OPEN,             CLOSE, CLOSED",
        "CLOSING_SENT,     HANDSHAKE, CLOSING_SENT",
        "CLOSING_SENT,     READ, CLOSING_SENT",
        "CLOSING_SENT,     CLOSE_OUTPUT, CLOSING_SENT",
        "CLOSING_SENT,     CLOSE_NOTIFY_RECEIVED, CLOSED",
        "CLOSING_SENT,     FAIL, FAILED",
        "CLOSING_SENT,     CLOSE, CLOSED",
        "CLOSING_RECEIVED, HANDSHAKE, CLOSING_RECEIVED",
        "CLOSING_RECEIVED, READ, CLOSING_RECEIVED",
        "CLOSING_RECEIVED, WRITE, CLOSING_RECEIVED",
        "CLOSING_RECEIVED, CLOSE_OUTPUT, CLOSING_RECEIVED",
        "CLOSING_RECEIVED, CLOSE_NOTIFY_SENT, CLOSED",
        "CLOSING_RECEIVED, FAIL, FAILED",
        "CLOSING_RECEIVED, CLOSE, CLOSED",
        "CLOSED,           READ, CLOSED",
        "CLOSED,           CLOSE_OUTPUT, CLOSED",
        "CLOSED,           CLOSE, CLOSED",
        "FAILED,           HANDSHAKE, FAILED",
        "FAILED,           READ, FAILED",
        "FAILED,           WRITE, FAILED",
        "FAILED,           CLOSE_OUTPUT, FAILED",
        "FAILED,           CLOSE, FAILED",
    })
    void followsTheSpecification(EngineState state, EngineEvent event, EngineState next) {
        assertThat(StateMachine.next(state, event)).isEqualTo(next);
    }

    /** Checks all transitions but the 45 above. */
    @Test
    void rejectsEveryOtherEventByName() {
        int illegal = 0;
        for (EngineState state : EngineState.values()) {
            for (EngineEvent event : EngineEvent.values()) {
                illegal += isIllegal(state, event) ? 1 : 0;
            }
        }

        assertThat(illegal).isEqualTo(EngineState.values().length * EngineEvent.values().length - 45);
    }

    private static boolean isIllegal(EngineState state, EngineEvent event) {
        try {
            StateMachine.next(state, event);
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining(state.name()).hasMessageContaining(event.name());
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void closeAndFailureAreFinal(EngineState state, EngineEvent event) {
        if (state == EngineState.CLOSED || state == EngineState.FAILED) {
            if (isIllegal(state, event)) {
                assertThatThrownBy(() -> StateMachine.next(state, event)).isInstanceOf(IllegalStateException.class);
            } else {
                assertThat(StateMachine.next(state, event)).isEqualTo(state);
            }
        }
    }

    static Stream<Arguments> pairs() {
        return Stream.of(EngineState.values())
                .flatMap(state -> Stream.of(EngineEvent.values()).map(event -> Arguments.of(state, event)));
    }

    @Test
    void everyStateIsReachableAndEnds() {
        Set<EngineState> reached = EnumSet.of(EngineState.NEW);
        Deque<EngineState> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            EngineState state = open.removeFirst();
            assertThat(StateMachine.next(state, EngineEvent.CLOSE)).isIn(EngineState.CLOSED, EngineState.FAILED);
            for (EngineEvent event : EngineEvent.values()) {
                if (!isIllegal(state, event) && reached.add(StateMachine.next(state, event))) {
                    open.add(StateMachine.next(state, event));
                }
            }
        }

        assertThat(reached).containsExactlyInAnyOrder(EngineState.values());
    }
}
