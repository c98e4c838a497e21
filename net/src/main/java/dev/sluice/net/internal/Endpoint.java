package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A socket as a {@link Transport} sees it: the descriptor, the operations that wait, and who is told of their ends.
 *
 * <p>There are two for each connection that the gateway holds, so fields are as narrow as what they hold.
 *
 * <p>At most one operation of each {@link Operation} is under way. The transport owns the descriptor from
 * {@link Transport#attach} to {@link #onDetached()}.
 */
abstract class Endpoint {
    /** The number of no slot. */
    static final int NO_SLOT = -1;

    /** The descriptor; meaningless before attach and after onDetached. */
    int fd = -1;

    /** Number in the transport's {@link EndpointTable}. */
    int slot = NO_SLOT;

    /** Number of the slot's user, so that a late event for an earlier one is told apart. */
    int generation;

    /** Operations asked for and not yet over: a set of {@link Operation}. */
    byte wanted;

    /** Operations that the kernel holds, a set of {@link Operation}. Only io_uring holds any. */
    byte inKernel;

    /** A set of {@link Readiness}. */
    byte readiness;

    /** True while it stands in the transport's queue of work. Only with epoll. */
    boolean queued;

    /** True while it stands in the transport's queue of those that wait for a buffer. */
    boolean starved;

    /** True once {@link Transport#detach} was called. */
    boolean detaching;

    /** True once the kernel protects the records of TLS: a receive can meet one of another type then, and fails. */
    boolean recordsInKernel;

    /** True when the close is to reset the connection. */
    boolean reset;

    /** Address that a receive goes to; 0: into a pool buffer. */
    long receiveAddress;

    /** Room there, or the most that a receive into a pool buffer is to take. */
    int receiveCapacity;

    /** The bulk buffer that the kernel holds for a receive. Only with io_uring. */
    @Nullable
    Slab bulkBuffer;

    /**
     * Operations in the kernel that are being cancelled, a set of {@link Operation}. Only with io_uring, as what
     * follows.
     */
    byte cancelled;

    /** True while the kernel holds a receive that continues by itself; see {@link MultishotReceives}. */
    boolean multishot;

    /** Number of small receives in a row, as far as that matters. */
    byte smallReceives;

    /** Bytes that a multishot receive brought unasked; null when none ever did. */
    @Nullable
    HeldBack heldBack;

    /** Result of connect(2), -EINPROGRESS while it is under way: 0 or -errno, which fit. */
    short connectResult;

    /** Address of what a send takes. */
    long sendAddress;

    /** Its length. */
    int sendLength;

    /** True when something follows what is sent, FIN at last, that can travel in the same segment. */
    boolean sendHasMore;

    /** True when the last send took less. Only with io_uring. */
    boolean sendWasShort;

    /**
     * Reports that a connection was accepted (its descriptor, now the callee's), or -errno: accepting has stopped then.
     *
     * @param peer the connection's peer; null when that has gone already, or nothing was accepted
     */
    void onAccepted(int result, @Nullable SocketAddress peer) {
        throw new IllegalStateException("accept ended with " + result + " on " + this);
    }

    /** Reports the end of a connect: 0 or -errno. */
    void onConnected(int result) {
        throw new IllegalStateException("connect ended with " + result + " on " + this);
    }

    /**
     * Reports the end of a receive.
     *
     * @param result bytes, 0 at the peer's end, or -errno; -ECANCELED after {@link Transport#cancelReceive}
     * @param buffer what they lie in, now the callee's; null for a receive into lent memory and when there are none
     */
    void onReceived(int result, @Nullable Slab buffer) {
        throw new IllegalStateException("receive ended with " + result + " on " + this);
    }

    /** Reports the end of a send: bytes taken, or -errno. */
    void onSent(int result) {
        throw new IllegalStateException("send ended with " + result + " on " + this);
    }

    /**
     * Reports that the connection has broken while no receive was under way: -errno. No effect on a listener: its
     * accepts fail.
     */
    void onBroken(int result) {}

    /**
     * Reports that the peer has ended when everything before that was received and no receive is asked for: one would
     * end with 0.
     */
    void onPeerEnded() {}

    /**
     * Ends this endpoint, and nobody else, because what the transport did for it or reported to it threw. Must not
     * throw.
     */
    abstract void onThrown(Throwable thrown);

    /** Returns true where the descriptor is to be closed before {@link #onDetached}: a listener's address is free. */
    boolean closesAtOnce() {
        return false;
    }

    /**
     * Reports the end: the kernel holds nothing of this endpoint but the descriptor, which nobody uses any more and
     * which the transport has closed or closes with its next call.
     */
    abstract void onDetached();

    /** Reports that the loop is closing: detach soon. */
    abstract void onLoopClosing();
}
