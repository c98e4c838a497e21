package dev.sluice.gateway;

import dev.sluice.gateway.Admission.Verdict;
import dev.sluice.gateway.config.HandshakeLimits;
import dev.sluice.gateway.config.Quantities;
import dev.sluice.tls.TlsFailure.Fault;

/** Why handshakes never begin; made once, since there are many in a storm. */
final class Refusals {
    private final SessionEnd addressRate;
    private final SessionEnd capacity;
    private final SessionEnd inFlight;
    private final SessionEnd rate;
    private final SessionEnd deadline;

    Refusals(HandshakeLimits limits) {
        addressRate = new SessionEnd(
                Fault.PEER_MISBEHAVED,
                "handshake_address_rate",
                "more than " + limits.perAddressPerSecond() + " handshakes in a second from this address"
                        + " (limits.handshakes-per-second-per-address)");
        capacity = new SessionEnd(
                Fault.ENVIRONMENT,
                "handshake_capacity",
                "more handshakes than the processor can do, and too many wait already; add loops and processors, or let"
                        + " limits.handshakes-per-second-per-address keep floods away");
        inFlight = new SessionEnd(
                Fault.ENVIRONMENT,
                "handshake_limit",
                limits.inFlight() + " handshakes are under way, and too many wait already; raise limits.handshakes");
        rate = new SessionEnd(
                Fault.ENVIRONMENT,
                "handshake_rate",
                "more than " + limits.perSecond() + " full handshakes per second, and too many wait already; raise"
                        + " limits.handshakes-per-second");
        deadline = new SessionEnd(
                Fault.ENVIRONMENT,
                "handshake_deadline",
                "its turn did not come within " + Quantities.text(limits.longestWait()) + " (limits.handshake-wait)");
    }

    SessionEnd addressRate() {
        return addressRate;
    }

    /** It waited in vain. */
    SessionEnd deadline() {
        return deadline;
    }

    /**
     * It need not even wait.
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
