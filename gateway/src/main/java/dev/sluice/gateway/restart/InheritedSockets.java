package dev.sluice.gateway.restart;

import dev.sluice.config.model.ListenerConfig;
import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.net.EventLoop;
import dev.sluice.net.ListenException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sockets that listen already and that this process was given. Listeners take those that are theirs; what nobody takes
 * is closed. For one thread.
 */
public final class InheritedSockets implements AutoCloseable {
    /** The first descriptor that a service manager passes, sd_listen_fds(3). */
    private static final int FIRST_DESCRIPTOR = 3;

    /**
     * One of them.
     *
     * @param descriptor owned by whoever holds this
     * @param name that a service manager gave it; "": none
     * @param configured how the gateway that it comes from had it configured, port 0 included; null: not known
     * @param bound where it listens
     */
    record Socket(int descriptor, String name, @Nullable InetSocketAddress configured, InetSocketAddress bound) {
        boolean isFor(ListenerConfig listener) {
            if (!listener.socket().isEmpty() && listener.socket().equals(name)) {
                return true;
            }
            InetSocketAddress wanted = listener.address();
            return wanted.equals(configured == null ? bound : configured) || isWildcardFor(wanted);
        }

        /** A socket for every address of both families serves a listener for every address of IPv4, too. */
        private boolean isWildcardFor(InetSocketAddress wanted) {
            return bound.getPort() == wanted.getPort() && isAny(bound.getAddress()) && isAny(wanted.getAddress());
        }

        private static boolean isAny(@Nullable InetAddress address) {
            return address != null && address.isAnyLocalAddress();
        }
    }

    private final List<Socket> sockets;
    private final boolean shared;

    /**
     * Creates a set of inherited sockets.
     *
     * @param shared whether another process accepts on them, too, at first
     */
    InheritedSockets(List<Socket> sockets, boolean shared) {
        this.sockets = new ArrayList<>(sockets);
        this.shared = shared;
    }

    /** None. */
    public static InheritedSockets none() {
        return new InheritedSockets(List.of(), false);
    }

    /**
     * Those that a service manager has passed to this process, by {@code LISTEN_FDS}, {@code LISTEN_PID} and {@code
     * LISTEN_FDNAMES}.
     *
     * @throws ListenException when one is no TCP socket that listens
     */
    public static InheritedSockets ofServiceManager(Map<String, String> environment) {
        String pid = environment.getOrDefault("LISTEN_PID", "");
        String count = environment.getOrDefault("LISTEN_FDS", "");
        if (!pid.equals(Long.toString(ProcessHandle.current().pid())) || !count.matches("[1-9][0-9]{0,5}")) {
            return none();
        }
        String[] names = environment.getOrDefault("LISTEN_FDNAMES", "").split(":", -1);
        try (LibC libc = new LibC();
                SocketName name = new SocketName(libc)) {
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(count); i++) {
                int descriptor = FIRST_DESCRIPTOR + i;
                libc.fcntl(descriptor, Constants.F_SETFD, Constants.FD_CLOEXEC);
                sockets.add(new Socket(descriptor, i < names.length ? names[i] : "", null, name.of(descriptor)));
            }
            return new InheritedSockets(sockets, false);
        }
    }

    /** Returns true when there are none left. */
    public boolean isEmpty() {
        return sockets.isEmpty();
    }

    /** Returns true when they come from a gateway that is being replaced, which also accepts on them at first. */
    public boolean areShared() {
        return shared;
    }

    /** Returns true when one of them is for a listener. */
    public boolean has(ListenerConfig listener) {
        return sockets.stream().anyMatch(socket -> socket.isFor(listener));
    }

    /**
     * Takes out what is for a listener, for each loop at least one: what connections wait in any of them is accepted,
     * and where there are more loops than sockets, several share one.
     *
     * @param loops how many event loops there are
     * @return for each loop descriptors, the caller's; empty lists when there is nothing
     * @throws ListenException when no more descriptors can be had
     */
    public List<List<Integer>> take(ListenerConfig listener, int loops) {
        List<Socket> own = ownOf(listener);
        sockets.removeAll(own);
        List<List<Integer>> shares = new ArrayList<>();
        for (int loop = 0; loop < loops; loop++) {
            shares.add(new ArrayList<>());
        }
        for (int i = 0; i < own.size(); i++) {
            shares.get(i % loops).add(own.get(i).descriptor());
        }
        for (int loop = own.size(); !own.isEmpty() && loop < loops; loop++) {
            shares.get(loop).add(duplicate(own.get(loop % own.size()).descriptor()));
        }
        return shares;
    }

    /** Those of one address only: of two listeners on ports of the kernel's choice, each has its own. */
    private List<Socket> ownOf(ListenerConfig listener) {
        List<Socket> matching =
                sockets.stream().filter(socket -> socket.isFor(listener)).toList();
        return matching.stream()
                .filter(socket -> socket.bound().equals(matching.getFirst().bound()))
                .toList();
    }

    private static int duplicate(int descriptor) {
        try (LibC libc = new LibC()) {
            int copy = libc.fcntl(descriptor, Constants.F_DUPFD_CLOEXEC, 0);
            if (copy < 0) {
                throw new ListenException("a listening socket cannot be shared by two loops: fcntl: "
                        + Errno.describe(copy) + "; raise RLIMIT_NOFILE (ulimit -n)");
            }
            return copy;
        }
    }

    /**
     * Makes sure that a loop can accept on these sockets while another process does: io_uring has to block on them, and
     * epoll must not.
     *
     * @throws ListenException when the other one runs on the other transport
     */
    public void requireFit(EventLoop.Backend backend) {
        if (!shared) {
            return;
        }
        try (LibC libc = new LibC()) {
            for (Socket socket : sockets) {
                boolean blocks = (libc.fcntl(socket.descriptor(), Constants.F_GETFL, 0) & Constants.O_NONBLOCK) == 0;
                if (blocks != (backend == EventLoop.Backend.IO_URING)) {
                    throw new ListenException("the running gateway accepts on " + (blocks ? "io_uring" : "epoll")
                            + " and this one would on " + (blocks ? "epoll" : "io_uring")
                            + ", which cannot be on one socket; start this one with --transport "
                            + (blocks ? "io_uring" : "epoll"));
                }
            }
        }
    }

    /** Closes what nobody has taken. */
    @Override
    public void close() {
        if (sockets.isEmpty()) {
            return;
        }
        try (LibC libc = new LibC()) {
            sockets.forEach(socket -> libc.close(socket.descriptor()));
        }
        sockets.clear();
    }

    /** Returns their listening addresses. */
    @Override
    public String toString() {
        return sockets.stream()
                .map(socket -> socket.bound() + (socket.name().isEmpty() ? "" : " (" + socket.name() + ")"))
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
