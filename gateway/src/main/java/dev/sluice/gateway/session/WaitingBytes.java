package dev.sluice.gateway.session;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.gateway.backend.Buffers;
import dev.sluice.gateway.outcome.SessionEnd;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import java.util.Arrays;

/**
 * The bytes that a client has sent before its backend is connected, and whether it has ended its direction behind them.
 *
 * <p>They wait on the heap: the loop's buffers are few, and a backend that does not answer would take them from
 * everybody else. They are bounded by what may be delivered after {@link Connection#stopReceiving}.
 */
final class WaitingBytes {
    private static final byte[] NOTHING = {};

    private byte[] bytes;
    private boolean ended;

    /** Makes an empty one. */
    WaitingBytes() {
        this(NOTHING);
    }

    /**
     * Makes one.
     *
     * @param bytes this object's from now on
     */
    WaitingBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Adds bytes.
     *
     * @param buffer is released
     */
    void add(Slab buffer) {
        int length = buffer.length();
        int before = bytes.length;
        bytes = Arrays.copyOf(bytes, before + length);
        RawMemory.copy(buffer.payloadAddress(), bytes, before, length);
        buffer.release();
    }

    /** Notes that the client has ended its direction. */
    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Sends all to a backend; ends the session when there is no buffer left for them. */
    void sendTo(Connection backend, Session session) {
        session.countToBackend(bytes.length);
        if (!Buffers.send(backend, bytes)) {
            session.abort(SessionEnd.NO_BUFFERS);
        }
    }
}
