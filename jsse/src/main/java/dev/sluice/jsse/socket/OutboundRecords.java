package dev.sluice.jsse.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** The direction to the peer: seals plaintext, handshake messages and alerts into records, and sends them. */
final class OutboundRecords {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /**
     * The size of the first buffer, and the room beyond one record of full size in a larger one: the small records of a
     * handshake's flight leave in one write.
     */
    private static final int FLIGHT_BYTES = 4 * 1024;

    private final SocketConnection connection;
    private final SSLEngine engine;
    private final OutputStream transport;
    private final ReentrantLock lock = new ReentrantLock();
    private final CallerArray caller = new CallerArray();
    private final byte[] single = new byte[1];
    private ByteBuffer records = NOTHING;

    /** The room that the engine wants for a record, as far as it has shown; with less, the buffer is sent first. */
    private int room;

    private volatile OutboundState state = OutboundState.OPEN;

    /** True while the engine has something to send that a reader could not send, since a writer was active. */
    private volatile boolean answerPending;

    OutboundRecords(SocketConnection connection, SSLEngine engine, OutputStream transport) {
        this.connection = connection;
        this.engine = engine;
        this.transport = transport;
    }

    OutboundState state() {
        return state;
    }

    /** Sends one byte. */
    void write(int value) throws IOException {
        lock.lock();
        try {
            single[0] = (byte) value;
            write(single, 0, 1);
        } finally {
            leave();
        }
    }

    /** Sends plaintext. Blocks until the transport has accepted all of it. */
    void write(byte[] source, int offset, int length) throws IOException {
        lock.lock();
        try {
            requireOpen();
            ByteBuffer plain = caller.view(source, offset, length);
            while (plain.hasRemaining()) {
                SSLEngineResult result = wrap(plain);
                if (result.getStatus() == Status.CLOSED) {
                    state = OutboundState.CLOSED;
                    requireOpen();
                }
                if (result.bytesConsumed() == 0) {
                    proceed(result.getHandshakeStatus());
                }
            }
            wrapPending();
            flush();
        } finally {
            leave();
        }
    }

    private void requireOpen() throws SocketException {
        if (state != OutboundState.OPEN) {
            throw new SocketException("Connection or outbound has closed");
        }
    }

    /** Removes what prevents the engine from sealing plaintext: a task, or a handshake that awaits the peer. */
    private void proceed(HandshakeStatus status) throws IOException {
        if (status == HandshakeStatus.NEED_TASK) {
            connection.runTasks();
        } else if (status == HandshakeStatus.NEED_UNWRAP || status == HandshakeStatus.NEED_UNWRAP_AGAIN) {
            flush();
            connection.receiveHandshake();
        }
    }

    /** Sends the handshake messages and alerts that the engine has now. */
    void sendPending() throws IOException {
        lock.lock();
        try {
            wrapPending();
            flush();
        } finally {
            leave();
        }
    }

    /**
     * Sends what the engine has to answer to a record, for a reader. An active writer does it instead, so that the
     * reader does not wait for a peer that may itself wait for the reader.
     */
    void answer() {
        answerPending = true;
        while (answerPending && lock.tryLock()) {
            answerPending = false;
            try {
                wrapPending();
                flush();
            } catch (IOException e) {
                state = OutboundState.BROKEN; // The reader may still receive what the peer has sent.
            } finally {
                unlock();
            }
        }
    }

