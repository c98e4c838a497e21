package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.EarlyDataHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.internal.TlsStream.Phase;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.Detach;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.DirectRecords;
import dev.sluice.tls.engine.EarlyData;
import dev.sluice.tls.engine.EngineState;
import dev.sluice.tls.engine.EngineStatus;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.failure.TlsFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The way through an engine: the handshake, and all that follows for a connection that libssl keeps.
 *
 * <p>The kernel receives into the engine's memory and sends from it. Everything that moves bytes happens in
 * {@link #pump()}: it advances the handshake, delivers plaintext, encrypts what is queued, and keeps one receive and
 * one send going.
 */
final class EnginePath extends TlsPath {
    /** The phases of the peer's direction. */
    private enum Input {
        OPEN,
        /** The peer's FIN has come, and the engine was told; close_notify may stand before it. */
        FIN,
        /** The peer's close_notify was read. */
        CLOSED
    }

    /** The phases of the pump. */
    private enum Pump {
        IDLE,
        SCHEDULED,
        /** Another path moves the bytes. */
        DETACHED
    }

    private final Loop loop;
    private final BufferedEngine engine;

    private @Nullable HandshakeHandler handshakeHandler;

    /** Handler of early data; null where it is refused, and when the handshake is complete. */
    private @Nullable EarlyDataHandler early;

    /** True once that handler was told that early data was accepted. */
    private boolean earlyDataTold;

    private final SendQueue plaintext = new SendQueue();
    private final TcpConnection.TransferHandler onReceived = this::ciphertextReceived;
    private final TcpConnection.TransferHandler onSent = this::ciphertextSent;
    private final Runnable pump = this::pumpGuarded;

    private Pump pumping = Pump.IDLE;
    private Input input = Input.OPEN;

    /**
     * Creates an engine path.
     *
     * @param engine fresh; owned by the path from now on
     * @param handshakeHandler takes early data, too, when it is an {@link EarlyDataHandler}
     */
    EnginePath(
            TlsStream stream,
            StreamConnection tcp,
            Loop loop,
            BufferedEngine engine,
            HandshakeHandler handshakeHandler) {
        super(stream, tcp);
        this.loop = loop;
        this.engine = engine;
        this.handshakeHandler = FaultyHandlers.of(handshakeHandler);
        this.early = handshakeHandler instanceof EarlyDataHandler taker ? taker : null;
    }

    @Override
    @Nullable
    HandshakeHandler handshakeHandler() {
        return handshakeHandler;
    }

    @Override
    void startReceiving() {
        schedulePump();
    }

    @Override
    void stopReceiving() {
        // The pump asks before each delivery.
    }

    @Override
    void send(Slab buffer) {
        plaintext.add(buffer, false, loop.statistics());
        schedulePump();
    }

    @Override
    long queuedBytes() {
        return plaintext.bytes() + (stream.phase() == Phase.CLOSED ? 0 : engine.sendLength());
    }

    @Override
    void shutdownOutput() {
        schedulePump();
    }

    @Override
    void close() {
        if (engine.handshakeInfo() == null) {
            // There is nothing to encrypt with, and nothing to end.
            plaintext.clear();
            output = Output.CLOSED;
        }
        schedulePump();
    }

    @Override
    void release() {
        plaintext.clear();
        engine.close();
    }

    // --- the pump ---------------------------------------------------------------------------------------------------

    /**
     * Schedules the pump: the steps of a handshake wait until nobody else is ready, for they take as long as hundreds
     * of messages.
     */
    private void schedulePump() {
        if (pumping != Pump.IDLE || stream.phase().compareTo(Phase.ENDING) >= 0) {
            return;
        }
        pumping = Pump.SCHEDULED;
        if (stream.phase() == Phase.HANDSHAKE) {
            loop.executeLowPriority(pump);
        } else {
            loop.execute(pump);
        }
    }

    private void pumpGuarded() {
        if (pumping == Pump.DETACHED) {
            return;
        }
        pumping = Pump.IDLE;
        try {
            pump();
        } catch (Throwable t) {
            stream.threw("the TLS engine", t);
        }
    }

    private void pump() {
        if (stream.phase() == Phase.HANDSHAKE) {
            advanceHandshake();
        }
        if (pumping != Pump.DETACHED && stream.phase() == Phase.OPEN) {
            deliver();
            detachBetweenTransfers();
        }
        if (pumping == Pump.DETACHED) {
            return;
        }
        if (stream.phase() == Phase.OPEN || stream.phase() == Phase.CLOSING) {
            encrypt();
        } else if (early != null) {
            answerEarlyData();
        }
        sendCiphertext();
        receiveCiphertext();
    }

    private void advanceHandshake() {
        int status = early == null ? engine.handshake() : advanceWithEarlyData(early);
        if (status == EngineStatus.FAILED) {
            failed();
        } else if (status == EngineStatus.DONE) {
            HandshakeInfo info = Objects.requireNonNull(engine.handshakeInfo());
            HandshakeHandler toTell = Objects.requireNonNull(handshakeHandler);
            handshakeHandler = null;
            early = null;
            stream.established();
            if (engine instanceof DirectEngine direct && direct.detached() == Detach.DIRECT) {
                detach(direct);
            }
            stream.tellEstablished(toTell, info);
        }
    }

    /**
     * Continues when all that was written has left: so the connection, whose answers to early data may be under way,
     * can leave libssl when its handshake is complete.
     */
    private int advanceWithEarlyData(EarlyDataHandler taker) {
        while (stream.phase() == Phase.HANDSHAKE && engine.sendLength() == 0) {
            Slab buffer = loop.buffers().lease();
            if (buffer == null) {
                loop.whenBuffersAreFree(pump);
                return EngineStatus.WANT_READ;
            }
            int status = handshakeInto(buffer);
            tellEarlyDataOnce(taker);
            if (status <= 0 || stream.phase() != Phase.HANDSHAKE) {
                buffer.release();
                return stream.phase() == Phase.HANDSHAKE ? status : EngineStatus.WANT_READ;
            }
            buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + status);
            stream.deliverEarly(taker, buffer);
        }
        return EngineStatus.WANT_WRITE;
    }

    private int handshakeInto(Slab buffer) {
        try {
            return engine.handshake(buffer.address() + BufferGeometry.HEADROOM, BufferGeometry.PAYLOAD);
        } catch (Throwable t) {
            buffer.release();
            throw t;
        }
    }

    private void tellEarlyDataOnce(EarlyDataHandler taker) {
        EarlyData accepted = earlyDataTold ? null : engine.earlyData();
        if (accepted != null) {
            earlyDataTold = true;
            stream.tellEarlyDataAccepted(taker, accepted);
        }
    }

    /** Writes answers before the client's Finished, a ring at a time, so that the handshake has its turn in between. */
    private void answerEarlyData() {
        boolean mayWrite = engine.state() == EngineState.EARLY_DATA && engine.sendLength() == 0;
        if (mayWrite && !plaintext.isEmpty()) {
            encryptQueued();
        }
    }

    /**
     * Detaches behind a client's engine, which may do so in a read, when it has its session: as soon as the kernel has
     * none of its memory.
     */
    private void detachBetweenTransfers() {
        boolean between = !tcp.sendsLent() && !tcp.receivesLent();
        boolean open = stream.phase() == Phase.OPEN && output == Output.OPEN && input != Input.CLOSED;
        if (between && open && engine instanceof DirectEngine direct && direct.detached() == Detach.DIRECT) {
            detach(direct);
        }
    }

    /** Detaches: has a {@link RecordPath} continue, with what is under way in both directions. */
    private void detach(DirectEngine direct) {
        pumping = Pump.DETACHED;
        Handed handed = new Handed();
        DirectRecords records = direct.handOff(slab -> handed.unsent = slab, slab -> handed.unread = slab);
        RecordPath next = new RecordPath(stream, tcp, Objects.requireNonNull(records));
        stream.path(next);
        next.takeOver(handed.unsent, handed.unread, plaintext, input == Input.FIN);
    }

    /** The buffers that an engine gives away besides its records. */
    private static final class Handed {
        private @Nullable Slab unsent;
        private @Nullable Slab unread;
    }

    private void deliver() {
        while (mayRead()) {
            Slab buffer = loop.buffers().lease();
            if (buffer == null) {
                loop.whenBuffersAreFree(pump);
                return;
            }
            int status = readInto(buffer);
            if (status > 0) {
                buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + status);
                stream.deliver(buffer);
            } else {
                buffer.release();
                if (stream.isReceiving() || status == EngineStatus.FAILED) {
                    stopped(status);
                }
                return;
            }
        }
    }

    private int readInto(Slab buffer) {
        try {
            return engine.read(buffer.address() + BufferGeometry.HEADROOM, BufferGeometry.PAYLOAD);
        } catch (Throwable t) {
            buffer.release();
            throw t;
        }
    }

    /**
     * Returns true when the engine may be read. Behind FIN there may be a truncation, which is reported though nobody
     * receives.
     */
    private boolean mayRead() {
        return switch (input) {
            case OPEN -> stream.isReceiving();
            case FIN -> stream.isReceiving() || (stream.phase() == Phase.OPEN && !engine.hasPendingPlaintext());
            case CLOSED -> false;
        };
    }

    private void stopped(int status) {
        if (status == EngineStatus.FAILED) {
            failed();
        } else if (status == EngineStatus.CLOSED) {
            input = Input.CLOSED;
            stream.deliverEnd();
        }
    }

    private void encrypt() {
        if (encryptQueued() && output == Output.ENDING) {
            int status = engine.closeOutput();
            if (status == EngineStatus.DONE) {
                output = Output.CLOSED;
            } else if (status == EngineStatus.FAILED) {
                failed();
            }
        }
    }

    /** Encrypts what is queued; returns true when all was taken. */
    private boolean encryptQueued() {
        while (!plaintext.isEmpty()) {
            Slab head = plaintext.head();
            int status = engine.write(head.payloadAddress(), head.length());
            if (status <= 0) {
                if (status == EngineStatus.FAILED) {
                    failed();
                }
                return false;
            }
            plaintext.consume(status);
        }
        return true;
    }

    /** Reports the failure, and lets the alert leave. */
    private void failed() {
        TlsFailure failure = Objects.requireNonNull(engine.failure());
        plaintext.clear();
        stream.failed(failure);
        schedulePump();
    }

    private void sendCiphertext() {
        if (tcp.sendsLent() || stream.phase().compareTo(Phase.ENDING) >= 0) {
            return;
        }
        // After FIN nothing can leave, not even the alert of a failure.
        int length = output == Output.SHUT ? 0 : engine.sendLength();
        if (length > 0) {
            tcp.sendFrom(engine.sendAddress(), length, onSent);
        } else {
            allSent();
        }
    }

    /** Does what was to follow the last byte, now that nothing waits in the engine. */
    private void allSent() {
        Phase phase = stream.phase();
        boolean closed = output == Output.CLOSED || output == Output.SHUT;
        if (phase == Phase.FAILING || (phase == Phase.CLOSING && closed)) {
            stream.end();
        } else if (phase == Phase.OPEN && closed) {
            if (input == Input.CLOSED) {
                stream.end();
            } else if (output == Output.CLOSED) {
                output = Output.SHUT;
                tcp.shutdownOutput();
            }
        }
    }

    private void ciphertextSent(int count) {
        engine.sent(count);
        boolean wasOpen = stream.phase() == Phase.OPEN;
        if (wasOpen) {
            encrypt();
            stream.deliverSent();
        }
        pump();
        if (early != null) {
            stream.deliverSent();
        }
    }

    private void receiveCiphertext() {
        boolean wanted = input == Input.OPEN && (stream.phase() == Phase.HANDSHAKE || stream.isReceiving());
        // What takes early data goes on only when all has left, and detaches from libssl only when no memory is lent.
        boolean sendsFirst = early != null && engine.sendLength() > 0;
        if (!wanted || tcp.receivesLent() || sendsFirst) {
            return;
        }
        int capacity = engine.receiveCapacity();
        if (capacity > 0) {
            tcp.receiveInto(engine.receiveAddress(), capacity, onReceived);
        }
    }

    private void ciphertextReceived(int count) {
        if (count == 0) {
            finReceived();
        } else {
            engine.received(count);
        }
        if (stream.phase() == Phase.HANDSHAKE) {
            schedulePump();
        } else {
            pump();
        }
    }

    // --- what the socket tells, besides transfers ------------------------------------------------------------

    /** Takes a buffer that was under way before TLS began: its bytes are the first of the stream. */
    @Override
    public void onReceived(Connection connection, Slab buffer) {
        try {
            take(buffer);
        } finally {
            buffer.release();
        }
        // One that is asked for would overwrite these bytes: the pump asks again, for the room behind them.
        tcp.withdrawReceive();
        schedulePump();
    }

    private void take(Slab buffer) {
        int length = buffer.length();
        if (length > engine.receiveCapacity()) {
            throw new IllegalStateException(
                    length + " bytes came late and the TLS engine has no room, peer=" + tcp.peerAddress());
        }
        Copies.copy(loop.statistics(), buffer.payloadAddress(), engine.receiveAddress(), length);
        engine.received(length);
    }

    @Override
    public void onEndOfStream(Connection connection) {
        onPeerEnded();
    }

    @Override
    void onPeerEnded() {
        finReceived();
        schedulePump();
    }

    private void finReceived() {
        if (input == Input.OPEN) {
            input = Input.FIN;
        }
        engine.receivedEndOfStream();
    }

    @Override
    public void onSent(Connection connection) {
        // Only sends from lent memory are used, which tell by themselves.
    }
}
