package dev.sluice.gateway.admission;

import dev.sluice.gateway.outcome.SessionEnd;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** A client whose handshake may not start yet: an entry of the {@link HandshakeQueue}. Confined to its loop. */
public abstract class PendingHandshake {
    /** The neighbours in the {@link HandshakeQueue}. */
    @Nullable
    PendingHandshake previous;

    @Nullable
    PendingHandshake next;

    /** True while it stands in the queue. */
    boolean isWaiting;

    /** True when it offers a ticket of ours. */
    public boolean hasTicket;

    /** True when it is expected to resume, and goes first. */
    public boolean resumes;

    /** True when it could not start at once. */
    boolean hadToWait;

    /** The time at which it began to wait, by the clock of the queue. */
    long sinceNanos;

    /** Returns the client's address. */
    public abstract InetAddress address();

    /** Looks for a ticket of ours in what the client has sent. */
    public abstract boolean offersTicket();

    /**
     * Starts the handshake, which has taken a place among those in flight.
     *
     * @param now the time, as {@link System#nanoTime()}
     */
    public abstract void admit(long now);

    /** Refuses the client. */
    public abstract void refuse(SessionEnd why);
}
