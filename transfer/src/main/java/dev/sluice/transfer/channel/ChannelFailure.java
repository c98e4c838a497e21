package dev.sluice.transfer.channel;

import dev.sluice.tls.failure.Fault;

/** The reason of a channel's failure, and the party at fault. */
public enum ChannelFailure {
    /** The peer's key is not among the allowed ones, or it refused ours. */
    WRONG_KEY(Fault.PEER_INCOMPATIBLE),
    /** The peers used different pairing codes; both codes are void now. */
    WRONG_CODE(Fault.PEER_INCOMPATIBLE),
    /** The pairing code was used before. */
    CODE_SPENT(Fault.OURS),
    /** The peer does not speak TLS 1.3 as required here, or refused our handshake. */
    HANDSHAKE(Fault.PEER_INCOMPATIBLE),
    /** A record was altered, replayed, reordered or protected with another key. */
    BAD_RECORD(Fault.PEER_MISBEHAVED),
    /** The peer broke the protocol in another way. */
    PROTOCOL(Fault.PEER_MISBEHAVED),
    /** The connection ended without the peer's close_notify: bytes may be missing. */
    TRUNCATED(Fault.PEER_MISBEHAVED),
    /** The peer ended its stream in order, but inside a message. */
    UNEXPECTED_END(Fault.PEER_MISBEHAVED),
    /** The peer failed, and reported that by an alert. */
    PEER_FAILED(Fault.PEER_MISBEHAVED),
    /** The peer sent or accepted nothing for too long. */
    TIMED_OUT(Fault.ENVIRONMENT),
    /** The connection could not be made, or was lost. */
    CONNECTION(Fault.ENVIRONMENT),
    /** This OpenSSL or this machine lacks something. */
    MACHINE(Fault.ENVIRONMENT),
    /** The channel was aborted or closed on this side. */
    ABORTED(Fault.OURS);

    private final Fault fault;

    ChannelFailure(Fault fault) {
        this.fault = fault;
    }

    /** Returns the party at fault. */
    public Fault fault() {
        return fault;
    }
}
