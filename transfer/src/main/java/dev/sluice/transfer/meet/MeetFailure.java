package dev.sluice.transfer.meet;

import dev.sluice.tls.failure.Fault;

/** The reason why two peers do not meet, and the party at fault. */
public enum MeetFailure {
    /** Nobody was found on any path in time. */
    NO_PEER(Fault.ENVIRONMENT),
    /** The relay refused; the message says why. */
    REFUSED(Fault.ENVIRONMENT),
    /** This machine lacks something, or an address is in use. */
    MACHINE(Fault.ENVIRONMENT);

    private final Fault fault;

    MeetFailure(Fault fault) {
        this.fault = fault;
    }

    /** Returns the party at fault. */
    public Fault fault() {
        return fault;
    }
}
