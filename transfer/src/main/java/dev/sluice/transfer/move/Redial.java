package dev.sluice.transfer.move;

import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The connections of one stream of the side that connects: opens it, and opens it again. Confined to one thread. */
final class Redial {
    /** A wait between attempts. */
    interface Pause {
        /** Waits; returns false at once when the stream is not wanted any more. */
        boolean await(Duration time);
    }

    private final StreamFactory streams;
    private final int number;
    private final Pause pause;
    private int attempts;
    private @Nullable TransferException loss;

    Redial(StreamFactory streams, int number, Pause pause) {
        this.streams = streams;
        this.number = number;
        this.pause = pause;
    }

    /**
     * Counts a loss.
     *
     * @param delivered true when the lost connection was of use, so that attempts are counted from 0 again
     */
    void lost(TransferException cause, boolean delivered) {
        loss = cause;
        attempts = delivered ? 0 : attempts;
    }

    /**
     * Opens the stream, after a pause if it was lost.
     *
     * @return null when the stream is not wanted any more
     * @throws TransferException when the attempts are used up, or the peer refuses
     */
    @Nullable
    Wire open() throws TransferException {
        while (true) {
            if (loss != null) {
                attempts++;
                if (attempts > streams.reconnection().attempts()) {
                    throw loss;
                }
                if (!pause.await(streams.reconnection().delay(attempts))) {
                    return null;
                }
            }
            try {
                return streams.open(number);
            } catch (IOException e) {
                TransferException failure = StreamFailures.of(e);
                if (!StreamFailures.isLoss(failure)) {
                    throw failure;
                }
                loss = loss == null ? failure : loss;
            }
        }
    }
}
