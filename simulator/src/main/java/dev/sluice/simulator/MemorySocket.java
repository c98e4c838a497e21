package dev.sluice.simulator;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a stream in memory, with the rules of TCP on Linux: received data can be read even after a reset; an error
 * is reported once, and later reads return the end; data for a closed end causes a reset.
 *
 * <p>The system under test has a descriptor for it; a {@link Peer} has the other end.
 */
public final class MemorySocket implements Channel {
    private final SimulatedKernel kernel;
    private final Pipe in;
    private @Nullable MemorySocket other;
    private @Nullable SocketAddress local;
    private @Nullable SocketAddress remote;
    private @Nullable EpollWatch watch;
    private int error;
    private boolean connecting;
    private boolean broken;
    private boolean closed;
    private boolean resetUnderWay;
    private boolean resetOnClose;
    private boolean wantsRoom;
    /** Ring operations that refer to it. */
    int armed;

    MemorySocket(SimulatedKernel kernel, int capacity) {
        this.kernel = kernel;
        this.in = new Pipe(capacity);
    }

    /** Connects two ends. */
    void join(MemorySocket peer) {
        other = peer;
        peer.other = this;
    }

    void names(@Nullable SocketAddress ours, @Nullable SocketAddress theirs) {
        local = ours;
        remote = theirs;
    }

    @Nullable
    SocketAddress local() {
        return local;
    }

    @Nullable
    SocketAddress remote() {
        return broken ? null : remote;
    }

    /** Returns the address of the other end, also when that has gone. */
    @Nullable
    SocketAddress acceptedFrom() {
        return remote;
    }

    void watch(@Nullable EpollWatch entry) {
        watch = entry;
    }

    @Nullable
    EpollWatch watch() {
        return watch;
    }

    // --- connecting --------------------------------------------------------------------------------------------------

    void connecting() {
        connecting = true;
    }

    boolean isConnecting() {
        return connecting;
    }

    boolean isConnected() {
        return other != null && !connecting;
    }

    /** Completes the connect with 0 or an error. */
    void connected(int errno) {
        connecting = false;
        error = errno;
        broken = errno != 0;
        edge();
    }

    // --- moving bytes ------------------------------------------------------------------------------------------------

    /** Returns the capacity of the smaller direction in bytes. */
    public int capacity() {
        return Math.min(in.capacity(), other().in.capacity());
    }

    /** Implements a non-blocking recv(2): like {@link #read}. */
    public int receive(long to, long length) {
        int count = readable(length);
        if (count > 0) {
            in.read(to, count);
            other().roomMade();
        }
        return count;
    }

    /**
     * Implements recv(2) with MSG_PEEK, without the bytes: returns the result of {@link #receive}, which stays unread.
     */
    int peek(long length) {
        return readable(length);
    }

    @Override
    public int read(byte[] to, int offset, int length) {
        int count = readable(length);
        if (count > 0) {
            in.read(to, offset, count);
            other().roomMade();
        }
        return count;
    }

    private int readable(long length) {
        if (other == null || connecting) {
            return -Errno.ENOTCONN;
        }
        if (in.available() > 0) {
            return (int) Math.min(length, in.available());
        }
        if (in.isAtEnd()) {
            return 0; // also if a reset follows it, which waits for SO_ERROR or a send
        }
        if (error != 0) {
            return -takeError();
        }
        return broken ? 0 : -Errno.EAGAIN;
    }

    /** Implements a non-blocking send(2): like {@link #write}; a short one accepts less than fits. */
    public int send(long from, long length, boolean isShort) {
        int count = writable(length);
        if (count > 1 && isShort) {
            count = kernel.chance().between(1, count - 1);
        }
        if (count > 0) {
            other().in.write(from, count);
        }
        if (count == -Errno.EAGAIN || (count > 0 && count < length)) {
            wantsRoom = true;
        }
        return count;
    }

    @Override
    public int write(byte[] from, int offset, int length) {
        int count = writable(length);
        if (count > 0) {
            other().in.write(from, offset, count);
        }
        return count;
    }