    /** Sends the alert that the engine has for an error, or close_notify, unless a writer is active. */
    void tryClose() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (state == OutboundState.OPEN) {
                engine.closeOutbound();
                wrapRest();
                flush();
            }
        } catch (IOException | RuntimeException e) {
            // The caller reports the error that has ended the connection.
        } finally {
            state = OutboundState.CLOSED;
            unlock();
        }
    }

    /** Sends close_notify and closes this direction. Blocks while a writer is active. */
    void close() throws IOException {
        lock.lock();
        try {
            closeLocked();
        } finally {
            leave();
        }
    }

    /**
     * Sends close_notify and closes this direction, unless a writer stays active for too long.
     *
     * @return false when a writer was active all the time; nothing was sent
     */
    boolean closeWithin(long seconds) throws IOException {
        boolean interrupted = Thread.interrupted();
        boolean acquired = false;
        try {
            acquired = lock.tryLock() || lock.tryLock(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        try {
            if (acquired) {
                closeLocked();
            }
        } finally {
            if (acquired) {
                leave();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return acquired;
    }

    private void closeLocked() throws IOException {
        OutboundState before = state;
        state = OutboundState.CLOSED;
        engine.closeOutbound();
        if (before == OutboundState.OPEN && connection.phase() != SocketPhase.NEW) {
            wrapRest();
            flush();
        }
    }

    /** Frees what this direction holds, when nobody is active in it. */
    void release() {
        if (lock.tryLock()) {
            leave();
        }
    }

    private void wrapPending() throws IOException {
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            if (wrap(NOTHING).getStatus() == Status.CLOSED) {
                break;
            }
        }
        if (state == OutboundState.OPEN && engine.isOutboundDone()) {
            state = OutboundState.CLOSED; // The engine has answered the peer's close_notify.
        }
    }

    /** Wraps until the engine has nothing more to send at all; its outbound side is closed. */
    private void wrapRest() throws IOException {
        while (!engine.isOutboundDone()) {
            SSLEngineResult result = wrap(NOTHING);
            if (result.getStatus() == Status.CLOSED || result.bytesProduced() == 0) {
                return;
            }
        }
    }

    private SSLEngineResult wrap(ByteBuffer plain) throws IOException {
        if (records.remaining() < room) {
            flush();
        }
        SSLEngineResult result = engine.wrap(plain, records);
        while (result.getStatus() == Status.BUFFER_OVERFLOW) {
            makeRoom();
            result = engine.wrap(plain, records);
        }
        connection.note(result);
        return result;
    }

    /** Empties the buffer by sending its records, or replaces an empty one that is too small. */
    private void makeRoom() throws IOException {
        if (records.position() > 0) {
            flush();
        } else if (records.capacity() == 0) {
            records = ByteBuffer.allocate(FLIGHT_BYTES);
        } else {
            room = engine.getSession().getPacketBufferSize();
            if (records.capacity() >= room + FLIGHT_BYTES) {
                throw new SSLException("the engine finds no room for a record, bytes=" + records.capacity());
            }
            records = ByteBuffer.allocate(room + FLIGHT_BYTES);
        }
    }

    private void flush() throws IOException {
        int length = records.position();
        if (length == 0) {
            return;
        }
        records.clear();
        try {
            transport.write(records.array(), records.arrayOffset(), length);
        } catch (IOException e) {
            state = OutboundState.BROKEN;
            throw e;
        }
    }

    /** Releases the lock, and then answers for a reader that found it taken. */
    private void leave() {
        unlock();
        if (answerPending && !lock.isHeldByCurrentThread()) {
            answer();
        }
    }

    private void unlock() {
        if (lock.getHoldCount() == 1 && connection.lifecycle() == SocketLifecycle.CLOSED) {
            discard();
        }
        lock.unlock();
    }

    private void discard() {
        state = OutboundState.CLOSED;
        engine.closeOutbound();
        try {
            while (!engine.isOutboundDone() && wrapToDiscard() > 0) {
                // until the engine has nothing left
            }
        } catch (SSLException | RuntimeException e) {
            // The connection has ended; the engine only has to free what it holds.
        }
        records = NOTHING;
        room = 0;
        caller.clear();
    }

    private int wrapToDiscard() throws SSLException {
        int needed = engine.getSession().getPacketBufferSize();
        if (records.capacity() < needed) {
            records = ByteBuffer.allocate(needed);
        }
        return engine.wrap(NOTHING, records.clear()).bytesProduced();
    }
}
