package dev.sluice.net;

import dev.sluice.memory.Slab;

/**
 * A stream of bytes to a peer, TCP or TLS: the same shape for both, so that a relay joins any two.
 *
 * <p>Confined to its event loop's thread. Buffers are loop-owned slabs that change owner with the call: what
 * {@link ConnectionHandler#onReceived} delivers belongs to the handler; what {@link #send} is given belongs to the
 * connection, which returns it to its pool when its bytes have left. One buffer can so go from wire to wire.
 *
 * <p>Back-pressure: {@link #stopReceiving()} when the other side does not drain ({@link #queuedBytes()} above a limit),
 * {@link #startReceiving()} again in {@link ConnectionHandler#onSent}.
 */
public interface Connection {
    /** Returns the loop that this connection lives on. */
    EventLoop loop();

    /** Sets the handler of what happens; replaced at will, on the loop's thread. */
    void handler(ConnectionHandler handler);

    /** Delivers what arrives from now on. Off at first. Idempotent. */
    void startReceiving();

    /**
     * Stops delivering. Buffers that were under way may still be delivered: at most
     * {@link EventLoopConfig#maxLateBuffers()}. A reset still ends the connection, with what is unread, and the peer's
     * end is still reported when everything before it was delivered.
     */
    void stopReceiving();

    /**
     * Queues the slab's window for sending and takes ownership of the slab, whatever happens.
     *
     * <p>Receive buffers keep {@link BufferGeometry#HEADROOM} bytes before and {@link BufferGeometry#TAILROOM} behind
     * the payload, so that a record can be sealed where it lies. Small payloads may be copied together, so that few
     * buffers are held. On a connection that has ended the bytes are dropped.
     *
     * @throws IllegalStateException after {@link #shutdownOutput()}; the buffer is returned to its pool even so
     */
    void send(Slab buffer);

    /** Returns the number of bytes queued and not yet handed to the kernel. */
    long queuedBytes();

    /**
     * Ends our direction after what is queued: FIN on TCP, close_notify and FIN on TLS. When both directions have ended
     * the connection closes by itself.
     */
    void shutdownOutput();

    /**
     * Closes both directions after what is queued has left. Then waits for the peer's end, dropping what it still
     * sends, since a close with unread bytes would make the kernel reset the connection and the peer lose our last
     * bytes. All of that within {@link EventLoopConfig#closeTimeoutMillis()}. The handler hears
     * {@link ConnectionHandler#onClosed} and nothing else any more.
     */
    void close();

    /** Closes at once, dropping what is queued; the peer sees RST. The handler hears onClosed, after this returns. */
    void abort();
}
