package dev.sluice.jsse.socket;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLProtocolException;

/** The direction from the peer: receives records, and has them opened into the caller's array or a buffer. */
final class InboundRecords {
    /** The property by which SunJSSE, too, can be told to report a transport that ends without close_notify. */
    private static final boolean CLOSE_NOTIFY_REQUIRED = Boolean.getBoolean("com.sun.net.ssl.requireCloseNotify");

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** The size of the first buffer of records: records of full size enlarge it, idle connections keep it. */
    private static final int FIRST_BYTES = 4 * 1024;

    /** The size of the largest buffer: a record with the longest length that a header can state, twice. */
    private static final int BUFFER_BYTES_MAX = 2 * (RecordSource.HEADER_BYTES + 0xFFFF);

    private final SocketConnection connection;
    private final SSLEngine engine;
    private final RecordSource source;
    private final ReentrantLock lock = new ReentrantLock();
    private final CallerArray caller = new CallerArray();

    /** Bytes that have arrived and are not consumed, from position to limit. */
    private ByteBuffer records = NOTHING;

    /** Plaintext that is not read, from position to limit. */
    private ByteBuffer plain = NOTHING;

    private volatile InboundState state = InboundState.OPEN;
    private volatile int available;

    InboundRecords(SocketConnection connection, SSLEngine engine, RecordSource source) {
        this.connection = connection;
        this.engine = engine;
        this.source = source;
    }

    InboundState state() {
        return state;
    }

    /** Returns the number of bytes of plaintext that can be read without blocking. */
    int available() {
        return state == InboundState.OPEN ? available : 0;
    }

    /** Returns the next byte of plaintext, or -1 at the end. */
    int read() throws IOException {
        lock.lock();
        try {
            while (!plain.hasRemaining()) {
                if (openIntoPlain() == InboundStep.END) {
                    return -1;
                }
            }
            int value = Byte.toUnsignedInt(plain.get());
            available = plain.remaining();
            return value;
        } finally {
            leave();
        }
    }

    /**
     * Reads plaintext. Blocks until there is some.
     *
     * @return the number of bytes, at least 1, or -1 at the end
     */
    int read(byte[] target, int offset, int length) throws IOException {
        lock.lock();
        try {
            while (!plain.hasRemaining()) {
                if (awaitHeader() == InboundStep.END) {
                    return -1;
                }
                if (length >= RecordSource.recordBytes(records)) {
                    ByteBuffer view = caller.view(target, offset, length);
                    InboundStep step = open(view);
                    if (step == InboundStep.DATA) {
                        return view.position() - offset;
                    } else if (step == InboundStep.END) {
                        return -1;
                    } else if (step == InboundStep.PROGRESS) {
                        continue;
                    }
                }
                if (openIntoPlain() == InboundStep.END) {
                    return -1;
                }
            }
            int taken = Math.min(length, plain.remaining());
            plain.get(target, offset, taken);
            available = plain.remaining();
            return taken;
        } finally {
            leave();
        }
    }

    /** Receives one record of a handshake, unless another thread did it meanwhile. */
    void receiveHandshake() throws IOException {
        lock.lock();
        try {
            if (awaitsPeer(engine.getHandshakeStatus()) && openIntoPlain() == InboundStep.END) {
                throw new SSLHandshakeException("The peer closed the connection during the handshake");
            }
        } finally {
            leave();
        }
    }

    /** Discards data until the peer's close_notify. */
    void awaitEnd() throws IOException {
        lock.lock();
        try {
            while (state == InboundState.OPEN && openIntoPlain() != InboundStep.END) {
                plain.position(plain.limit());
            }
        } finally {
            leave();
        }
    }

    /** Discards what has arrived on the transport, unless a reader is active. */
    void drain() throws IOException {
        if (!lock.tryLock()) {
            return;
        }
        try {
            source.drain();
        } finally {
            leave();
        }
    }

    /** Closes this direction; a reader that is blocked learns it from the transport. */
    void close() {
        state = InboundState.CLOSED;
    }

    /** Frees what this direction holds, when nobody is active in it. */
    void release() {
        if (lock.tryLock()) {
            leave();
        }
    }

    private static boolean awaitsPeer(HandshakeStatus status) {
        return status == HandshakeStatus.NEED_UNWRAP || status == HandshakeStatus.NEED_UNWRAP_AGAIN;
    }

