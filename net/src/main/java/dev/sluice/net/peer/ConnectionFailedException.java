package dev.sluice.net.peer;

import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.Fault;
import java.io.IOException;

/**
 * The failure of a connection, for callers on other threads than the loop's. The message names the peer, the cause and
 * the remedy. Subclasses stand for what a caller reacts to differently; {@link #reason()} says more.
 */
public class ConnectionFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Stage stage;
    private final EndReason reason;
    private final String text;

    /** The stages of a connection in which it may fail. */
    public enum Stage {
        /** Before TLS: the lookup of the name, and the TCP connect. */
        CONNECT,
        /** The handshake. */
        HANDSHAKE,
        /** After the handshake. */
        ESTABLISHED
    }

    ConnectionFailedException(Stage stage, ConnectionFailure failure) {
        super(failure.message());
        this.stage = stage;
        this.reason = failure.reason();
        this.text = failure.message();
    }

    /** Creates the exception for a failure. */
    public static ConnectionFailedException of(Stage stage, ConnectionFailure failure) {
        return switch (failure.reason()) {
            case CONNECT_TIMEOUT, HANDSHAKE_TIMEOUT, IDLE_TIMEOUT, WRITE_TIMEOUT ->
                new DeadlineExceededException(stage, failure);
            case WRONG_HOST,
                    CERTIFICATE_MISSING,
                    CERTIFICATE_EXPIRED,
                    CERTIFICATE_NOT_YET_VALID,
                    CERTIFICATE_UNKNOWN_AUTHORITY,
                    CERTIFICATE_BAD_SIGNATURE,
                    CERTIFICATE_CHAIN_TOO_LONG,
                    CERTIFICATE_NOT_ALLOWED,
                    CERTIFICATE_REVOCATION_UNKNOWN,
                    CERTIFICATE_REVOKED,
                    CERTIFICATE_WRONG_PURPOSE,
                    CERTIFICATE_REFUSED,
                    MALFORMED_CERTIFICATE -> new CertificateRejectedException(stage, failure);
            default ->
                switch (stage) {
                    case CONNECT -> new ConnectRefusedException(stage, failure);
                    case HANDSHAKE -> new HandshakeFailedException(stage, failure);
                    case ESTABLISHED -> new ConnectionFailedException(stage, failure);
                };
        };
    }

    /** Returns the same failure with the caller's stack trace, and this exception as its cause. */
    public final ConnectionFailedException forCaller() {
        ConnectionFailedException copy = of(stage, failure());
        copy.initCause(this);
        return copy;
    }

    /** Returns the failure, as handlers get it. */
    public final ConnectionFailure failure() {
        return new ConnectionFailure(reason, text);
    }

    /** Returns the stage in which the connection failed. */
    public final Stage stage() {
        return stage;
    }

    /** Returns the reason. */
    public final EndReason reason() {
        return reason;
    }

    /** Returns the party to blame. */
    public final Fault fault() {
        return reason.fault();
    }

    /** Returns true when the peer is to blame: it broke the protocol, went away, or shares nothing with this side. */
    public final boolean isPeersFault() {
        return fault() == Fault.PEER_MISBEHAVED || fault() == Fault.PEER_INCOMPATIBLE;
    }
}
