package dev.sluice.gateway;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A client whose handshake has not begun. Confined to its loop. */
abstract class Candidate {
    /** Neighbours in the {@link HandshakeQueue}. */
    @Nullable
    Candidate previous;

    @Nullable
    Candidate next;

    /** Whether it stands there. */
    boolean isWaiting;

    /** Whether it offers a ticket of ours. */
    boolean hasTicket;

    /** Whether it is believed, and goes first. */
    boolean resumes;

    /** Whether it could not begin at once. */
    boolean hadToWait;

    /** Since when it has been waiting, by the clock of the queue. */
    long sinceNanos;

    /** Where it comes from. */
    abstract InetAddress address();

    /** Looks for a ticket of ours in what it has sent. */
    abstract boolean offersTicket();

    /** Its handshake is to begin; it takes a place among those in flight. */
    abstract void begin();

    /** It is not let in. */
    abstract void refuse(SessionEnd why);
}
