package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.Wire;
import java.io.IOException;

/** A source of further streams of a session, for the side that connects. */
@FunctionalInterface
public interface StreamFactory {
    /**
     * Opens a stream to the same peer; the caller closes it. May be called from any thread.
     *
     * @param stream its number in the session, at least 1
     */
    Wire open(int stream) throws IOException;
}
