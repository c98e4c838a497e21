package dev.sluice.gateway.admission;

import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.gateway.admission.Admission.Verdict;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.tls.failure.EndReason;

/** The ends of clients whose handshake never begins; made once, since there are many in a storm. */
public final class Refusals {
    private final SessionEnd addressRate;
    private final SessionEnd capacity;
    private final SessionEnd inFlight;
    private final SessionEnd rate;
    private final SessionEnd deadline;

    Refusals(HandshakeLimits limits) {
        addressRate = SessionEnd.of(EndReason.HANDSHAKE_ADDRESS_RATE, limits.perAddressPerSecond() + " in a second");
        capacity = SessionEnd.of(EndReason.HANDSHAKE_CAPACITY, "");
        inFlight = SessionEnd.of(EndReason.HANDSHAKE_LIMIT, limits.inFlight() + " handshakes");
        rate = SessionEnd.of(EndReason.HANDSHAKE_RATE, limits.perSecond() + " in a second");
        deadline = SessionEnd.of(EndReason.HANDSHAKE_DEADLINE, Quantities.text(limits.longestWait()));
    }

    /** Returns the end of a client whose connection is not admitted. */
    public static SessionEnd ofConnection(Verdict verdict, Admission admission) {
        return verdict == Verdict.TOO_MANY
                ? SessionEnd.of(EndReason.CONNECTION_LIMIT, admission.connectionsMax() + " connections")
                : SessionEnd.of(EndReason.ADDRESS_LIMIT, admission.perAddressMax() + " connections");
    }

    /** Returns the end of a client whose address has met its rate. */
    SessionEnd addressRate() {
        return addressRate;
    }

    /** Returns the end of a client that waited in vain. */
    SessionEnd deadline() {
        return deadline;
    }

    /**
     * Returns the end of a client that need not even wait.
     *
     * @param obstacle what those meet who wait already
     */
    SessionEnd noRoom(Verdict obstacle) {
        return switch (obstacle) {
            case TOO_MANY_HANDSHAKES -> inFlight;
            case TOO_FAST -> rate;
            case ADMITTED, TOO_MANY, TOO_MANY_OF_ADDRESS -> capacity;
        };
    }
}
