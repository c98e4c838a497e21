package dev.sluice.net;

import dev.sluice.memory.SlabPool;
import dev.sluice.tls.engine.LoopCrypto;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One platform thread that waits for the kernel and runs what follows: accepted and connected sockets, arriving bytes,
 * timers, tasks. Backed by io_uring or epoll; {@link #backend()} tells which.
 *
 * <p>Loops share nothing. Everything that a loop makes is confined to its thread; only {@link #execute},
 * {@link #close}, {@link #statistics} and what describes the loop may be called from others.
 */
public interface EventLoop extends Executor, AutoCloseable {
    /** The interface of the kernel that a loop runs on. */
    enum Backend {
        /** io_uring(7). */
        IO_URING,
        /** epoll(7). */
        EPOLL
    }

    /** Returns the loop's name, which is also its thread's. */
    String name();

    /** Returns the interface of the kernel that the loop runs on. */
    Backend backend();

    /** Returns the reason for this backend and against the other, one sentence for the log. */
    String backendReason();

    /** Returns true when the caller is on the loop's thread. */
    boolean inLoop();

    /**
     * Runs a task on the loop's thread, soon. May be called from any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed
     */
    @Override
    void execute(Runnable task);

    /**
     * Runs a task that takes as long as hundreds of messages, such as a step of a handshake, when the connections that
     * are ready have had their turn and what they send has left. The order among these tasks is kept. They always come
     * to their turn, but the busier the loop the later. Those that have not when the loop closes are dropped. On the
     * loop's thread.
     */
    void executeLowPriority(Runnable task);

    /** Runs a task on the loop's thread after a delay, unless cancelled or the loop closes first. Resolution: 1 ms. */
    Timer schedule(long delayMillis, Runnable task);

    /** Sets the watcher of each turn; null: none, which costs nothing. On the loop's thread. */
    void watchTurns(@Nullable TurnWatcher watcher);

    /** Returns the loop's counters; may be read from any thread. */
    LoopStatistics statistics();

    /**
     * Returns how many buffers of all kinds are leased now, those that the kernel has for receives included. May be
     * called from any thread: the figure is recent then.
     */
    int leasedBuffers();

    /** Returns the receive buffers of this loop: slabs of {@link BufferGeometry#SLAB_BYTES}. */
    SlabPool buffers();

    /**
     * Returns the cryptography that the direct engines of this loop's connections share:
     * {@code DirectEngine.server(context, loop.loopCrypto())}. Made with the first call, which loads OpenSSL; closed
     * with the loop. On the loop's thread.
     *
     * @throws RuntimeException when OpenSSL cannot be loaded: says where it was looked for
     */
    LoopCrypto loopCrypto();

    /**
     * Binds and listens, with SO_REUSEPORT, so that several loops can share an address.
     *
     * @param address an {@link java.net.InetSocketAddress}; port 0 picks one, {@link Listener#address()} tells which
     * @throws ListenException when the address is in use, not ours, or not permitted: names address, cause and remedy
     */
    Listener listen(SocketAddress address, ListenerOptions options, AcceptHandler handler);

    /**
     * Accepts on a TCP socket that listens already: one that a service manager has opened, or another process has
     * passed on. Sets its O_NONBLOCK as this loop needs it, for all who share the socket.
     *
     * @param descriptor the loop's from now on, also when this throws
     * @throws ListenException when it is no listening socket
     */
    Listener adopt(int descriptor, ListenerOptions options, AcceptHandler handler);

    /**
     * Connects a TCP or Unix socket; the outcome comes to the handler, once, never before this call returns.
     *
     * @param address an {@link java.net.InetSocketAddress}, resolved, or a {@link java.net.UnixDomainSocketAddress}
     * @return what gives it up, for a caller that loses interest; need not be kept
     */
    PendingConnect connect(SocketAddress address, long timeoutMillis, ConnectHandler handler);

    /**
     * Runs the tasks that wait, aborts all connections, closes the listeners, frees all native memory and ends the
     * thread; waits for that, unless called on the loop's own thread. No effect the second time.
     */
    @Override
    void close();
}
