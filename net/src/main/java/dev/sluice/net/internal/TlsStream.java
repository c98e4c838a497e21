package dev.sluice.net.internal;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.EngineStatus;
import dev.sluice.tls.HandshakeInfo;
import dev.sluice.tls.MemoryEngine;
import dev.sluice.tls.TlsFailure;
import dev.sluice.tls.TlsFailure.Fault;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * TLS between a {@link TcpConnection} and a {@link ConnectionHandler}.
 *
 * <pre>
 *   HANDSHAKE ──▶ OPEN ──close()──▶ CLOSING ──all sent──▶ ENDING ──▶ CLOSED
 *       │           └── failure ──▶ FAILING ──alert sent──▶ ▲
 *       └──────────── failure ──────▶ ▲                     │
 *                        abort(), connection lost ──────────┘
 * </pre>
 *
 * Everything that moves bytes happens in {@link #pump()}, which runs on its own and never inside a call of the user: it
 * advances the handshake, delivers plaintext, encrypts what is queued, and keeps one receive and one send going. In ENDING
 * the connection underneath closes; CLOSED is reached once, when it has, because until then the kernel may write to the
 * engine's memory.
 */
public final class TlsStream implements TlsConnection {
    private enum Phase {
        HANDSHAKE,
        OPEN,
        CLOSING,
        FAILING,
        ENDING,
        CLOSED
    }

    private final TcpConnection tcp;
    private final MemoryEngine engine;
    private final Loop loop;
    private final HandshakeHandler handshakeHandler;
    private final SendQueue plaintext = new SendQueue();
    private final TcpConnection.DirectHandler onReceived = this::ciphertextReceived;
    private final TcpConnection.DirectHandler onSent = this::ciphertextSent;
    private final Runnable pump = this::pumpGuarded;
    private ConnectionHandler handler = NoHandler.INSTANCE;
    private Phase phase = Phase.HANDSHAKE;
    private @Nullable Timer timer;

    private boolean pumpScheduled;
    private boolean receiveArmed;
    private boolean sendArmed;
    private boolean receiving;
    private boolean endOfStream;
    private boolean shutdownWanted;
    private boolean closeNotifySent;
    private boolean outputShut;

    private TlsStream(TcpConnection tcp, MemoryEngine engine, HandshakeHandler handshakeHandler) {
        this.tcp = tcp;
        this.engine = engine;
        this.loop = (Loop) tcp.loop();
        this.handshakeHandler = handshakeHandler;
    }

    /** See {@link TlsConnection#start}. */
    public static TlsStream start(
            TcpConnection tcp, MemoryEngine engine, long handshakeTimeoutMillis, HandshakeHandler handshakeHandler) {
        TlsStream stream = new TlsStream(tcp, engine, handshakeHandler);
        stream.timer =
                stream.loop.schedule(handshakeTimeoutMillis, () -> stream.handshakeTimedOut(handshakeTimeoutMillis));
        tcp.handler(stream.new Underneath());
        stream.schedulePump();
        return stream;
    }

    // --- what users call --------------------------------------------------------------------------------------------

    @Override
    public TcpConnection transport() {
        return tcp;
    }

    @Override
    public @Nullable HandshakeInfo handshakeInfo() {
        return engine.handshakeInfo();
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public void handler(ConnectionHandler newHandler) {
        handler = newHandler;
    }

    @Override
    public void startReceiving() {
        if (!receiving) {
            receiving = true;
            schedulePump();
        }
    }

    @Override
    public void stopReceiving() {
        receiving = false;
    }

    @Override
    public void send(Slab buffer) {
        boolean alive = phase == Phase.HANDSHAKE || phase == Phase.OPEN;
        if (alive && !shutdownWanted) {
            loop.custody().sent(buffer);
            plaintext.add(buffer, false);
            schedulePump();
            return;
        }
        buffer.release();
        if (alive) {
            throw new IllegalStateException("send after shutdownOutput, peer=" + tcp.peerAddress());
        }
    }

    @Override
    public long queuedBytes() {
        return plaintext.bytes() + (phase == Phase.CLOSED ? 0 : engine.sendLength());
    }

    @Override
    public void shutdownOutput() {
        if (!shutdownWanted) {
            shutdownWanted = true;
            schedulePump();
        }
    }

    @Override
    public void close() {
        if (phase == Phase.HANDSHAKE || phase == Phase.OPEN) {
            boolean established = phase == Phase.OPEN;
            phase = Phase.CLOSING;
            receiving = false;
            shutdownWanted = true;
            if (!established) {
                // There is nothing to encrypt with, and nothing to end.
                plaintext.clear();
                closeNotifySent = true;
            }
            restartTimer(loop.config().closeTimeoutMillis(), this::abort);
            schedulePump();
        }
    }

    @Override
    public void abort() {
        if (phase.compareTo(Phase.ENDING) < 0) {
            phase = Phase.ENDING;
            cancelTimer();
        }
        tcp.abort();
    }

    // --- the pump ---------------------------------------------------------------------------------------------------

    private void schedulePump() {
        if (!pumpScheduled && phase.compareTo(Phase.ENDING) < 0) {
            pumpScheduled = true;
            loop.execute(pump);
        }
    }

    private void pumpGuarded() {
        pumpScheduled = false;
        try {
            pump();
        } catch (Throwable t) {
            handlerThrew("the TLS connection itself", t);
        }
    }

    private void pump() {
        if (phase == Phase.HANDSHAKE) {
            advanceHandshake();
        }
        if (phase == Phase.OPEN) {
            deliver();
        }
        if (phase == Phase.OPEN || phase == Phase.CLOSING) {
            encrypt();
        }
        sendCiphertext();
        receiveCiphertext();
    }

    private void advanceHandshake() {
        int status = engine.handshake();
        if (status == EngineStatus.FAILED) {
            failed();
        } else if (status == EngineStatus.DONE) {
            phase = Phase.OPEN;
            cancelTimer();
            try {
                handshakeHandler.onHandshake(this, Objects.requireNonNull(engine.handshakeInfo()));
            } catch (Throwable t) {
                handlerThrew("onHandshake", t);
            }
            requireHandler();
        }
    }

    private void requireHandler() {
        if (phase == Phase.OPEN && handler == NoHandler.INSTANCE) {
            handlerThrew(
                    "onHandshake",
                    new IllegalStateException("no ConnectionHandler was set in onHandshake for " + tcp.peerAddress()));
        }
    }

    private void deliver() {
        while (receiving && !endOfStream && phase == Phase.OPEN) {
            Slab buffer = loop.buffers().lease();
            if (buffer == null) {
                loop.whenBuffersAreFree(pump);
                return;
            }
            int status = engine.read(buffer.address() + BufferGeometry.HEADROOM, BufferGeometry.PAYLOAD);
            if (status > 0) {
                buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + status);
                deliverBuffer(buffer);
            } else {
                buffer.release();
                stopped(status);
                return;
            }
        }
    }

    private void stopped(int status) {
        if (status == EngineStatus.FAILED) {
            failed();
        } else if (status == EngineStatus.CLOSED) {
            endOfStream = true;
            try {
                handler.onEndOfStream(this);
            } catch (Throwable t) {
                handlerThrew("onEndOfStream", t);
            }
        }
    }

    private void deliverBuffer(Slab buffer) {
        loop.custody().delivering(buffer);
        try {
            handler.onReceived(this, buffer);
        } catch (Throwable t) {
            loop.custody().takeBack();
            handlerThrew("onReceived", t);
        }
    }

    private void encrypt() {
        while (!plaintext.isEmpty()) {
            Slab head = plaintext.head();
            int status = engine.write(head.payloadAddress(), head.length());
            if (status <= 0) {
                if (status == EngineStatus.FAILED) {
                    failed();
                }
                return;
            }
            plaintext.consume(status);
        }
        if (shutdownWanted && !closeNotifySent) {
            int status = engine.closeOutput();
            closeNotifySent = status == EngineStatus.DONE;
            if (status == EngineStatus.FAILED) {
                failed();
            }
        }
    }

    private void sendCiphertext() {
        if (sendArmed || phase.compareTo(Phase.ENDING) >= 0) {
            return;
        }
        // After FIN nothing can leave, not even the alert of a failure.
        int length = outputShut ? 0 : engine.sendLength();
        if (length > 0) {
            sendArmed = true;
            tcp.sendDirect(engine.sendAddress(), length, onSent);
        } else {
            allSent();
        }
    }

    /** Nothing waits in the engine: what was to come after the last byte comes now. */
    private void allSent() {
        boolean outputDone = closeNotifySent && plaintext.isEmpty();
        if (phase == Phase.FAILING || (phase == Phase.CLOSING && outputDone)) {
            end();
        } else if (phase == Phase.OPEN && outputDone) {
            if (endOfStream) {
                end();
            } else {
                outputShut = true;
                tcp.shutdownOutput();
            }
        }
    }

    private void ciphertextSent(int count) {
        sendArmed = false;
        engine.sent(count);
        boolean wasOpen = phase == Phase.OPEN;
        if (wasOpen) {
            encrypt();
        }
        if (wasOpen && phase == Phase.OPEN) {
            try {
                handler.onSent(this);
            } catch (Throwable t) {
                handlerThrew("onSent", t);
            }
        }
        pump();
    }

    private void receiveCiphertext() {
        boolean wanted = phase == Phase.HANDSHAKE || (phase == Phase.OPEN && receiving && !endOfStream);
        if (!wanted || receiveArmed) {
            return;
        }
        int capacity = engine.receiveCapacity();
        if (capacity > 0) {
            receiveArmed = true;
            tcp.receiveDirect(engine.receiveAddress(), capacity, onReceived);
        }
    }

    private void ciphertextReceived(int count) {
        receiveArmed = false;
        if (count == 0) {
            engine.receivedEndOfStream();
        } else {
            engine.received(count);
        }
        pump();
    }

    // --- ending -----------------------------------------------------------------------------------------------------

    private void handshakeTimedOut(long limitMillis) {
        if (phase == Phase.HANDSHAKE) {
            phase = Phase.ENDING;
            timer = null;
            tellFailed(
                    true,
                    new ConnectionFailure(
                            Fault.PEER_MISBEHAVED,
                            "handshake_timeout",
                            Failures.text(tcp.peerAddress()) + " did not complete the TLS handshake within "
                                    + limitMillis + " ms"));
            tcp.abort();
        }
    }

    /** The engine has failed: tells, and lets its alert leave. */
    private void failed() {
        TlsFailure failure = Objects.requireNonNull(engine.failure());
        boolean inHandshake = phase == Phase.HANDSHAKE;
        boolean closing = phase == Phase.CLOSING;
        phase = Phase.FAILING;
        restartTimer(loop.config().closeTimeoutMillis(), this::abort);
        plaintext.clear();
        if (!closing) {
            tellFailed(
                    inHandshake,
                    new ConnectionFailure(
                            failure.fault(),
                            failure.reason(),
                            Failures.text(tcp.peerAddress()) + ": " + failure.message()));
        }
        schedulePump();
    }

    private void tellFailed(boolean inHandshake, ConnectionFailure failure) {
        try {
            if (inHandshake) {
                handshakeHandler.onHandshakeFailed(this, failure);
            } else {
                handler.onFailed(this, failure);
            }
        } catch (Throwable t) {
            handlerThrew(inHandshake ? "onHandshakeFailed" : "onFailed", t);
        }
    }

    /** Closes the connection underneath in order, which ends within the time that is allowed for that. */
    private void end() {
        if (phase.compareTo(Phase.ENDING) < 0) {
            phase = Phase.ENDING;
            cancelTimer();
            tcp.close();
        }
    }

    private void handlerThrew(String where, Throwable thrown) {
        loop.report(where, thrown);
        abort();
    }

    private void restartTimer(long delayMillis, Runnable task) {
        cancelTimer();
        timer = loop.schedule(delayMillis, task);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    @Override
    public String toString() {
        return "TLS connection with " + tcp.peerAddress() + ", " + phase;
    }

    /** What the TCP connection tells. */
    private final class Underneath implements ConnectionHandler {
        /** A buffer that was under way before TLS began: its bytes are the first of the stream. */
        @Override
        public void onReceived(Connection connection, Slab buffer) {
            int length = buffer.length();
            if (length <= engine.receiveCapacity()) {
                RawMemory.copy(buffer.payloadAddress(), engine.receiveAddress(), length);
                engine.received(length);
                buffer.release();
                schedulePump();
            } else {
                buffer.release();
                onFailed(
                        connection,
                        new ConnectionFailure(
                                Fault.OURS, "late_buffer", length + " bytes came late and the TLS engine has no room"));
                tcp.abort();
            }
        }

        @Override
        public void onEndOfStream(Connection connection) {
            engine.receivedEndOfStream();
            schedulePump();
        }

        @Override
        public void onSent(Connection connection) {
            // Only direct sends are used, which tell by themselves.
        }

        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {
            boolean inHandshake = phase == Phase.HANDSHAKE;
            boolean telling = inHandshake || phase == Phase.OPEN;
            if (phase.compareTo(Phase.ENDING) < 0) {
                phase = Phase.ENDING;
                cancelTimer();
            }
            if (telling) {
                tellFailed(inHandshake, failure);
            }
        }

        @Override
        public void onClosed(Connection connection) {
            phase = Phase.CLOSED;
            cancelTimer();
            plaintext.clear();
            engine.close();
            try {
                handler.onClosed(TlsStream.this);
            } catch (Throwable t) {
                loop.report("onClosed", t);
            }
        }
    }
}
