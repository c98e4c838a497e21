package dev.sluice.net;

import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;

/**
 * The failure of one connection.
 *
 * @param reason the reason, which tells the fault and the metric label
 * @param message event, cause and remedy, for people
 */
public record ConnectionFailure(EndReason reason, String message) {
    /** Returns the party to blame. */
    public Fault fault() {
        return reason.fault();
    }
}
