package dev.sluice.net.internal.peer;

import dev.sluice.ffi.libc.InetText;
import dev.sluice.memory.Slab;
import dev.sluice.memory.SlabPool;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EventLoop;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.net.peer.BackPressure;
import dev.sluice.net.peer.ConnectionFacts;
import dev.sluice.net.peer.PeerLimits;
import dev.sluice.net.peer.ReceivedBytes;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.net.peer.WriteLimitException;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.HandshakeInfo;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a server or a client: from the handshake to its end.
 *
 * <pre>
 *   HANDSHAKE ──▶ OPEN ──▶ CLOSED
 *       └── failed, closed ──▶ ▲
 * </pre>
 */
public final class PeerConnection implements TlsPeer, HandshakeHandler, ConnectionHandler {
    private enum Phase {
        HANDSHAKE,
        OPEN,
        CLOSED
    }

    private final PeerLoop owner;
    private final EventLoop loop;
    private final PeerOwner opener;
    private final TcpConnection tcp;
    private final PeerDeadlines deadlines;
    private final DeliveredBytes view = new DeliveredBytes();
    private @Nullable TlsConnection tls;
    private @Nullable TlsHandler handler;
    private volatile @Nullable ConnectionFacts facts;
    private Phase phase = Phase.HANDSHAKE;
    private InputGate gate = InputGate.OPEN;

    /** True from the high-water mark on, until half of it has left. */
    private boolean congested;

    /** True from the drain of the server on. */
    private boolean draining;

    private PeerConnection(PeerLoop owner, TcpConnection tcp, PeerOwner opener) {
        this.owner = owner;
        this.loop = owner.eventLoop();
        this.opener = opener;
        this.tcp = tcp;
        this.deadlines = new PeerDeadlines(this, loop, owner.limits());
    }

    /**
     * Starts the handshake of a connection that was accepted or connected.
     *
     * @param engine fresh; the connection's from now on
     * @param handshakeMillis the time that the handshake may take
     */
    public static PeerConnection start(
            PeerLoop owner, TcpConnection tcp, BufferedEngine engine, long handshakeMillis, PeerOwner opener) {
        PeerConnection peer = new PeerConnection(owner, tcp, opener);
        TlsConnection started = tcp.startTls(engine, handshakeMillis, peer);
        started.handler(peer);
        peer.tls = started;
        owner.add(peer);
        return peer;
    }

    // --- the handshake ----------------------------------------------------------------------------------------------

    @Override
    public void onHandshake(TlsConnection connection, HandshakeInfo info) {
        phase = Phase.OPEN;
        facts = new ConnectionFacts(info);
        handler = opener.handlerOf(this);
        deadlines.start();
        handler.onOpen(this);
        applyGate();
        if (draining) {
            loop.execute(this::reportDrain);
        }
    }