    private int writable(long length) {
        if (other == null || connecting) {
            return connecting ? -Errno.EAGAIN : -Errno.ENOTCONN;
        }
        if (error != 0) {
            return -takeError();
        }
        if (broken || other().in.isEnded()) {
            return -Errno.EPIPE;
        }
        int room = other().in.room();
        return room == 0 ? -Errno.EAGAIN : (int) Math.min(length, room);
    }

    @Override
    public boolean canRead() {
        return (readiness() & Constants.EPOLLIN) != 0;
    }

    /** Returns whether a read at the other end would return something. */
    public boolean canPeerRead() {
        return other().canRead();
    }

    @Override
    public boolean canWrite() {
        return (readiness() & Constants.EPOLLOUT) != 0;
    }

    /** Returns and clears the pending error, as SO_ERROR does. */
    int takeError() {
        int told = error;
        error = 0;
        return told;
    }

    // --- ending ------------------------------------------------------------------------------------------------------

    @Override
    public int shutdownOutput() {
        if (other == null || broken) {
            return -Errno.ENOTCONN;
        }
        other().in.end();
        return 0;
    }

    void resetOnClose() {
        resetOnClose = true;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            boolean unread = in.available() > 0;
            if (other == null || broken) {
                return;
            }
            if (resetOnClose || unread) {
                reset();
            } else {
                other().in.end();
            }
        }
    }

    @Override
    public boolean closeIsAnEnd() {
        return true;
    }

    @Override
    public void reset() {
        closed = true;
        if (other != null && !broken) {
            other().in.dropUnderWay();
            other().resetUnderWay = true;
        }
        broken = true;
    }

    /** Returns whether the other end broke the connection, as far as this end knows. */
    public boolean isBroken() {
        return broken;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether the other end's FIN has arrived, even if bytes before it are unread. */
    public boolean hasPeerEnded() {
        return in.hasEndArrived();
    }

    // --- network -----------------------------------------------------------------------------------------------------

    /** Returns whether anything is in transit to this end. */
    boolean isMoving() {
        return resetUnderWay || (!broken && in.isMoving());
    }

    /** Delivers some of the bytes in transit. */
    void arrive(Chance chance) {
        if (resetUnderWay) {
            resetUnderWay = false;
            if (!broken) {
                broken = true;
                error = in.hasEndArrived() ? Errno.EPIPE : Errno.ECONNRESET;
                edge();
            }
            return;
        }
        in.arrive(chance);
        if (closed && in.available() > 0 && !broken) {
            // No reader is left.
            reset();
        } else {
            edge();
        }
    }

    private void roomMade() {
        if (wantsRoom) {
            wantsRoom = false;
            edge();
        }
    }

    private void edge() {
        if (watch != null) {
            watch.edge();
        }
    }

    /** Returns the readiness in epoll's terms: a set of EPOLLIN and the like. */
    int readiness() {
        int bits = 0;
        if (other == null && !broken) {
            return connecting ? 0 : Constants.EPOLLOUT | Constants.EPOLLHUP;
        }
        if (connecting) {
            return 0;
        }
        boolean ended = broken || in.hasEndArrived();
        if (in.available() > 0 || ended) {
            bits |= Constants.EPOLLIN;
        }
        if (ended) {
            bits |= Constants.EPOLLRDHUP;
        }
        if (broken || other().in.isEnded() || other().in.room() > 0) {
            bits |= Constants.EPOLLOUT;
        }
        if (broken || (in.hasEndArrived() && other().in.isEnded())) {
            bits |= Constants.EPOLLHUP;
        }
        return error != 0 ? bits | Constants.EPOLLERR : bits;
    }

    @Override
    public String toString() {
        return "socket(readable " + in.available() + ", room " + in.room() + (in.hasEndArrived() ? ", end" : "")
                + (in.isMoving() ? ", moving" : "") + (wantsRoom ? ", wants room" : "") + (broken ? ", broken" : "")
                + (closed ? ", closed" : "") + ", armed " + armed + ", error " + error + ")";
    }

    private MemorySocket other() {
        return Objects.requireNonNull(other);
    }
}
