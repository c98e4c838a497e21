package dev.sluice.net.internal;

import dev.sluice.net.BufferGeometry;
import dev.sluice.net.EventLoop;
import dev.sluice.net.TurnWatcher;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A mover of bytes between the kernel and {@link Endpoint}s, in the manner of completions: an operation is asked for,
 * and its end is told to the endpoint in a later {@link #poll}, never from inside the call that asked.
 *
 * <p>Two events come unasked, for an endpoint that has had no receive under way for a while, because none is asked for
 * or because it waits for a buffer: {@link Endpoint#onBroken}, whatever is unread, and {@link Endpoint#onPeerEnded},
 * when nothing is unread.
 *
 * <p>Confined to the loop's thread, {@link #wakeUp()} excepted.
 */
interface Transport {
    /**
     * Least number of endpoints ready to receive that have their turn in a poll, as long as there are buffers; nobody
     * has a second turn before all others that were ready have had one. So a ready one waits for no more polls than
     * there are times this many others, and two: one in which it finds no buffer, and one in which it is told.
     */
    int LEAST_SERVED_PER_TURN = 64;

    /** Most connections that a listener is told of before all others that are ready have their turn. */
    int MOST_ACCEPTED_PER_TURN = 16;

    /** Returns the interface of the kernel that it runs on. */
    EventLoop.Backend backend();

    /** Returns the flags with which sockets for this transport are made, besides SOCK_CLOEXEC. */
    int socketFlags();

    /**
     * Takes an endpoint in; the transport owns the descriptor from now on, also when it fails, but not when it throws.
     *
     * @return 0, or -errno: the descriptor is closed then
     */
    int attach(Endpoint endpoint, int fd);

    /** Accepts until that fails or the endpoint is detached. */
    void accept(Endpoint endpoint);

    /** Ends accepting, told as -ECANCELED behind what was accepted before. Only while it goes on. */
    void cancelAccept(Endpoint endpoint);

    /** Connects once. */
    void connect(Endpoint endpoint, SocketAddress address);

    /**
     * Receives once, into a buffer of the loop that is leased no earlier than the bytes are there.
     *
     * @param limit bytes at most; with more than {@link BufferGeometry#ROOM} into a bulk buffer when one is free and
     *     the bytes are there already, else as many as an ordinary one takes
     */
    void receive(Endpoint endpoint, int limit);

    /** Receives once, into memory that stays valid until onReceived or onDetached. */
    void receiveInto(Endpoint endpoint, long address, int capacity);

    /** Ends a receive early, with what it has or -ECANCELED. */
    void cancelReceive(Endpoint endpoint);

    /**
     * Sends once, from memory that stays valid and unchanged until onSent or onDetached.
     *
     * @param more whether more follows at once, another send or detach, that may share a segment with it
     */
    void send(Endpoint endpoint, long address, int length, boolean more);

    /**
     * Ends every operation without telling their ends, calls onDetached, and closes the descriptor: before that, or
     * with the next call into the kernel ({@link Endpoint#closesAtOnce}). No effect the second time.
     *
     * @param reset whether to reset the connection instead of ending it in order
     */
    void detach(Endpoint endpoint, boolean reset);

    /** Returns the number of endpoints attached. */
    int attachedCount();

    /** Tells every endpoint that the loop is closing. */
    void announceClosing();

    /**
     * Runs one turn: waits for the kernel and tells endpoints what has ended.
     *
     * @param timeoutMillis how long to wait at most; 0: not at all; negative: until something happens
     * @return how many ends it told, more or less; 0 only when there was nothing to do, and all that was asked for
     *     before is in the kernel's hands
     */
    int poll(long timeoutMillis);

    /** Sets the watcher of each poll's wait; null: none. On the loop's thread. */
    void watch(@Nullable TurnWatcher watcher);

    /** Ends the wait of the current or the next poll. May be called from any thread until {@link #close}. */
    void wakeUp();

    /** Frees what the kernel holds for this transport; no endpoint may be attached. */
    void close();
}
