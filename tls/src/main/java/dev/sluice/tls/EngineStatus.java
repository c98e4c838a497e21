package dev.sluice.tls;

/**
 * What an engine's operation came to when it moved no bytes. Operations return bytes moved (more than 0), {@link #DONE}
 * (0), or one of these negative codes, so that nothing is allocated per call.
 */
public final class EngineStatus {
    /** The operation is complete; for a write of nothing, or a handshake that has finished. */
    public static final int DONE = 0;

    /** The engine needs more bytes from the peer before it can go on. */
    public static final int WANT_READ = -1;

    /** The engine must send what it holds before it can go on. */
    public static final int WANT_WRITE = -2;

    /** The peer has closed its direction cleanly with close_notify: no more plaintext will come. */
    public static final int CLOSED = -3;

    /** The connection is broken; {@link TlsEngine#failure()} says why. An alert may still wait to be sent. */
    public static final int FAILED = -4;

    private EngineStatus() {}

    /** The name of a status for messages. */
    public static String name(int status) {
        return switch (status) {
            case DONE -> "DONE";
            case WANT_READ -> "WANT_READ";
            case WANT_WRITE -> "WANT_WRITE";
            case CLOSED -> "CLOSED";
            case FAILED -> "FAILED";
            default -> status > 0 ? status + " bytes" : "unknown status " + status;
        };
    }
}
