package dev.sluice.gateway.tickets;

import dev.sluice.ffi.openssl.TicketKey;
import java.time.Duration;
import java.util.List;

/**
 * A source of a ring's keys. Called by one thread at a time, but for {@link #status}, which any thread may call; may
 * block for as long as its own time limits say, so never on an event loop.
 */
interface TicketKeySource extends AutoCloseable {
    /** Brings the ring up to date, whatever stands in the way, and returns when it wants to be called again. */
    Duration refresh();

    /**
     * Has a new key take over as soon as all who share it can have it.
     *
     * @return what was done, for the operator
     * @throws TicketKeyException when that is not for us to do, or cannot be done now
     */
    String rotate() throws TicketKeyException;

    /**
     * Takes on keys that open tickets from now on for as long as tickets are kept, and seal none.
     *
     * @param keys belong to the source from now on, whatever comes of the call
     * @return what was done, for the operator
     */
    String take(List<TicketKey> keys) throws TicketKeyException;

    /** Returns the current status. */
    SourceStatus status();

    @Override
    void close();
}
