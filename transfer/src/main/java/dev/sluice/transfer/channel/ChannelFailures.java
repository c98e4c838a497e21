package dev.sluice.transfer.channel;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import dev.sluice.tls.failure.TlsFailure;

/** The exceptions for failures that the layers below report. */
final class ChannelFailures {
    private ChannelFailures() {}

    /** Returns the exception for a failure of the record layer. */
    static ChannelException of(EndReason reason) {
        ChannelFailure failure = isRefusedKey(reason)
                ? ChannelFailure.WRONG_KEY
                : reason.isAlertReceived()
                        ? ChannelFailure.PEER_FAILED
                        : switch (reason) {
                            case TRUNCATED -> ChannelFailure.TRUNCATED;
                            case BAD_RECORD_MAC, RECORD_OVERFLOW -> ChannelFailure.BAD_RECORD;
                            default -> ChannelFailure.PROTOCOL;
                        };
        return new ChannelException(failure, "channel failed: " + describe(reason));
    }

    /** Returns the exception for a failed handshake. */
    static ChannelException ofHandshake(TlsFailure why) {
        ChannelFailure failure = isRefusedKey(why.reason())
                ? ChannelFailure.WRONG_KEY
                : switch (why.reason()) {
                    case CLOSED_BEFORE_HANDSHAKE, CLOSED_IN_HANDSHAKE, HANDSHAKE_TRUNCATED, CONNECTION_RESET ->
                        ChannelFailure.CONNECTION;
                    default -> why.fault() == Fault.ENVIRONMENT ? ChannelFailure.MACHINE : ChannelFailure.HANDSHAKE;
                };
        return new ChannelException(
                failure,
                "handshake failed: " + (failure == ChannelFailure.WRONG_KEY ? describe(why.reason()) : why.message()));
    }

    /** Returns whether the peer refused our key: in TLS 1.3 a client learns that after its handshake. */
    private static boolean isRefusedKey(EndReason reason) {
        return switch (reason) {
            case ALERT_RECEIVED_BAD_CERTIFICATE,
                    ALERT_RECEIVED_CERTIFICATE_UNKNOWN,
                    ALERT_RECEIVED_UNKNOWN_CA,
                    ALERT_RECEIVED_ACCESS_DENIED,
                    ALERT_RECEIVED_CERTIFICATE_REQUIRED -> true;
            default -> false;
        };
    }

    private static String describe(EndReason reason) {
        return isRefusedKey(reason)
                ? "the peer does not allow our key; add its fingerprint to the peer's allowed keys"
                : reason.describe();
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
