package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.HandshakeHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.TlsConnection;
import dev.sluice.tls.engine.HandshakeInfo;

/**
 * Handlers that throw where a test lets them: see {@link FaultPoint#HANDLER}. While nothing of that kind is armed, they
 * are the handlers themselves.
 *
 * <p>They throw in place of what they were called for, but behind {@code onClosed} and {@code onConnectFailed}: nobody
 * can make up for a handler that never heard of the end.
 */
final class FaultyHandlers {
    private FaultyHandlers() {}

    /**
     * Wraps a handler. A {@link TlsPath} stays what it is: it is the connection's own part, which is known by its type.
     */
    static ConnectionHandler of(ConnectionHandler handler) {
        return FaultPoint.HANDLER.isArmed() && !(handler instanceof TlsPath) ? new OfConnection(handler) : handler;
    }

    static HandshakeHandler of(HandshakeHandler handler) {
        return FaultPoint.HANDLER.isArmed() ? new OfHandshake(handler) : handler;
    }

    static ConnectHandler of(ConnectHandler handler) {
        return FaultPoint.HANDLER.isArmed() ? new OfConnect(handler) : handler;
    }

    static TcpConnection.TransferHandler of(TcpConnection.TransferHandler handler) {
        return FaultPoint.HANDLER.isArmed() ? new OfTransfer(handler) : handler;
    }

    private record OfConnection(ConnectionHandler handler) implements ConnectionHandler {
        @Override
        public void onReceived(Connection connection, Slab buffer) {
            FaultPoint.HANDLER.reach();
            handler.onReceived(connection, buffer);
        }

        @Override
        public void onEndOfStream(Connection connection) {
            FaultPoint.HANDLER.reach();
            handler.onEndOfStream(connection);
        }

        @Override
        public void onSent(Connection connection) {
            FaultPoint.HANDLER.reach();
            handler.onSent(connection);
        }

        @Override
        public void onFailed(Connection connection, ConnectionFailure failure) {
            FaultPoint.HANDLER.reach();
            handler.onFailed(connection, failure);
        }

        @Override
        public void onClosed(Connection connection) {
            handler.onClosed(connection);
            FaultPoint.HANDLER.reach();
        }
    }

    private record OfHandshake(HandshakeHandler handler) implements HandshakeHandler {
        @Override
        public void onHandshake(TlsConnection connection, HandshakeInfo info) {
            FaultPoint.HANDLER.reach();
            handler.onHandshake(connection, info);
        }

        @Override
        public void onHandshakeFailed(TlsConnection connection, ConnectionFailure failure) {
            FaultPoint.HANDLER.reach();
            handler.onHandshakeFailed(connection, failure);
        }
    }

    private record OfConnect(ConnectHandler handler) implements ConnectHandler {
        @Override
        public void onConnected(TcpConnection connection) {
            FaultPoint.HANDLER.reach();
            handler.onConnected(connection);
        }

        @Override
        public void onConnectFailed(ConnectionFailure failure) {
            handler.onConnectFailed(failure);
            FaultPoint.HANDLER.reach();
        }
    }

    private record OfTransfer(TcpConnection.TransferHandler handler) implements TcpConnection.TransferHandler {
        @Override
        public void onTransferred(int result) {
            FaultPoint.HANDLER.reach();
            handler.onTransferred(result);
        }
    }
}
