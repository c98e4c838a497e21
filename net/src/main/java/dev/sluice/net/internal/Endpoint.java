package dev.sluice.net.internal;

import dev.sluice.memory.Slab;
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

    /** Which user of the slot this is, so that a late event for an earlier one is told apart. */
    int generation;

    /** Operations asked for and not yet over: a set of {@link Operation}. */
    byte wanted;

    /** Operations that the kernel holds, a set of {@link Operation}. Only io_uring holds any. */
    byte inKernel;

    /** A set of {@link Readiness}. */
    byte readiness;

    /** Whether it stands in the transport's queue of work. Only with epoll. */
    boolean queued;

    /** Whether it stands in the transport's queue of those that wait for a buffer. */
    boolean starved;

    /** Whether {@link Transport#detach} was called. */
    boolean detaching;

    /** Whether the close is to reset the connection. */
    boolean reset;

    /** Where a receive goes; 0: into a pool buffer. */
    long receiveAddress;

    /** Room there, or the most that a receive into a pool buffer is to take. */
    int receiveCapacity;

    /** The bulk buffer that the kernel holds for a receive. Only with io_uring. */
    @Nullable
    Slab bulkBuffer;

    /** Operations in the kernel that are being cancelled, a set of {@link Operation}. Only with io_uring, as what follows. */
    byte cancelled;

    /** Whether the kernel holds a receive that goes on by itself; see {@link SteadyReceives}. */
    boolean steady;

    /** How many small receives came one after the other, as far as that matters. */
    byte smallReceives;

    /** What a steady receive brought without being asked for; null when none ever did. */
    @Nullable
    HeldBack heldBack;

    /** What connect(2) returned, -EINPROGRESS while it is under way: 0 or -errno, which fit. */
    short connectResult;

    /** What a send takes. */
    long sendAddress;

    /** Its length. */
    int sendLength;

    /** Whether something follows what is sent, FIN at last, that can travel in the same segment. */
    boolean sendHasMore;

    /** Whether the last send took less. Only with io_uring. */
    boolean sendWasShort;

    /** A connection was accepted (its descriptor, now the callee's), or -errno: accepting has stopped then. */
    void onAccepted(int result) {
        throw new IllegalStateException("accept ended with " + result + " on " + this);
    }

    /** A connect is over: 0 or -errno. */
    void onConnected(int result) {
        throw new IllegalStateException("connect ended with " + result + " on " + this);
    }

    /**
     * A receive is over.
     *
     * @param result bytes, 0 at the peer's end, or -errno; -ECANCELED after {@link Transport#cancelReceive}
     * @param buffer what they lie in, now the callee's; null for a direct receive and when there are none
     */
    void onReceived(int result, @Nullable Slab buffer) {
        throw new IllegalStateException("receive ended with " + result + " on " + this);
    }

    /** A send is over: bytes taken, or -errno. */
    void onSent(int result) {
        throw new IllegalStateException("send ended with " + result + " on " + this);
    }

    /** The connection has broken while no receive was under way: -errno. No effect on a listener: its accepts fail. */
    void onBroken(int result) {}

    /**
     * The peer has ended, everything before that was received, and no receive is asked for: one would end with 0.
     */
    void onPeerEnded() {}

    /**
     * What the transport did for this endpoint threw, or what it told it: the endpoint has to end, and nobody else. Must not
     * throw.
     */
    abstract void onThrown(Throwable thrown);

    /** The end: the descriptor is closed and the kernel holds nothing of this endpoint. */
    abstract void onDetached();

    /** The loop is closing: detach soon. */
    abstract void onLoopClosing();
}
