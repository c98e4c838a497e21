package dev.sluice.jsse.socket;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** TLS over a connected transport: the handshake, the states of both directions, failures, and the close. */
final class SocketConnection {
    private static final String TLS_1_3 = "TLSv1.3";

    /** The wait of a close for an active writer, where SO_LINGER does not state another: the peer may not read. */
    private static final int WRITER_WAIT_SECONDS = 1;

    private final SSLEngine engine;
    private final Socket transport;
    private final Ownership ownership;
    private final Runnable completed;
    private final InboundRecords inbound;
    private final OutboundRecords outbound;
    private final ReentrantLock handshakeLock = new ReentrantLock();
    private final AtomicReference<SocketLifecycle> lifecycle = new AtomicReference<>(SocketLifecycle.OPEN);
    private volatile SocketPhase phase = SocketPhase.NEW;
    private volatile @Nullable Throwable failure;

    /** The policy for a timeout of the transport during the handshake. */
    private enum OnTimeout {
        /** The handshake can be continued. */
        RESUMABLE,
        /** The connection has failed. */
        FATAL
    }

    /**
     * Creates the TLS part of a socket.
     *
     * @param completed called after each complete handshake
     */
    SocketConnection(SSLEngine engine, Socket transport, RecordSource source, Ownership ownership, Runnable completed)
            throws IOException {
        this.engine = engine;
        this.transport = transport;
        this.ownership = ownership;
        this.completed = completed;
        this.inbound = new InboundRecords(this, engine, source);
        this.outbound = new OutboundRecords(this, engine, transport.getOutputStream());
    }

    SocketPhase phase() {
        return phase;
    }

    SocketLifecycle lifecycle() {
        return lifecycle.get();
    }

    boolean isClosed() {
        return lifecycle.get() != SocketLifecycle.OPEN;
    }

    InboundState inboundState() {
        return inbound.state();
    }

    OutboundState outboundState() {
        return outbound.state();
    }

    // ---- handshake

    /** Completes the initial handshake, or begins another one. */
    void startHandshake() throws IOException {
        if (handshakeLock.isHeldByCurrentThread()) {
            return; // Called back by the handshake itself, for example by a trust manager.
        }
        requireHandshakePossible();
        handshakeLock.lock();
        try {
            requireHandshakePossible();
            if (phase == SocketPhase.ESTABLISHED) {
                beginAnother();
            } else {
                handshake(OnTimeout.RESUMABLE);
            }
        } finally {
            handshakeLock.unlock();
        }
    }

    /** Returns the session after the handshake, which it completes, or the engine's invalid one after a failure. */
    SSLSession session() {
        try {
            ensureEstablished(OnTimeout.FATAL);
        } catch (IOException e) {
            // The failure is kept, and reported by the next read.
        }
        return engine.getSession();
    }

    private void ensureEstablished(OnTimeout onTimeout) throws IOException {
        if (!awaitsHandshake() || handshakeLock.isHeldByCurrentThread()) {
            return;
        }
        handshakeLock.lock();
        try {
            if (awaitsHandshake()) {
                handshake(onTimeout);
            }
        } finally {
            handshakeLock.unlock();
        }
    }

    private boolean awaitsHandshake() {
        return (phase == SocketPhase.NEW || phase == SocketPhase.HANDSHAKING) && isUsable();
    }

    private boolean isUsable() {
        return phase != SocketPhase.FAILED
                && !isClosed()
                && inbound.state() == InboundState.OPEN
                && outbound.state() == OutboundState.OPEN;
    }

    private void requireHandshakePossible() throws SocketException {
        if (!isUsable()) {
            throw new SocketException("Socket has been closed or broken");
        }
    }