    @Override
    public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
        opener.onHandshakeFailed(tcp.peerAddress(), failure);
    }

    // --- what the connection reports --------------------------------------------------------------------------------

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        deadlines.received();
        view.begin(buffer);
        try {
            handler().onReceived(this, view);
        } finally {
            view.end();
        }
    }

    @Override
    public void onEndOfStream(Connection connection) {
        handler().onEndOfStream(this);
    }

    @Override
    public void onSent(Connection connection) {
        deadlines.sent();
        if (congested && tls().queuedBytes() <= owner.limits().highWaterBytes() / 2) {
            congested = false;
            deadlines.drained();
            gate = gate.drained();
            applyGate();
            handler().onWritable(this);
        }
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        if (handler != null) {
            handler.onFailed(this, failure);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        phase = Phase.CLOSED;
        deadlines.stop();
        owner.remove(this);
        if (handler != null) {
            handler.onClosed(this);
        } else {
            opener.onClosedWithoutHandler();
        }
    }

    /** Reports that the server drains, in a task of its own; in a handshake when it is complete. */
    public void drain() {
        draining = true;
        if (phase == Phase.OPEN) {
            loop.execute(this::reportDrain);
        }
    }

    private void reportDrain() {
        if (phase == Phase.OPEN) {
            try {
                handler().onDrain(this);
            } catch (Throwable t) {
                tls().abort();
                throw t; // to the uncaught handler
            }
        }
    }

    /** Reports that a deadline has expired, then ends the connection. */
    void expired(ConnectionFailure failure, Runnable end) {
        if (phase == Phase.OPEN) {
            try {
                handler().onFailed(this, failure);
            } finally {
                end.run();
            }
        }
    }

    // --- what the handler does --------------------------------------------------------------------------------------

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public ConnectionFacts facts() {
        return Objects.requireNonNull(facts);
    }

    @Override
    public SocketAddress localAddress() {
        requireInLoop("localAddress");
        return tcp.localAddress();
    }

    @Override
    public SocketAddress remoteAddress() {
        return tcp.peerAddress();
    }

    @Override
    public void write(ReceivedBytes bytes) {
        requireInLoop("write");
        requireRoom(bytes.length());
        send(bytes.take());
    }

    @Override
    public void write(Slab buffer) {
        try {
            requireInLoop("write");
            requireRoom(buffer.length());
        } catch (IllegalStateException e) {
            if (loop.inLoop()) {
                buffer.release();
            }
            throw e;
        }
        send(buffer);
    }

    @Override
    public void write(byte[] bytes) {
        write(MemorySegment.ofArray(bytes));
    }

    @Override
    public void write(ByteBuffer bytes) {
        write(MemorySegment.ofBuffer(bytes));
        bytes.position(bytes.limit());
    }

    @Override
    public void write(MemorySegment bytes) {
        requireInLoop("write");
        long length = bytes.byteSize();
        requireRoom(length);
        requireBuffers(length);
        for (long at = 0; at < length; at += BufferGeometry.PAYLOAD) {
            int count = (int) Math.min(BufferGeometry.PAYLOAD, length - at);
            Slab buffer = Objects.requireNonNull(lease());
            MemorySegment.copy(bytes, at, buffer.segment(), buffer.end(), count);
            buffer.window(buffer.start(), buffer.end() + count);
            loop.statistics().add(Counter.BYTES_COPIED, count);
            send(buffer);
        }
    }

    private void send(Slab buffer) {
        tls().send(buffer);
        if (!congested && tls().queuedBytes() > owner.limits().highWaterBytes()) {
            congested = true;
            deadlines.congested();
            if (owner.limits().backPressure() == BackPressure.HOLD_BACK) {
                gate = gate.heldBack();
                applyGate();
            }
        }
    }

    private void requireRoom(long length) {
        PeerLimits limits = owner.limits();
        long queued = tls().queuedBytes();
        if (queued + length > limits.queuedBytesMax()) {
            throw new WriteLimitException(
                    "write of " + length + " bytes to " + InetText.of(remoteAddress()) + " rejected: " + queued
                            + " bytes are queued, and queuedBytesMax=" + limits.queuedBytesMax()
                            + "; write while isWritable(), continue in onWritable, or raise queuedBytesMax");
        }
    }

    private void requireBuffers(long length) {
        SlabPool pool = loop.buffers();
        long needed = (length + BufferGeometry.PAYLOAD - 1) / BufferGeometry.PAYLOAD;
        int free = pool.maxSlabs() - pool.leasedCount();
        if (needed > free) {
            throw new WriteLimitException(
                    "write of " + length + " bytes to " + InetText.of(remoteAddress()) + " rejected: it needs "
                            + needed + " buffers, and " + free + " of the loop's " + pool.maxSlabs()
                            + " are free; write less at a time, or raise buffersMax");
        }
    }

    @Override
    public @Nullable Slab lease() {
        requireInLoop("lease");
        Slab buffer = loop.buffers().lease();
        if (buffer != null) {
            buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM);
        }
        return buffer;
    }

    @Override
    public long queuedBytes() {
        requireInLoop("queuedBytes");
        return tls().queuedBytes();
    }

    @Override
    public boolean isWritable() {
        requireInLoop("isWritable");
        return phase == Phase.OPEN && !congested;
    }

    @Override
    public void pause() {
        requireInLoop("pause");
        gate = gate.paused();
        applyGate();
    }

    @Override
    public void resume() {
        requireInLoop("resume");
        gate = gate.resumed();
        applyGate();
    }

    private void applyGate() {
        if (phase != Phase.OPEN) {
            return;
        }
        if (gate == InputGate.OPEN) {
            tls().startReceiving();
        } else {
            tls().stopReceiving();
        }
    }

    @Override
    public void closeOutput() {
        requireInLoop("closeOutput");
        tls().shutdownOutput();
    }

    @Override
    public void close() {
        onLoop(tls()::close);
    }

    @Override
    public void abort() {
        onLoop(tls()::abort);
    }

    /** Runs an end on the loop; one that is closed has ended its connections. */
    private void onLoop(Runnable end) {
        if (loop.inLoop()) {
            end.run();
            return;
        }
        try {
            loop.execute(end);
        } catch (RejectedExecutionException closed) {
            // Nothing is left to end.
        }
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    private TlsConnection tls() {
        return Objects.requireNonNull(tls);
    }

    private TlsHandler handler() {
        return Objects.requireNonNull(handler);
    }

    private void requireInLoop(String call) {
        if (!loop.inLoop()) {
            throw new IllegalStateException(call + " belongs on the thread of the event loop " + loop.name()
                    + ", called on " + Thread.currentThread().getName() + "; wrap it in peer.execute()");
        }
    }

    @Override
    public String toString() {
        ConnectionFacts known = facts;
        return "TLS peer " + tcp.peerAddress() + ", " + (known == null ? phase : known);
    }
}
