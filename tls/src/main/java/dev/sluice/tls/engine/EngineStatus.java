package dev.sluice.tls.engine;

/**
 * The status codes of engine operations that moved no bytes. Operations return bytes moved (more than 0), {@link #DONE}
 * (0), or one of these negative codes, so that a call allocates nothing.
 */
public final class EngineStatus {
    /** The operation is complete, including an empty write or a finished handshake. */
    public static final int DONE = 0;

    /** The engine needs more bytes from the peer. */
    public static final int WANT_READ = -1;

    /** The engine must send its bytes first. */
    public static final int WANT_WRITE = -2;

    /** The peer closed its direction with close_notify: no more plaintext follows. */
    public static final int CLOSED = -3;

    /** The connection failed; {@link TlsEngine#failure()} has the reason. An alert may still wait to be sent. */
    public static final int FAILED = -4;

    /** The handshake is suspended until a {@link HandshakeDelegate} has chosen a certificate. */
    public static final int WANT_CERTIFICATE = -5;

    /** The handshake is suspended until a {@link HandshakeDelegate} has judged the peer's certificates. */
    public static final int WANT_VERIFICATION = -6;

    private EngineStatus() {}

    /** Returns the name of a status for messages. */
    public static String name(int status) {
        return switch (status) {
            case DONE -> "DONE";
            case WANT_READ -> "WANT_READ";
            case WANT_WRITE -> "WANT_WRITE";
            case CLOSED -> "CLOSED";
            case FAILED -> "FAILED";
            case WANT_CERTIFICATE -> "WANT_CERTIFICATE";
            case WANT_VERIFICATION -> "WANT_VERIFICATION";
            default -> status > 0 ? status + " bytes" : "unknown status " + status;
        };
    }
}
