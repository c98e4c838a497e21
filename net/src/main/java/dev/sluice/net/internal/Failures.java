package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.tls.TlsFailure.Fault;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The meaning of the kernel's error numbers for a connection: who is to blame, the name for metrics, the remedy. */
final class Failures {
    private Failures() {}

    /**
     * Loads what the description of a failure needs: at the descriptor limit, when that is needed first, the class
     * loader could not open a file.
     */
    static void prepare() {
        SocketAddress nobody = new InetSocketAddress(0);
        ofAccept(Errno.EMFILE, nobody);
        ofConnect(Errno.EMFILE, nobody);
    }

    /** Describes a connection that broke while it was used. */
    static ConnectionFailure ofConnection(int errno, SocketAddress peer) {
        return switch (Math.abs(errno)) {
            case Errno.ECONNRESET ->
                failure(Fault.PEER_MISBEHAVED, "connection_reset", text(peer) + " reset the connection");
            case Errno.EPIPE ->
                failure(Fault.PEER_MISBEHAVED, "broken_pipe", text(peer) + " closed before it had read everything");
            case Errno.ETIMEDOUT ->
                failure(
                        Fault.ENVIRONMENT,
                        "connection_timed_out",
                        text(peer) + " stopped acknowledging: network or host lost");
            case Errno.ENETDOWN, Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                failure(Fault.ENVIRONMENT, "unreachable", text(peer) + " became unreachable: " + Errno.describe(errno));
            default ->
                failure(Fault.ENVIRONMENT, "io_error", "connection to " + text(peer) + ": " + Errno.describe(errno));
        };
    }

    /** Describes a connection that could not be made. */
    static ConnectionFailure ofConnect(int errno, SocketAddress peer) {
        return switch (Math.abs(errno)) {
            case Errno.ECONNREFUSED ->
                failure(
                        Fault.ENVIRONMENT,
                        "connection_refused",
                        text(peer) + " refused the connection; is a server listening there?");
            case Errno.ENOENT ->
                failure(Fault.ENVIRONMENT, "no_such_socket", text(peer) + " does not exist; is the server running?");
            case Errno.EACCES, Errno.EPERM ->
                failure(
                        Fault.ENVIRONMENT,
                        "not_permitted",
                        "connect to " + text(peer) + ": " + Errno.describe(errno)
                                + "; check the firewall, or the socket file's permissions");
            case Errno.EAGAIN ->
                failure(
                        Fault.ENVIRONMENT,
                        "backlog_full",
                        text(peer) + " has no room for more connections; raise its backlog");
            case Errno.EADDRNOTAVAIL ->
                failure(
                        Fault.ENVIRONMENT,
                        "ports_exhausted",
                        "no free local port towards " + text(peer)
                                + "; widen net.ipv4.ip_local_port_range, or keep connections open longer");
            case Errno.EMFILE, Errno.ENFILE -> descriptorLimit("connect to " + text(peer), errno);
            case Errno.ETIMEDOUT -> connectTimeout(peer, "the kernel's limit");
            case Errno.ENETDOWN, Errno.ENETUNREACH, Errno.EHOSTUNREACH ->
                failure(Fault.ENVIRONMENT, "unreachable", text(peer) + " cannot be reached: " + Errno.describe(errno));
            default ->
                failure(Fault.ENVIRONMENT, "connect_failed", "connect to " + text(peer) + ": " + Errno.describe(errno));
        };
    }

    /** Describes a connect that took longer than the caller allowed. */
    static ConnectionFailure connectTimeout(SocketAddress peer, String limit) {
        return failure(
                Fault.ENVIRONMENT,
                "connect_timeout",
                text(peer) + " did not answer within " + limit + "; is it up, and does a firewall drop packets?");
    }

    /** Describes a connect that its caller gave up. */
    static ConnectionFailure connectAbandoned(SocketAddress peer) {
        return failure(
                Fault.OURS, "connect_abandoned", "the connect to " + text(peer) + " was given up before it answered");
    }

    /** Describes a connect that the end of its loop cut off. */
    static ConnectionFailure loopClosed(SocketAddress peer) {
        return failure(
                Fault.OURS,
                "loop_closed",
                "the event loop closed before the connection to " + text(peer) + " was made");
    }

    /** Describes an exception of our code or a handler's. */
    static ConnectionFailure internal(SocketAddress peer, String where) {
        return failure(
                Fault.OURS,
                "internal_error",
                "the connection with " + text(peer) + " ended by an error in " + where
                        + "; the log has its stack trace, please report it");
    }

    /** Describes a listener that could not accept. */
    static ConnectionFailure ofAccept(int errno, SocketAddress listener) {
        return switch (Math.abs(errno)) {
            case Errno.EMFILE, Errno.ENFILE -> descriptorLimit("accept on " + text(listener), errno);
            case Errno.ECONNABORTED, Errno.ENOTCONN ->
                failure(
                        Fault.PEER_MISBEHAVED,
                        "connection_aborted",
                        "a peer went away before it was accepted on " + text(listener));
            case Errno.ENOMEM, Errno.ENOBUFS ->
                failure(
                        Fault.ENVIRONMENT,
                        "no_kernel_memory",
                        "accept on " + text(listener) + ": " + Errno.describe(errno)
                                + "; raise the container's memory limit or net.ipv4.tcp_mem");
            default ->
                failure(
                        Fault.ENVIRONMENT,
                        "accept_failed",
                        "accept on " + text(listener) + ": " + Errno.describe(errno));
        };
    }

    /** Returns an address as people write it: the JDK's own text starts with a slash where there is no name. */
    static String text(SocketAddress address) {
        SocketAddress full = PackedAddress.unpack(address);
        if (!(full instanceof InetSocketAddress inet) || inet.isUnresolved()) {
            return full.toString();
        }
        String host = inet.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + inet.getPort();
    }

    private static ConnectionFailure descriptorLimit(String what, int errno) {
        return failure(
                Fault.ENVIRONMENT,
                "descriptor_limit",
                what + ": " + Errno.describe(errno)
                        + "; raise RLIMIT_NOFILE (ulimit -n, LimitNOFILE) or fs.file-max,"
                        + " or lower the connection limit");
    }

    private static ConnectionFailure failure(Fault fault, String reason, String message) {
        return new ConnectionFailure(fault, reason, message);
    }
}
