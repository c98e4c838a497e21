package dev.sluice.simulator;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.EpollEvent;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.SockAddr;
import dev.sluice.ffi.uring.UringConstants;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A kernel in memory, on one thread. Its clock and every decision come from a seed, so that a run can be repeated.
 *
 * <p>Time advances only while the system under test waits: then bytes arrive, peers act and operations complete, in
 * random order. A wait in which nothing can happen ends with its timeout; it is a failure if it has none, or if it is
 * longer than {@link #longestSleepMillis}: then a wake-up was lost.
 */
public final class SimulatedKernel implements Kernel {
    private static final int FIRST_DESCRIPTOR = 100_000;
    private static final int[] LACKS = {Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.ENOBUFS};
    private static final int CALLS_BETWEEN_WAITS_MAX = 100_000;
    private static final int STEPS_PER_WAIT_MAX = 100_000;
    private static final int PEERS_PER_STEP = 4;
    /** The number of idle steps that prove the absence of events: an event may be delayed, but not for so long. */
    private static final int IDLE_STEPS = 100;

    private static final long STEP_NANOS = 10_000;

    private static final int SYS_IO_URING_SETUP = 425;
    private static final int SYS_IO_URING_ENTER = 426;
    private static final int SYS_IO_URING_REGISTER = 427;

    /** Behind every descriptor, so that one is never taken for the other. */
    private static final int FIRST_REGISTERED_RING = 1 << 20;

    private final Chance chance;
    private final Faults faults;
    private final int leastSocketBytes;
    private final int mostSocketBytes;
    private final List<@Nullable Object> descriptors = new ArrayList<>();
    private final List<MemorySocket> sockets = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();
    private final Map<Integer, MemoryListener> listeners = new TreeMap<>();
    private final Map<Integer, RemoteServer> servers = new TreeMap<>();
    private final Set<Integer> silent = new TreeSet<>();
    private final Map<Integer, Integer> submissions = new TreeMap<>();
    private final Map<Integer, SimulatedRing> registeredRings = new TreeMap<>();
    private int nextRegisteredRing = FIRST_REGISTERED_RING;
    private long now = TimeUnit.SECONDS.toNanos(1);
    private int nextPort = 40_000;
    private int callsSinceWait;
    private boolean closed;
    /** True from the first wait on; the set-up succeeds. */
    private boolean failing;

    private boolean healed;
    private boolean finished;
    private BooleanSupplier isOver = () -> false;

    /** The longest wait in which nothing can happen that is not a failure. */
    public long longestSleepMillis = 1_000;

    /** The features of the ring; see {@link RingRules}. */
    public RingRules ringRules = RingRules.LINUX_6_6;

    /**
     * Creates a kernel.
     *
     * @param leastSocketBytes minimum socket buffer in bytes
     * @param mostSocketBytes maximum socket buffer in bytes
     */
    public SimulatedKernel(Chance chance, Faults faults, int leastSocketBytes, int mostSocketBytes) {
        this.leastSocketBytes = leastSocketBytes;
        this.chance = chance;
        this.faults = faults;
        this.mostSocketBytes = mostSocketBytes;
    }

    Chance chance() {
        return chance;
    }

    Faults faults() {
        return failing ? faults : Faults.none();
    }

    /** Stops injecting faults, so that everything can complete. */
    public void heal() {
        healed = true;
        failing = false;
    }

    /** Sets the goal: once it is reached and nothing more can happen, the run {@link #isFinished()}. */
    public void endWhen(BooleanSupplier reached) {
        isOver = reached;
        finished = false;
    }

    /** Returns whether the run has finished. */
    public boolean isFinished() {
        return finished;
    }

    // --- outside world -----------------------------------------------------------------------------------------------

    /** Adds a peer, which acts from now on. */
    public void add(Peer peer) {
        peers.add(peer);
    }

    /** Starts a server at a port; connections to other ports are refused. */
    public void serve(int port, RemoteServer server) {
        servers.put(port, server);
    }

    /** Connects to a listener of the system under test and returns the client's end; null without a listener. */
    public @Nullable MemorySocket dial(int port) {
        MemoryListener listener = listeners.get(port);
        if (listener == null) {
            return null;
        }
        MemorySocket client = newSocket();
        MemorySocket accepted = newSocket();
        client.join(accepted);
        accepted.names(loopback(port), loopback(nextPort++));
        listener.arrived(accepted);
        return client;
    }

    /** Returns the number of open descriptors. */
    public int openDescriptors() {
        return (int) descriptors.stream().filter(Objects::nonNull).count();
    }

    /** Returns the number of io_uring operations submitted with an opcode. */
    public int submissions(int opcode) {
        return submissions.getOrDefault(opcode, 0);
    }

    void submitted(int opcode) {
        submissions.merge(opcode, 1, Integer::sum);
    }

    private MemorySocket newSocket() {
        MemorySocket socket = new MemorySocket(this, chance.sized(leastSocketBytes, mostSocketBytes));
        sockets.add(socket);
        return socket;
    }

    /** Lets connections to a port hang forever. */
    public void ignore(int port) {
        silent.add(port);
    }

    private static SocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Advances the world a little; returns whether anything happened, or could without the system under test. */
    private boolean step() {
        now += 1 + chance.below((int) STEP_NANOS);
        boolean alive = false;
        for (int i = sockets.size() - 1; i >= 0; i--) {
            MemorySocket socket = sockets.get(i);
            if (socket.isConnecting()) {
                alive |= !isIgnored(socket);
                if (!chance.oneIn(faults().delay())) {
                    establish(socket);
                }
            } else if (socket.isMoving()) {
                alive = true;
                if (!chance.oneIn(faults().delay())) {
                    socket.arrive(chance);
                }
            }
        }
        boolean peersAlive = stepPeers();
        return alive || peersAlive;
    }

    private boolean stepPeers() {
        boolean alive = false;
        int count = peers.size();
        int first = count == 0 ? 0 : chance.below(count);
        int turns = chance.between(1, PEERS_PER_STEP);
        for (int i = 0; i < count && (turns > 0 || !alive); i++) {
            if (peers.get((first + i) % count).step()) {
                alive = true;
                turns--;
            }
        }
        return alive;
    }

    private boolean isIgnored(MemorySocket socket) {
        return silent.contains(port(socket.remote()));
    }

    private static int port(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    private void establish(MemorySocket socket) {
        if (isIgnored(socket)) {
            return;
        }
        SocketAddress address = socket.remote();
        int port = port(address);
        RemoteServer server = servers.get(port);
        MemoryListener listener = listeners.get(port);
        if (server == null && listener == null) {
            socket.connected(Errno.ECONNREFUSED);
            return;
        }
        MemorySocket far = newSocket();
        socket.join(far);
        socket.connected(0);
        if (server != null) {
            server.onConnection(far);
        } else {
            far.names(address, socket.local());
            Objects.requireNonNull(listener).arrived(far);
        }
    }

    /**
     * Waits in simulated time.
     *
     * @return true if the condition was met
     */
    boolean await(BooleanSupplier ready, long timeoutMillis) {
        callsSinceWait = 0;
        failing = !healed;
        long deadline = timeoutMillis < 0 ? Long.MAX_VALUE : now + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        int idle = 0;
        for (int steps = 0; steps < STEPS_PER_WAIT_MAX; steps++) {
            idle = step() ? 0 : idle + 1;
            // Evaluated once in each round: the condition may consume events.
            if (ready.getAsBoolean()) {
                return true;
            }
            if (timeoutMillis == 0 || now >= deadline) {
                return false;
            }
            if (idle == IDLE_STEPS) {
                sleep(timeoutMillis);
                now = deadline;
                return false;
            }
        }
        throw new SimulationFailure("the world continued for " + STEPS_PER_WAIT_MAX + " steps without an event");
    }

    private void sleep(long timeoutMillis) {
        finished = isOver.getAsBoolean();
        if (finished) {
            return;
        }
        if (timeoutMillis < 0 || timeoutMillis > longestSleepMillis) {
            throw new SimulationFailure("the loop sleeps, timeout=" + timeoutMillis
                    + " ms, and nothing can wake it; peers: " + peers + ", sockets: " + sockets);
        }
    }

    /** Checks for an endless turn; every call passes here. */
    private void called() {
        if (closed) {
            throw new SimulationFailure("system call after the end");
        }
        if (++callsSinceWait > CALLS_BETWEEN_WAITS_MAX) {
            throw new SimulationFailure("more than " + CALLS_BETWEEN_WAITS_MAX + " calls in one turn");
        }
    }

    // --- descriptors -------------------------------------------------------------------------------------------------

    private int open(Object thing) {
        int place = descriptors.indexOf(null);
        if (place < 0) {
            place = descriptors.size();
            descriptors.add(thing);
        } else {
            descriptors.set(place, thing);
        }
        return FIRST_DESCRIPTOR + place;
    }

    Object at(int fd) {
        int place = fd - FIRST_DESCRIPTOR;
        Object thing = place >= 0 && place < descriptors.size() ? descriptors.get(place) : null;
        if (thing == null) {
            throw new SimulationFailure("call with a closed descriptor: " + fd);
        }
        return thing;
    }

    private MemorySocket socketAt(int fd) {
        return (MemorySocket) at(fd);
    }

    private boolean lacksResources() {
        return chance.oneIn(faults().noResources());
    }

    private int lackOfResources() {
        return -LACKS[chance.below(LACKS.length)];
    }

    @Override
    public int close(int fd) {
        called();
        Object thing = at(fd);
        descriptors.set(fd - FIRST_DESCRIPTOR, null);
        switch (thing) {
            case MemorySocket socket -> closeSocket(socket);
            case MemoryListener listener -> closeListener(listener);
            case SimulatedRing ring -> ring.close();
            default -> {}
        }
        return 0;
    }

    private void closeSocket(MemorySocket socket) {
        if (socket.armed > 0) {
            throw new SimulationFailure("socket closed while used by the ring, operations=" + socket.armed);
        }
        EpollWatch watch = socket.watch();
        if (watch != null) {
            watch.remove();
            socket.watch(null);
        }
        socket.close();
    }

    private void closeListener(MemoryListener listener) {
        if (listener.armed > 0) {
            throw new SimulationFailure("listener closed while used by the ring");
        }
        listener.closed = true;
        listeners.values().remove(listener);
        listener.waiting.forEach(MemorySocket::reset);
        if (listener.watch != null) {
            listener.watch.remove();
        }
    }

    // --- sockets -----------------------------------------------------------------------------------------------------

    @Override
    public int socket(int domain, int type, int protocol) {
        called();
        return lacksResources() ? lackOfResources() : open(newSocket());
    }

    @Override
    public int bind(int fd, long address, int length) {
        called();
        socketAt(fd).names(SockAddr.decode(address, length), null);
        return 0;
    }

    @Override
    public int listen(int fd, int backlog) {
        called();
        InetSocketAddress address =
                (InetSocketAddress) Objects.requireNonNull(socketAt(fd).local());
        MemoryListener listener = new MemoryListener();
        sockets.remove(socketAt(fd));
        descriptors.set(fd - FIRST_DESCRIPTOR, listener);
        listeners.put(address.getPort(), listener);
        return 0;
    }

    @Override
    public int accept4(int fd, long address, long lengthAddress, int flags) {
        called();
        int accepted = accept((MemoryListener) at(fd));
        if (accepted >= 0 && address != 0) {
            // Also of a peer that has gone, unlike getpeername(2): inet_getname in net/ipv4/af_inet.c.
            name(socketAt(accepted).acceptedFrom(), address, lengthAddress);
        }
        return accepted;
    }

    /** Returns a descriptor, or -errno; -EAGAIN without a waiting connection. */
    int accept(MemoryListener listener) {
        if (listener.waiting.isEmpty()) {
            return -Errno.EAGAIN;
        }
        if (lacksResources()) {
            return lackOfResources();
        }
        if (chance.oneIn(faults().aborted())) {
            return -Errno.ECONNABORTED;
        }
        return open(listener.waiting.remove());
    }

    @Override
    public int connect(int fd, long address, int length) {
        called();
        MemorySocket socket = socketAt(fd);
        beginConnect(socket, address, length);
        return socket.isConnecting() ? -Errno.EINPROGRESS : -socket.takeError();
    }

    void beginConnect(MemorySocket socket, long address, int length) {
        socket.names(loopback(nextPort++), SockAddr.decode(address, length));
        socket.connecting();
        if (chance.oneIn(4)) {
            establish(socket);
        }
    }

    @Override
    public int shutdown(int fd, int how) {
        called();
        if (how != Constants.SHUT_WR) {
            throw new SimulationFailure("only SHUT_WR is simulated");
        }
        return socketAt(fd).shutdownOutput();
    }

    @Override
    public int setsockopt(int fd, int level, int name, long valueAddress, int length) {
        called();
        if (level == Constants.SOL_SOCKET && name == Constants.SO_LINGER) {
            socketAt(fd).resetOnClose();
        }
        return 0;
    }

    @Override
    public int getsockopt(int fd, int level, int name, long valueAddress, long lengthAddress) {
        called();
        if (level != Constants.SOL_SOCKET || name != Constants.SO_ERROR) {
            throw new SimulationFailure("only SO_ERROR is simulated, name=" + name);
        }
        RawMemory.putInt(valueAddress, socketAt(fd).takeError());
        return 0;
    }

    @Override
    public int getsockname(int fd, long address, long lengthAddress) {
        called();
        if (at(fd) instanceof MemoryListener listener) {
            int port = listeners.entrySet().stream()
                    .filter(entry -> entry.getValue() == listener)
                    .findFirst()
                    .orElseThrow()
                    .getKey();
            return name(loopback(port), address, lengthAddress);
        }
        return name(socketAt(fd).local(), address, lengthAddress);
    }

    @Override
    public int getpeername(int fd, long address, long lengthAddress) {
        called();
        return name(socketAt(fd).remote(), address, lengthAddress);
    }

    private static int name(@Nullable SocketAddress name, long address, long lengthAddress) {
        if (name == null) {
            return -Errno.ENOTCONN;
        }
        RawMemory.putInt(lengthAddress, SockAddr.encode(name, address));
        return 0;
    }

    @Override
    public long recv(int fd, long address, long length, int flags) {
        called();
        if (chance.oneIn(faults().interrupted())) {
            return -Errno.EINTR;
        }
        MemorySocket socket = socketAt(fd);
        return (flags & Constants.MSG_PEEK) != 0 ? socket.peek(length) : socket.receive(address, length);
    }

    @Override
    public long send(int fd, long address, long length, int flags) {
        called();
        if (chance.oneIn(faults().interrupted())) {
            return -Errno.EINTR;
        }
        return socketAt(fd).send(address, length, chance.oneIn(faults().shortSend()));
    }

    // --- epoll and events --------------------------------------------------------------------------------------------

    @Override
    public int epollCreate(int flags) {
        called();
        return open(new SimulatedEpoll(this));
    }

    @Override
    public int epollControl(int epollFd, int operation, int fd, long eventAddress) {
        called();
        if (operation != Constants.EPOLL_CTL_ADD) {
            throw new SimulationFailure("only EPOLL_CTL_ADD is simulated");
        }
        Object watched = at(fd);
        EpollWatch entry = ((SimulatedEpoll) at(epollFd))
                .add(watched, EpollEvent.events(eventAddress), EpollEvent.data(eventAddress));
        switch (watched) {
            case MemorySocket socket -> socket.watch(entry);
            case MemoryListener listener -> listener.watch = entry;
            case MemoryEvent event -> event.watch = entry;
            default -> throw new SimulationFailure("epoll cannot watch this: " + watched);
        }
        return 0;
    }

    @Override
    public int epollWait(int epollFd, long eventsAddress, int maxEvents, int timeoutMillis) {
        called();
        if (chance.oneIn(faults().interrupted())) {
            callsSinceWait = 0;
            return -Errno.EINTR;
        }
        SimulatedEpoll epoll = (SimulatedEpoll) at(epollFd);
        int[] count = new int[1];
        await(() -> (count[0] = epoll.collect(eventsAddress, maxEvents)) > 0, timeoutMillis);
        return count[0];
    }

    @Override
    public int eventfd(int initialValue, int flags) {
        called();
        return open(new MemoryEvent());
    }

    @Override
    public boolean signal(int fd) {
        called();
        ((MemoryEvent) at(fd)).signal();
        return true;
    }

    // --- io_uring ----------------------------------------------------------------------------------------------------

    @Override
    public long syscall(long number, long a, long b, long c, long d, long e, long f) {
        called();
        return switch ((int) number) {
            case SYS_IO_URING_SETUP -> setUpRing((int) a, b);
            case SYS_IO_URING_ENTER -> ringToEnter((int) a, (int) d).enter((int) b, (int) c, (int) d, e);
            case SYS_IO_URING_REGISTER -> ((SimulatedRing) at((int) a)).register((int) b, c, (int) d);
            default -> throw new SimulationFailure("system call " + number + " is not simulated");
        };
    }

    private SimulatedRing ringToEnter(int number, int flags) {
        boolean registered = (flags & UringConstants.IORING_ENTER_REGISTERED_RING) != 0;
        SimulatedRing ring = registered ? registeredRings.get(number) : (SimulatedRing) at(number);
        if (ring == null) {
            throw new SimulationFailure("io_uring_enter with " + number + ", by which no ring is registered");
        }
        return ring;
    }

    /** Registers a ring by a number that is no descriptor; false when it is refused. */
    boolean registerRing(SimulatedRing ring, long argument) {
        if (!ringRules.registersRings()) {
            return false;
        }
        int number = nextRegisteredRing++;
        registeredRings.put(number, ring);
        RawMemory.putInt(argument, number);
        return true;
    }

    boolean unregisterRing(int number) {
        return registeredRings.remove(number) != null;
    }

    private int setUpRing(int entries, long params) {
        int refusal = ringRules.refusal(entries, params);
        if (refusal < 0) {
            return refusal;
        }
        SimulatedRing ring = new SimulatedRing(this, entries, params);
        return open(ring);
    }

    void waitIsOver() {
        callsSinceWait = 0;
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        called();
        return ((SimulatedRing) at(fd)).map(offset);
    }

    @Override
    public int munmap(long address, long length) {
        called();
        return 0;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void close() {
        closed = true;
    }
}
