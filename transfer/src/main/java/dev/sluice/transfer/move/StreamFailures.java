package dev.sluice.transfer.move;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.protocol.FrameOutput;
import dev.sluice.transfer.protocol.Hello;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The translation of whatever is thrown in a stream into the catalogue. */
final class StreamFailures {
    private StreamFailures() {}

    /** Returns whether a failure is one of the connection alone, so that another one may do. */
    static boolean isLoss(TransferException failure) {
        return failure.failure() == TransferFailure.PEER_VANISHED;
    }

    /**
     * Ends a wire that has no stream by a failure, as far as the peer listens.
     *
     * @param ours the hello that goes first, which tells a peer that accepts the protocol; null for none
     */
    static void report(Wire wire, @Nullable Hello ours, TransferException failure) {
        try {
            FrameOutput out = new FrameOutput(wire);
            if (ours != null) {
                out.hello(ours);
            }
            out.fail(failure.failure(), failure.getMessage());
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    static TransferException of(Throwable thrown) {
        if (thrown instanceof TransferException known) {
            return known;
        }
        if (thrown instanceof ChannelException channel) {
            TransferFailure failure = switch (channel.failure()) {
                case BAD_RECORD, PROTOCOL, UNEXPECTED_END -> TransferFailure.PROTOCOL_VIOLATION;
                case ABORTED -> TransferFailure.CANCELLED;
                case WRONG_KEY, WRONG_CODE, CODE_SPENT, HANDSHAKE -> TransferFailure.REFUSED;
                case MACHINE -> TransferFailure.RESOURCES;
                default -> TransferFailure.PEER_VANISHED;
            };
            return new TransferException(failure, String.valueOf(channel.getMessage()), channel);
        }
        TransferFailure failure =
                thrown instanceof IOException ? TransferFailure.PEER_VANISHED : TransferFailure.INTERNAL;
        return new TransferException(failure, thrown.toString(), thrown);
    }
}
