package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.EarlyDataHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.engine.BufferedEngine;
import dev.sluice.tls.engine.EarlyData;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.KernelHandover;
import dev.sluice.tls.failure.TlsFailure;
import java.util.Objects;
import java.util.function.Consumer;
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
 * This class knows where the connection stands, and tells the handler. Its {@link TlsPath} moves the bytes: an
 * {@link EnginePath} at first, a {@link RecordPath} from the moment when the engine has detached from libssl. In ENDING
 * the connection underneath closes; CLOSED is reached once, when it has, because until then the kernel may write to the
 * path's memory.
 */
final class TlsStream implements TlsConnection {
    /** The phases of a connection. */
    enum Phase {
        HANDSHAKE,
        OPEN,
        CLOSING,
        FAILING,
        ENDING,
        CLOSED
    }

    private final StreamConnection tcp;
    private TlsPath path;
    private ConnectionHandler handler = NoHandler.INSTANCE;
    private Phase phase = Phase.HANDSHAKE;
    private @Nullable Timer timer;
    /** True while the handler wants what arrives, in whatever phase. */
    private boolean receiving;

    private TlsStream(StreamConnection tcp, BufferedEngine engine, HandshakeHandler handshakeHandler) {
        this.tcp = tcp;
        this.path = new EnginePath(this, tcp, loop(), engine, handshakeHandler);
    }

    /** Starts TLS: see {@link TcpConnection#startTls}. */
    static TlsStream start(
            StreamConnection tcp,
            BufferedEngine engine,
            long handshakeTimeoutMillis,
            HandshakeHandler handshakeHandler) {
        TlsStream stream = new TlsStream(tcp, engine, handshakeHandler);
        tcp.handler(stream.path); // whatever fails from here on, the end of the connection frees the engine
        try {
            stream.restartTimer(handshakeTimeoutMillis, () -> stream.handshakeTimedOut(handshakeTimeoutMillis));
            stream.path.startReceiving();
        } catch (Throwable t) {
            stream.loop().execute(() -> stream.threw("the start of TLS", t));
        }
        return stream;
    }

    /** Takes bytes that came before TLS began, which are the first of its stream. */
    void begin(Slab firstBytes) {
        try {
            path.onReceived(tcp, firstBytes);
        } catch (Throwable t) {
            loop().execute(() -> threw("the start of TLS", t));
        }
    }

    // --- what users call --------------------------------------------------------------------------------------------

    @Override
    public TcpConnection transport() {
        return tcp;
    }

    @Override
    public Loop loop() {
        return (Loop) tcp.loop();
    }

    @Override
    public void handler(ConnectionHandler newHandler) {
        handler = FaultyHandlers.of(newHandler);
    }

    @Override
    public void startReceiving() {
        if (!receiving) {
            receiving = true;
            path.startReceiving();
        }
    }

    @Override
    public void stopReceiving() {
        if (receiving) {
            receiving = false;
            path.stopReceiving();
        }
    }

    @Override
    public void send(Slab buffer) {
        boolean alive = isAlive();
        if (alive && path.output == TlsPath.Output.OPEN) {
            loop().custody().sent(buffer);
            path.send(buffer);
            return;
        }
        buffer.release();
        if (alive) {
            throw new IllegalStateException("send after shutdownOutput, peer=" + tcp.peerAddress());
        }
    }

    @Override
    public long queuedBytes() {
        return path.queuedBytes();
    }

    @Override
    public void shutdownOutput() {
        if (isAlive() && path.output == TlsPath.Output.OPEN) {
            path.endOutput();
            path.shutdownOutput();
        }
    }

