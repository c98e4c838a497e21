package dev.sluice.bench.load;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A connection of Sluice's net module, plain or TLS. Confined to the event loop's thread. */
final class SluiceStream implements Stream, ConnectionHandler, HandshakeHandler {
    private static final long HANDSHAKE_MILLIS_MAX = 20_000;

    private final SluiceDialer dialer;
    private final Handler handler;
    private @Nullable Connection connection;
    private @Nullable MemoryEngine engine;
    private int slot = -1;
    private boolean closing;
    private boolean over;

    SluiceStream(SluiceDialer dialer, Handler handler) {
        this.dialer = dialer;
        this.handler = handler;
    }

    /** Starts on a TCP connection without TLS. */
    void overPlain(TcpConnection tcp) {
        tcp.handler(this);
        open(tcp, false);
    }

    /** Starts the handshake on a TCP connection. The connection owns the engine; its session is kept for the slot. */
    void overTls(TcpConnection tcp, MemoryEngine newEngine, int newSlot) {
        engine = newEngine;
        slot = newSlot;
        tcp.startTls(newEngine, HANDSHAKE_MILLIS_MAX, this).handler(this);
    }

    @Override
    public void send(ByteBuffer payload) {
        Connection open = connection();
        for (int sent = 0; sent < payload.remaining(); ) {
            Slab slab = open.loop().buffers().lease();
            if (slab == null) {
                throw new IllegalStateException("no free send buffer; the load uses too many connections");
            }
            int length = Math.min(payload.remaining() - sent, BufferGeometry.PAYLOAD);
            slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + length);
            MemorySegment piece = MemorySegment.ofBuffer(payload).asSlice(sent, length);
            RawMemory.view(slab.payloadAddress(), length).copyFrom(piece);
            open.send(slab);
            sent += length;
        }
    }

    @Override
    public void close() {
        closing = true;
        keepSession();
        connection().shutdownOutput();
    }

    @Override
    public void onHandshake(TlsConnection tls, HandshakeInfo info) {
        open(tls, info.resumed());
        dialer.checkStep();
    }

    @Override
    public void onHandshakeFailed(TlsConnection tls, ConnectionFailure failure) {
        fail(failure.message());
    }

    @Override
    public void onReceived(Connection from, Slab buffer) {
        int count = buffer.length();
        buffer.release();
        handler.onReceived(this, count);
        dialer.checkStep();
    }

    @Override
    public void onEndOfStream(Connection from) {
        from.close();
    }

    @Override
    public void onSent(Connection to) {
        if (!closing && to.queuedBytes() == 0) {
            handler.onDrained(this);
            dialer.checkStep();
        }
    }

    /**
     * Handles a failure; some servers send only FIN, without close_notify, after the client's end, which is accepted
     * here.
     */
    @Override
    public void onFailed(Connection broken, ConnectionFailure failure) {
        if (!closing) {
            fail(failure.message());
        }
    }

    @Override
    public void onClosed(Connection closed) {
        if (!over) {
            over = true;
            handler.onEnd(this);
            dialer.checkStep();
        }
    }

    private void open(Connection opened, boolean resumed) {
        connection = opened;
        opened.startReceiving();
        handler.onOpen(this, resumed);
    }

    private void fail(String reason) {
        if (!over) {
            over = true;
            handler.onFailed(this, reason);
            dialer.checkStep();
        }
    }

    private void keepSession() {
        TlsSession session = engine == null || slot < 0 ? null : engine.session();
        if (session != null) {
            dialer.keep(slot, session);
        }
    }

    private Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("the stream is not open");
        }
        return connection;
    }
}
