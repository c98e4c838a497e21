package dev.sluice.transfer.meet;

import dev.sluice.tls.failure.Fault;

/** The reason why two peers do not meet, and the party at fault. */
public enum MeetFailure {
    /** Nobody was found on any path in time. */
    NO_PEER(Fault.ENVIRONMENT),
    /** The relay refused; the message says why. */
    REFUSED(Fault.ENVIRONMENT),
    /** The own address is in use, or not ours. */
    ADDRESS(Fault.ENVIRONMENT),
    /** This machine lacks something. */
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
