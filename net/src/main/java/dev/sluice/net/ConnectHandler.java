package dev.sluice.net;

/** Told how {@link EventLoop#connect} ended. Called once, on the loop's thread. */
public interface ConnectHandler {
    /** Connected. The handler sets a {@link ConnectionHandler}, or aborts the connection. */
    void onConnected(TcpConnection connection);

    /** Refused, timed out, unreachable, or out of descriptors. */
    void onConnectFailed(ConnectionFailure failure);
}
