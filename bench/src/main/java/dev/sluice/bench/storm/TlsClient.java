package dev.sluice.bench.storm;

import dev.sluice.bench.load.BackendProtocol;
import dev.sluice.memory.Slab;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.engine.HandshakeInfo;
import dev.sluice.tls.engine.MemoryEngine;
import dev.sluice.tls.engine.TlsSession;
import org.jspecify.annotations.Nullable;

/**
 * One TLS connection through the server to the backend's echo: handshake, then a first round trip, after which it is
 * ready. Confined to the loop's thread.
 */
final class TlsClient implements ConnectHandler, HandshakeHandler, ConnectionHandler {
    private static final long HANDSHAKE_MILLIS_MAX = 5_000;

    private final Clients clients;
    private final @Nullable TlsSession offered;
    private final int messageBytes;
    private final Owner owner;
    private @Nullable TcpConnection tcp;
    private @Nullable Connection connection;
    private @Nullable MemoryEngine engine;
    private boolean resumed;
    private boolean ready;
    private boolean over;
    private int arrived;

    /** A listener for its events. */
    interface Owner {
        /** Handles the first echoed message. */
        void onReady(TlsClient client);

        /** Handles another echoed message. */
        void onMessage(TlsClient client);

        /** Handles the end: refused, failed, or ended by the server. Not called after {@link #abort()}. */
        void onOver(TlsClient client, String why);
    }

    /**
     * Creates an instance.
     *
     * @param offered a session, which the caller keeps; null for a full handshake
     */
    TlsClient(Clients clients, @Nullable TlsSession offered, int messageBytes, Owner owner) {
        this.clients = clients;
        this.offered = offered;
        this.messageBytes = messageBytes;
        this.owner = owner;
    }

    public void connect(int port) {
        clients.connect(port, this);
    }

    boolean isResumed() {
        return resumed;
    }

    boolean isReady() {
        return ready;
    }

    /** Returns the session sent by the server; the caller closes it. */
    @Nullable
    TlsSession session() {
        return engine == null ? null : engine.session();
    }

    void send(byte[] message) {
        if (!over && connection != null) {
            clients.send(connection, message);
        }
    }

    /** Ends the connection with a reset, so that no port stays in TIME_WAIT. */
    void abort() {
        over = true;
        if (connection != null) {
            connection.abort();
        } else if (tcp != null) {
            tcp.abort();
        }
    }

    @Override
    public void onConnected(TcpConnection connected) {
        tcp = connected;
        if (over) {
            connected.handler(this);
            connected.abort();
            return;
        }
        engine = clients.engine(offered);
        TlsConnection tls = connected.startTls(engine, HANDSHAKE_MILLIS_MAX, this);
        tls.handler(this);
        connection = tls;
    }

    @Override
    public void onConnectFailed(ConnectionFailure failure) {
        end(failure.message());
    }

    @Override
    public void onHandshake(TlsConnection tls, HandshakeInfo info) {
        resumed = info.resumed();
        tls.startReceiving();
        clients.send(tls, BackendProtocol.echoHeader(messageBytes));
    }

    @Override
    public void onHandshakeFailed(TlsConnection tls, ConnectionFailure failure) {
        end(failure.message());
    }

    @Override
    public void onReceived(Connection from, Slab buffer) {
        arrived += buffer.length();
        buffer.release();
        for (; arrived >= messageBytes; arrived -= messageBytes) {
            if (ready) {
                owner.onMessage(this);
            } else {
                ready = true;
                owner.onReady(this);
            }
        }
    }

    @Override
    public void onSent(Connection to) {}

    @Override
    public void onEndOfStream(Connection from) {
        from.abort();
    }

    @Override
    public void onFailed(Connection broken, ConnectionFailure failure) {
        end(failure.message());
    }

    @Override
    public void onClosed(Connection closed) {
        end("the server ended the connection");
    }

    private void end(String why) {
        if (!over) {
            over = true;
            owner.onOver(this, why);
        }
    }
}