    /** Receives until the header of the next record is there, from which the room that it needs is known. */
    private InboundStep awaitHeader() throws IOException {
        while (records.remaining() < RecordSource.HEADER_BYTES) {
            if (!fill()) {
                return transportEnded();
            }
        }
        return InboundStep.PROGRESS;
    }

    private InboundStep openIntoPlain() throws IOException {
        plain.compact();
        InboundStep step;
        try {
            step = open(plain);
        } finally {
            plain.flip();
            available = plain.remaining();
        }
        if (step == InboundStep.OVERFLOW) {
            plain = enlarged(plain, plainBytesMax());
        }
        return step;
    }

    /** Returns a size that suffices for the plaintext of the next record. */
    private int plainBytesMax() {
        return records.remaining() < RecordSource.HEADER_BYTES
                ? engine.getSession().getApplicationBufferSize()
                : plain.remaining() + RecordSource.recordBytes(records);
    }

    private InboundStep open(ByteBuffer into) throws IOException {
        if (state != InboundState.OPEN) {
            return InboundStep.END;
        }
        if (!records.hasRemaining() && engine.getHandshakeStatus() != HandshakeStatus.NEED_UNWRAP_AGAIN && !fill()) {
            return transportEnded();
        }
        SSLEngineResult result = engine.unwrap(records, into);
        return switch (result.getStatus()) {
            case OK -> opened(result);
            case BUFFER_UNDERFLOW -> fill() ? InboundStep.PROGRESS : transportEnded();
            case BUFFER_OVERFLOW -> InboundStep.OVERFLOW;
            case CLOSED -> peerClosed();
        };
    }

    private InboundStep opened(SSLEngineResult result) throws IOException {
        connection.note(result);
        if (connection.phase() == SocketPhase.ESTABLISHED) {
            answer(result);
        }
        return result.bytesProduced() > 0 ? InboundStep.DATA : InboundStep.PROGRESS;
    }

    /** Does what the engine wants after a record that was received outside of the initial handshake. */
    private void answer(SSLEngineResult result) throws IOException {
        HandshakeStatus status = result.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_TASK) {
            connection.runTasks();
            status = engine.getHandshakeStatus();
        }
        boolean stalled = result.bytesConsumed() == 0 && result.bytesProduced() == 0;
        if (status == HandshakeStatus.NEED_WRAP) {
            connection.answer(stalled);
        } else if (stalled && !fill()) {
            transportEnded();
        }
    }

    private InboundStep peerClosed() throws SSLException {
        if (connection.phase() != SocketPhase.ESTABLISHED) {
            throw new SSLHandshakeException("Received close_notify during handshake");
        }
        end();
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            connection.answer(false);
        }
        return InboundStep.END;
    }

    private InboundStep transportEnded() throws SSLException {
        EOFException cause = new EOFException("The transport ended without close_notify");
        if (connection.phase() != SocketPhase.ESTABLISHED) {
            throw (SSLException) new SSLHandshakeException("Remote host terminated the handshake").initCause(cause);
        }
        if (CLOSE_NOTIFY_REQUIRED) {
            throw (SSLException) new SSLProtocolException("Remote host terminated the connection").initCause(cause);
        }
        end();
        connection.transportEnded();
        return InboundStep.END;
    }

    private void end() {
        if (state == InboundState.OPEN) {
            state = InboundState.ENDED;
        }
    }

    /** Receives more bytes. Returns false at the transport's end. */
    private boolean fill() throws IOException {
        if (records.position() > 0) {
            records.compact().flip();
        }
        if (records.limit() == records.capacity()) {
            records = enlarged(
                    records,
                    records.capacity() == 0 ? FIRST_BYTES : engine.getSession().getPacketBufferSize());
        }
        return source.append(records);
    }

    private static ByteBuffer enlarged(ByteBuffer buffer, int wanted) throws SSLException {
        int capacity = Math.max(wanted, 2 * buffer.capacity());
        if (capacity > BUFFER_BYTES_MAX) {
            throw new SSLProtocolException("the engine does not consume a record, bytes=" + buffer.remaining());
        }
        return ByteBuffer.allocate(capacity).put(buffer).flip();
    }

    private void leave() {
        if (lock.getHoldCount() == 1 && connection.lifecycle() == SocketLifecycle.CLOSED) {
            discard();
        }
        lock.unlock();
    }

    private void discard() {
        try {
            engine.closeInbound();
        } catch (SSLException e) {
            // Whether the peer's close_notify has arrived does not matter any more.
        }
        records = NOTHING;
        plain = NOTHING;
        available = 0;
        caller.clear();
    }
}