    private void handshake(OnTimeout onTimeout) throws IOException {
        try {
            if (phase == SocketPhase.NEW) {
                engine.beginHandshake();
                phase = SocketPhase.HANDSHAKING;
            }
            while (handshakeStep()) {
                requireHandshakePossible();
            }
            requireHandshakePossible();
            phase = SocketPhase.ESTABLISHED;
        } catch (InterruptedIOException e) {
            throw onTimeout == OnTimeout.RESUMABLE ? e : failed(new SSLException("The handshake timed out", e));
        } catch (IOException | RuntimeException e) {
            throw failed(e);
        }
        completed.run();
    }

    private boolean handshakeStep() throws IOException {
        return switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                runTasks();
                yield true;
            }
            case NEED_WRAP -> {
                outbound.sendPending();
                yield true;
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                inbound.receiveHandshake();
                yield true;
            }
            case FINISHED, NOT_HANDSHAKING -> false;
        };
    }

    /** Begins a key update (TLS 1.3) or a renegotiation (TLS 1.2), whose answers the next read receives. */
    private void beginAnother() throws IOException {
        engine.beginHandshake(); // An engine that refuses a renegotiation leaves the connection as it is.
        try {
            outbound.sendPending();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw failed(e);
        }
    }

    /** Runs the engine's delegated tasks on this thread. */
    void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Receives one record of a renegotiation, for a writer that cannot send before it is complete. */
    void receiveHandshake() throws IOException {
        inbound.receiveHandshake();
    }

    /** Takes note of a handshake that was complete after an earlier one; a key update is none. */
    void note(SSLEngineResult result) {
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && phase == SocketPhase.ESTABLISHED && !isTls13()) {
            completed.run();
        }
    }

    private boolean isTls13() {
        return engine.getSession().getProtocol().equals(TLS_1_3);
    }

    // ---- data

    /** Returns the next byte of plaintext, or -1 at the end. */
    int read() throws IOException {
        if (!awaitReadable()) {
            return -1;
        }
        try {
            return inbound.read();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw failed(e);
        }
    }

    /** Reads at least one byte, or returns -1 at the end. */
    int read(byte[] target, int offset, int length) throws IOException {
        if (!awaitReadable()) {
            return -1;
        }
        try {
            return inbound.read(target, offset, length);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw failed(e);
        }
    }

    /** Returns the number of bytes that can be read without blocking. */
    int available() {
        return inbound.available();
    }

    /** Completes the handshake. Returns false at the end of the data. */
    private boolean awaitReadable() throws IOException {
        if (isAtEnd()) {
            return false;
        }
        ensureEstablished(OnTimeout.RESUMABLE);
        if (phase != SocketPhase.ESTABLISHED || inbound.state() == InboundState.CLOSED) {
            throw new SocketException("Connection or inbound has closed");
        }
        return true;
    }

    private boolean isAtEnd() throws SSLException {
        Throwable reason = failure;
        if (reason != null) {
            throw new SSLException("Connection has closed: " + reason, reason);
        }
        return inbound.state() != InboundState.OPEN;
    }

    /** Sends one byte. */
    void write(int value) throws IOException {
        awaitWritable();
        try {
            outbound.write(value);
        } catch (SSLException | RuntimeException e) {
            throw failed(e);
        }
    }

    /** Sends plaintext, and blocks until the transport has accepted it. */
    void write(byte[] source, int offset, int length) throws IOException {
        awaitWritable();
        try {
            outbound.write(source, offset, length);
        } catch (SSLException | RuntimeException e) {
            throw failed(e);
        }
    }

    private void awaitWritable() throws IOException {
        ensureEstablished(OnTimeout.RESUMABLE);
        if (phase != SocketPhase.ESTABLISHED || outbound.state() != OutboundState.OPEN) {
            throw new SocketException("Connection or outbound has closed");
        }
    }

    /** Sends what the engine answers to a record, at once when nothing can be received before. */
    void answer(boolean atOnce) throws SSLException {
        if (!atOnce) {
            outbound.answer();
            return;
        }
        try {
            outbound.sendPending();
        } catch (SSLException e) {
            throw e;
        } catch (IOException e) {
            throw new SSLException("the answer to a record was not sent", e);
        }
    }

    /** Ends the other direction, too, where the protocol wants it (RFC 5246 section 7.2.1). */
    void transportEnded() {
        if (!isTls13()) {
            outbound.tryClose();
        }
    }

    // ---- end

    /**
     * Ends the connection after a fatal error: sends the alert that the engine has for it, and closes the transport.
     *
     * @return the exception for the caller
     */
    private IOException failed(Exception cause) {
        if (isClosed()) {
            return failure == null ? closedMeanwhile(cause) : asReported(cause);
        }
        IOException reported = asReported(cause);
        if (lifecycle.compareAndSet(SocketLifecycle.OPEN, SocketLifecycle.CLOSING)) {
            failure = reported;
            phase = SocketPhase.FAILED;
            outbound.tryClose();
            inbound.close();
            closeTransport();
        }
        return reported;
    }

    private static IOException closedMeanwhile(Exception cause) {
        SocketException closed = new SocketException("Socket closed");
        closed.initCause(cause);
        return closed;
    }

    private static IOException asReported(Exception cause) {
        if (cause instanceof SSLException || cause instanceof SocketException) {
            return (IOException) cause;
        }
        return new SSLException(cause.getMessage(), cause);
    }

    /** Closes the direction from the peer. */
    void shutdownInput() throws IOException {
        if (isInputShutdown()) {
            return;
        }
        boolean truncating = inbound.state() == InboundState.OPEN
                && (phase == SocketPhase.HANDSHAKING || phase == SocketPhase.ESTABLISHED);
        inbound.close();
        if (ownership == Ownership.OWNED && !transport.isInputShutdown()) {
            transport.shutdownInput();
        }
        if (truncating) {
            throw new SSLException("closing inbound before receiving peer's close_notify");
        }
    }

    /** Sends close_notify, and closes the direction to the peer. */
    void shutdownOutput() throws IOException {
        if (isOutputShutdown()) {
            return;
        }
        outbound.close();
        if (ownership == Ownership.OWNED && !transport.isOutputShutdown()) {
            transport.shutdownOutput();
        }
    }

    boolean isInputShutdown() {
        return inbound.state() != InboundState.OPEN && (ownership == Ownership.BORROWED || transport.isInputShutdown());
    }

    boolean isOutputShutdown() {
        return outbound.state() == OutboundState.CLOSED
                && (ownership == Ownership.BORROWED || transport.isOutputShutdown());
    }

    /** Closes both directions, with close_notify, and the transport when it is owned. */
    void close() {
        if (!lifecycle.compareAndSet(SocketLifecycle.OPEN, SocketLifecycle.CLOSING)) {
            return;
        }
        try {
            if (outbound.closeWithin(writerWaitSeconds())) {
                awaitPeer();
            } else {
                engine.getSession().invalidate(); // The peer cannot tell the end of the data from a truncation.
            }
        } catch (IOException | RuntimeException e) {
            // The transport or the engine has failed: there is no peer to be told of the end.
        } finally {
            inbound.close();
            closeTransport();
        }
    }

    private int writerWaitSeconds() throws SocketException {
        int linger = transport.getSoLinger();
        return linger < 0 ? WRITER_WAIT_SECONDS : linger;
    }

    /** Waits for the answer to close_notify where the transport is used further, and TLS 1.2 obliges the peer to it. */
    private void awaitPeer() throws IOException {
        if (ownership == Ownership.BORROWED && phase == SocketPhase.ESTABLISHED && !isTls13()) {
            inbound.awaitEnd();
        }
    }

    private void closeTransport() {
        try (Socket closed = ownership == Ownership.OWNED ? transport : null) {
            if (closed != null && !closed.isOutputShutdown()) {
                closed.shutdownOutput();
                inbound.drain();
            }
        } catch (IOException | UnsupportedOperationException e) {
            // It was closed or reset already.
        } finally {
            lifecycle.set(SocketLifecycle.CLOSED);
            outbound.release();
            inbound.release();
        }
    }
}
