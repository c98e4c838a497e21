package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.tls.failure.EndReason;

/** The exceptions for failures that the layers below report. */
final class ChannelFailures {
    private ChannelFailures() {}

    /** Returns the exception for a failure of the record layer. */
    static ChannelException of(EndReason reason) {
        ChannelFailure failure = reason.isAlertReceived()
                ? ChannelFailure.PEER_FAILED
                : switch (reason) {
                    case TRUNCATED -> ChannelFailure.TRUNCATED;
                    case BAD_RECORD_MAC, RECORD_OVERFLOW -> ChannelFailure.BAD_RECORD;
                    default -> ChannelFailure.PROTOCOL;
                };
        return new ChannelException(failure, "channel failed: " + reason.label());
    }

    /** Returns the exception for a failed send(2). */
    static ChannelException ofSend(int result) {
        return result == -Errno.EAGAIN
                ? new ChannelException(
                        ChannelFailure.TIMED_OUT, "the peer accepts no more bytes; check the peer and the network")
                : lost(result);
    }

    /** Returns the exception for a failed recv(2). */
    static ChannelException ofReceive(int result) {
        return result == -Errno.EAGAIN
                ? new ChannelException(
                        ChannelFailure.TIMED_OUT, "the peer is silent for too long; check the peer and the network")
                : lost(result);
    }

    private static ChannelException lost(int result) {
        return new ChannelException(
                ChannelFailure.CONNECTION, "connection lost (" + Errno.describe(result) + "); connect again");
    }
}
