package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.InetText;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.failure.EndReason;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The failures that the kernel's error numbers mean for a connection. */
final class Failures {
    private Failures() {}

    /**
     * Loads the classes that the description of a failure needs: at the descriptor limit, when that is needed first,
     * the class loader could not open a file.
     */
    static void prepare() {
        SocketAddress nobody = new InetSocketAddress(0);
        ofAccept(Errno.EMFILE, nobody);
        ofConnect(Errno.EMFILE, nobody);
    }

    /** Makes the failure of a connection that broke while it was used. */
    static ConnectionFailure ofConnection(int errno, SocketAddress peer) {
        return switch (Math.abs(errno)) {
            case Errno.ECONNRESET -> failure(EndReason.CONNECTION_RESET, peer);
            case Errno.EPIPE -> failure(EndReason.BROKEN_PIPE, peer);
            case Errno.ETIMEDOUT -> failure(EndReason.CONNECTION_TIMED_OUT, peer);
            case Errno.ENETDOWN, Errno.ENETUNREACH, Errno.EHOSTUNREACH -> failure(EndReason.UNREACHABLE, peer, errno);
            case Errno.ENOMEM, Errno.ENOBUFS -> failure(EndReason.NO_KERNEL_MEMORY, peer, errno);
            default -> failure(EndReason.IO_ERROR, peer, errno);
        };
    }

    /** Makes the failure of a connection that could not be made. */
    static ConnectionFailure ofConnect(int errno, SocketAddress peer) {
        return switch (Math.abs(errno)) {
            case Errno.ECONNREFUSED -> failure(EndReason.CONNECTION_REFUSED, peer);
            case Errno.ENOENT -> failure(EndReason.NO_SUCH_SOCKET, peer);
            case Errno.EACCES, Errno.EPERM -> failure(EndReason.NOT_PERMITTED, peer, errno);
            case Errno.EAGAIN -> failure(EndReason.BACKLOG_FULL, peer);
            case Errno.EADDRNOTAVAIL -> failure(EndReason.PORTS_EXHAUSTED, peer);
            case Errno.EMFILE, Errno.ENFILE -> failure(EndReason.DESCRIPTOR_LIMIT, peer, errno);
            case Errno.ENOMEM, Errno.ENOBUFS -> failure(EndReason.NO_KERNEL_MEMORY, peer, errno);
            case Errno.ETIMEDOUT -> connectTimeout(peer, "the kernel's limit");
            case Errno.ENETDOWN, Errno.ENETUNREACH, Errno.EHOSTUNREACH -> failure(EndReason.UNREACHABLE, peer, errno);
            default -> failure(EndReason.CONNECT_FAILED, peer, errno);
        };
    }

    /** Makes the failure of a connect that took longer than the caller allowed. */
    static ConnectionFailure connectTimeout(SocketAddress peer, String limit) {
        return failure(EndReason.CONNECT_TIMEOUT, text(peer) + ", " + limit);
    }

    /** Makes the failure of a connect that its caller gave up. */
    static ConnectionFailure connectAbandoned(SocketAddress peer) {
        return failure(EndReason.CONNECT_ABANDONED, peer);
    }

    /** Makes the failure of a connect that was cut off by the end of its loop. */
    static ConnectionFailure loopClosed(SocketAddress peer) {
        return failure(EndReason.LOOP_CLOSED, peer);
    }

    /** Makes the failure of a connection for which code of ours threw, or a handler's. */
    static ConnectionFailure internal(SocketAddress peer, String where) {
        return failure(EndReason.INTERNAL_ERROR, text(peer) + ", in " + where);
    }

    /** Makes the failure of a handshake that was not complete in time. */
    static ConnectionFailure handshakeTimeout(SocketAddress peer, long limitMillis) {
        return failure(EndReason.HANDSHAKE_TIMEOUT, text(peer) + ", " + limitMillis + " ms");
    }

    /** Makes the failure of a listener that could not accept. */
    static ConnectionFailure ofAccept(int errno, SocketAddress listener) {
        return switch (Math.abs(errno)) {
            case Errno.EMFILE, Errno.ENFILE -> failure(EndReason.DESCRIPTOR_LIMIT, listener, errno);
            case Errno.ECONNABORTED, Errno.ENOTCONN -> failure(EndReason.CONNECTION_ABORTED, listener, errno);
            case Errno.ENOMEM, Errno.ENOBUFS -> failure(EndReason.NO_KERNEL_MEMORY, listener, errno);
            default -> failure(EndReason.ACCEPT_FAILED, listener, errno);
        };
    }

    /** Returns an address as people write it: the JDK's own text begins with a slash where there is no name. */
    static String text(SocketAddress address) {
        return InetText.of(PackedAddress.unpack(address));
    }

    private static ConnectionFailure failure(EndReason reason, SocketAddress address) {
        return failure(reason, text(address));
    }

    private static ConnectionFailure failure(EndReason reason, SocketAddress address, int errno) {
        return failure(reason, text(address) + ", " + Errno.describe(errno));
    }

    private static ConnectionFailure failure(EndReason reason, String cause) {
        return new ConnectionFailure(reason, reason.describe(cause));
    }
}