    @Override
    public void close() {
        if (isAlive()) {
            phase = Phase.CLOSING;
            stopReceiving();
            path.endOutput();
            restartTimer(loop().config().closeTimeoutMillis(), this::abort);
            path.close();
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

    @Override
    public void handToKernel(Consumer<KernelHandover> outcome) {
        path.handToKernel(outcome);
    }

    private boolean isAlive() {
        return phase == Phase.HANDSHAKE || phase == Phase.OPEN;
    }

    // --- what the path asks and tells -------------------------------------------------------------------------------

    Phase phase() {
        return phase;
    }

    /** Returns true when the handler is to be given what arrives. */
    boolean isReceiving() {
        return receiving && phase == Phase.OPEN;
    }

    /** Notes that the handshake is complete. */
    void established() {
        phase = Phase.OPEN;
        cancelTimer();
    }

    /** Has another path go on where this one stands. */
    void path(TlsPath newPath) {
        newPath.output = path.output;
        path = newPath;
        tcp.handler(newPath);
    }

    /** Reports that the handshake is complete. */
    void tellEstablished(HandshakeHandler toTell, HandshakeInfo info) {
        try {
            toTell.onHandshake(this, info);
        } catch (Throwable t) {
            threw("onHandshake", t);
        }
        if (phase == Phase.OPEN && handler == NoHandler.INSTANCE) {
            threw(
                    "onHandshake",
                    new IllegalStateException("no ConnectionHandler was set in onHandshake for " + tcp.peerAddress()));
        }
    }

    /** Reports that early data was accepted. */
    void tellEarlyDataAccepted(EarlyDataHandler taker, EarlyData early) {
        try {
            taker.onEarlyDataAccepted(this, early);
        } catch (Throwable t) {
            threw("onEarlyDataAccepted", t);
        }
    }

    /** Gives a slab of early data to its handler. */
    void deliverEarly(EarlyDataHandler taker, Slab buffer) {
        loop().custody().delivering(buffer);
        try {
            taker.onEarlyData(this, buffer);
        } catch (Throwable t) {
            loop().custody().takeBack();
            threw("onEarlyData", t);
        }
    }

    /** Gives a slab of plaintext to the handler. */
    void deliver(Slab buffer) {
        loop().custody().delivering(buffer);
        try {
            handler.onReceived(this, buffer);
        } catch (Throwable t) {
            loop().custody().takeBack();
            threw("onReceived", t);
        }
    }

    /** Reports that the peer has sent close_notify. */
    void deliverEnd() {
        try {
            handler.onEndOfStream(this);
        } catch (Throwable t) {
            threw("onEndOfStream", t);
        }
    }

    /** Reports that some of what was queued has left; in the handshake that is an answer to early data. */
    void deliverSent() {
        if (phase == Phase.OPEN || phase == Phase.HANDSHAKE) {
            try {
                handler.onSent(this);
            } catch (Throwable t) {
                threw("onSent", t);
            }
        }
    }

    /** Reports that the protocol has failed. The path lets its alert leave, then calls {@link #end()}. */
    void failed(TlsFailure failure) {
        Phase before = phase;
        phase = Phase.FAILING;
        restartTimer(loop().config().closeTimeoutMillis(), this::abort);
        if (before != Phase.CLOSING) {
            tellFailed(
                    before == Phase.HANDSHAKE,
                    new ConnectionFailure(
                            failure.reason(), Failures.text(tcp.peerAddress()) + ": " + failure.message()));
        }
    }

    /** Closes the connection underneath in order, which ends within the time that is allowed for that. */
    void end() {
        if (phase.compareTo(Phase.ENDING) < 0) {
            phase = Phase.ENDING;
            cancelTimer();
            tcp.close();
        }
    }

    /** Ends the connection at once because code threw, its handler's or our own: reports it, and tells the handler. */
    void threw(String where, Throwable thrown) {
        loop().report(where, thrown);
        lost(Failures.internal(tcp.peerAddress(), where));
        tcp.abort();
    }

    // --- ending -----------------------------------------------------------------------------------------------------

    private void handshakeTimedOut(long limitMillis) {
        if (phase == Phase.HANDSHAKE) {
            timer = null;
            lost(Failures.handshakeTimeout(tcp.peerAddress(), limitMillis));
            tcp.abort();
        }
    }

    /** Ends without more that could be sent. */
    void lost(ConnectionFailure failure) {
        boolean inHandshake = phase == Phase.HANDSHAKE;
        boolean telling = isAlive();
        if (phase.compareTo(Phase.ENDING) < 0) {
            phase = Phase.ENDING;
            cancelTimer();
        }
        if (telling) {
            tellFailed(inHandshake, failure);
        }
    }

    private void tellFailed(boolean inHandshake, ConnectionFailure failure) {
        try {
            if (inHandshake) {
                Objects.requireNonNull(path.handshakeHandler()).onHandshakeFailed(this, failure);
            } else {
                handler.onFailed(this, failure);
            }
        } catch (Throwable t) {
            threw(inHandshake ? "onHandshakeFailed" : "onFailed", t);
        }
    }

    private void restartTimer(long delayMillis, Runnable task) {
        cancelTimer();
        timer = loop().schedule(delayMillis, task);
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

    /** Ends the stream, now that nothing of the connection underneath is left. */
    void closed() {
        phase = Phase.CLOSED;
        cancelTimer();
        try {
            handler.onClosed(this);
        } catch (Throwable t) {
            loop().report("onClosed", t);
        }
    }
}
