package dev.sluice.net;

/**
 * Told how {@link EventLoop#connect} ended. Called once, on the loop's thread; {@code onConnectFailed} follows, too, when
 * {@code onConnected} throws before it has set a handler.
 */
public interface ConnectHandler {
    /** Connected. The handler sets a {@link ConnectionHandler}, or aborts the connection. */
    void onConnected(TcpConnection connection);

    /** Refused, timed out, unreachable, or out of descriptors. */
    void onConnectFailed(ConnectionFailure failure);
}
