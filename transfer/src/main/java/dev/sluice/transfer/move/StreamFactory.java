package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.Wire;
import java.io.IOException;
import java.time.Duration;

/** A source of streams of a session, for the side that connects. */
@FunctionalInterface
public interface StreamFactory {
    /** The time after which further streams are opened over a network. */
    Duration FURTHER_AFTER = Duration.ofMillis(100);

    /**
     * Opens a stream to the same peer; the caller closes it. May be called from any thread.
     *
     * @param stream its number in the session: a further one, or one that was lost, also the first
     */
    Wire open(int stream) throws IOException;

    /** Returns the most streams of a session that the way to the peer permits, the first one included. */
    default int limit() {
        return ProtocolLimits.STREAMS_MAX;
    }

    /**
     * Returns the time after which further streams are opened to pull, unless the first has done everything by then: a
     * connection with its handshake costs as much as some megabytes.
     */
    default Duration furtherAfter() {
        return Duration.ZERO;
    }

    /** Returns the limits within which lost streams are opened again. */
    default Reconnection reconnection() {
        return Reconnection.DEFAULT;
    }

    /** Returns the same factory with other limits. */
    default StreamFactory with(Reconnection limits) {
        StreamFactory streams = this;
        return new StreamFactory() {
            @Override
            public Wire open(int stream) throws IOException {
                return streams.open(stream);
            }

            @Override
            public int limit() {
                return streams.limit();
            }

            @Override
            public Duration furtherAfter() {
                return streams.furtherAfter();
            }

            @Override
            public Reconnection reconnection() {
                return limits;
            }
        };
    }
}
