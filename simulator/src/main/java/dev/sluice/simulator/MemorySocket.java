package dev.sluice.simulator;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a stream in memory, with the rules of TCP on Linux: what has arrived can be read even after a reset; an error
 * is told once, and reads meet the end after that; data for a closed end is answered by a reset.
 *
 * <p>The system under test sees it through a descriptor, the other end is held by a {@link Peer}.
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
    /** Ring operations that hold it. */
    int armed;

    MemorySocket(SimulatedKernel kernel, int capacity) {
        this.kernel = kernel;
        this.in = new Pipe(capacity);
    }

    /** Joins two ends. */
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

    /** The connect is over: 0 or an error. */
    void connected(int errno) {
        connecting = false;
        error = errno;
        broken = errno != 0;
        edge();
    }

    // --- moving bytes ------------------------------------------------------------------------------------------------

    /** Bytes that fit in the narrower of the two directions. */
    public int capacity() {
        return Math.min(in.capacity(), other().in.capacity());
    }

    /** recv(2) without waiting: as {@link #read}. */
    public int receive(long to, long length) {
        int count = readable(length);
        if (count > 0) {
            in.read(to, count);
            other().roomMade();
        }
        return count;
    }

    /** recv(2) with MSG_PEEK, but for the bytes: what {@link #receive} would return, which stays unread. */
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
            return 0; // also when a reset has come behind it, which waits for SO_ERROR or a send
        }
        if (error != 0) {
            return -takeError();
        }
        return broken ? 0 : -Errno.EAGAIN;
    }

    /** send(2) without waiting: as {@link #write}; a short one takes less than there is room for. */
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

    /** Whether the other end would find something if it read. */
    public boolean canPeerRead() {
        return other().canRead();
    }

    @Override
    public boolean canWrite() {
        return (readiness() & Constants.EPOLLOUT) != 0;
    }

    /** SO_ERROR: the error that waits, which is told once. */
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

    /** Whether the connection was broken by the other end, as far as this one knows. */
    public boolean isBroken() {
        return broken;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns true when the other end's FIN has arrived, whatever is unread before it. */
    public boolean hasPeerEnded() {
        return in.hasEndArrived();
    }

    // --- what the network does ---------------------------------------------------------------------------------------

    /** Whether anything is on its way to this end. */
    boolean isMoving() {
        return resetUnderWay || (!broken && in.isMoving());
    }

    /** Lets something of that arrive. */
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
            // Nobody is left who could read it.
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

    /** What epoll tells of it: a set of EPOLLIN and its like. */
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
