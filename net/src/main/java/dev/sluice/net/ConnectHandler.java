package dev.sluice.net;

/**
 * A handler of the outcome of {@link EventLoop#connect}. Called once, on the loop's thread; {@code onConnectFailed}
 * follows, too, when {@code onConnected} throws before it has set a handler.
 */
public interface ConnectHandler {
    /** Takes the connection. The handler sets a {@link ConnectionHandler}, or aborts the connection. */
    void onConnected(TcpConnection connection);

    /** Reports that the peer refused, timed out or is unreachable, or that descriptors have run out. */
    void onConnectFailed(ConnectionFailure failure);
}
