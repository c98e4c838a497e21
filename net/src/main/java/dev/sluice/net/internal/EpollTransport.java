package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.EpollEvent;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.EventLoop;
import dev.sluice.net.LoopStatistics;
import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.net.TurnWatcher;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Completions out of readiness, over edge-triggered epoll(7).
 *
 * <p>An endpoint that wants an operation which its descriptor is believed ready for stands in the queue of work; each
 * turn works the queue round robin, one system call per endpoint and round, up to a budget, so that a busy connection
 * cannot starve the others; only what is to be sent goes before what is to be received. EAGAIN ends the belief, the
 * next edge renews it. A turn that finds work which tasks have asked for does that without a wait, if the turn before
 * has caught up with the kernel's events; never two in a row.
 */
final class EpollTransport implements Transport {
    private static final int MAX_EVENTS = 512;
    /** Operations of one turn: what is received is mostly sent on, which takes one of its own. */
    private static final int WORK_BUDGET = 4 * LEAST_SERVED_PER_TURN;

    private static final long WAKE_TOKEN = -1L;
    /** Marker in place of a receive's address: it, or accepting, is to end with -ECANCELED. */
    private static final long CANCELLED = -1L;

    private static final int INTEREST =
            Constants.EPOLLIN | Constants.EPOLLOUT | Constants.EPOLLRDHUP | Constants.EPOLLET;
    private static final int BROKEN = Constants.EPOLLERR | Constants.EPOLLHUP;

    private static final int READS = Operation.RECEIVE | Operation.ACCEPT;
    private static final int WRITES = Operation.SEND | Operation.CONNECT;

    private @Nullable TurnWatcher watcher;
    private final Kernel kernel;
    private final Sockets sockets;
    private final LoopBuffers buffers;
    private final LoopStatistics statistics;
    private final NativeAllocator allocator;
    private final EndpointTable endpoints = new EndpointTable();
    private final EndpointQueue work = new EndpointQueue();
    private final EndpointQueue starved = new EndpointQueue();
    private final EndpointQueue detached = new EndpointQueue();
    private final UnwatchedEndpoints unwatched;
    private final MemorySegment events;
    private final long eventsAddress;
    private final int epollFd;
    private final int wakeFd;
    /** True while the last poll has asked the kernel for events, and has done all that they made possible. */
    private boolean caughtUp;

    EpollTransport(
            Kernel kernel, Sockets sockets, LoopBuffers buffers, LoopStatistics statistics, NativeAllocator allocator) {
        this.kernel = kernel;
        this.sockets = sockets;
        this.buffers = buffers;
        this.statistics = statistics;
        this.allocator = allocator;
        this.unwatched = new UnwatchedEndpoints(kernel, sockets);
        this.epollFd = checked("epoll_create1", kernel.epollCreate(Constants.EPOLL_CLOEXEC));
        this.wakeFd = kernel.eventfd(0, Constants.EFD_CLOEXEC | Constants.EFD_NONBLOCK);
        if (wakeFd < 0) {
            kernel.close(epollFd);
            checked("eventfd", wakeFd);
        }
        this.events = allocator.allocate((long) MAX_EVENTS * EpollEvent.BYTES, 8);
        this.eventsAddress = events.address();
        EpollEvent.set(eventsAddress, Constants.EPOLLIN | Constants.EPOLLET, WAKE_TOKEN);
        checked("epoll_ctl", kernel.epollControl(epollFd, Constants.EPOLL_CTL_ADD, wakeFd, eventsAddress));
    }

    private static int checked(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException("no event loop: " + call + ": " + Errno.describe(result)
                    + "; raise RLIMIT_NOFILE (ulimit -n) when descriptors have run out");
        }
        return result;
    }

    @Override
    public EventLoop.Backend backend() {
        return EventLoop.Backend.EPOLL;
    }

    @Override
    public int socketFlags() {
        return Constants.SOCK_NONBLOCK;
    }

    @Override
    public int attach(Endpoint endpoint, int fd) {
        endpoint.fd = fd;
        endpoints.add(endpoint);
        EpollEvent.set(eventsAddress, INTEREST, EndpointTable.token(endpoint, 0));
        int result = kernel.epollControl(epollFd, Constants.EPOLL_CTL_ADD, fd, eventsAddress);
        if (result < 0) {
            endpoints.remove(endpoint);
            kernel.close(fd);
            return result;
        }
        // A new socket has room to send; one that is not connected yet says so with EAGAIN.
        endpoint.readiness = Readiness.WRITABLE;
        return 0;
    }

    @Override
    public void accept(Endpoint endpoint) {
        endpoint.receiveAddress = 0;
        // An edge may have passed while accepting rested.
        endpoint.readiness |= Readiness.READABLE;
        want(endpoint, Operation.ACCEPT);
    }

    @Override
    public void cancelAccept(Endpoint endpoint) {
        // The next round sees it cancelled: completions never come from inside a call.
        endpoint.receiveAddress = CANCELLED;
        endpoint.readiness |= Readiness.READABLE;
        enqueue(endpoint);
    }

    @Override
    public void connect(Endpoint endpoint, SocketAddress address) {
        int result = sockets.connect(endpoint.fd, address);
        statistics.increment(Counter.SYSTEM_CALLS);
        endpoint.connectResult = (short) result;
        endpoint.readiness = result == -Errno.EINPROGRESS ? (byte) 0 : Readiness.WRITABLE;
        want(endpoint, Operation.CONNECT);
    }

    @Override
    public void receive(Endpoint endpoint, int limit) {
        endpoint.receiveAddress = 0;
        endpoint.receiveCapacity = limit;
        UnwatchedEndpoints.noteReceive(endpoint);
        want(endpoint, Operation.RECEIVE);
    }

    @Override
    public void receiveInto(Endpoint endpoint, long address, int capacity) {
        endpoint.receiveAddress = address;
        endpoint.receiveCapacity = capacity;
        UnwatchedEndpoints.noteReceive(endpoint);
        want(endpoint, Operation.RECEIVE);
    }

    @Override
    public void cancelReceive(Endpoint endpoint) {
        if ((endpoint.wanted & Operation.RECEIVE) != 0) {
            // The next round sees it cancelled: completions never come from inside a call.
            endpoint.receiveAddress = CANCELLED;
            endpoint.readiness |= Readiness.READABLE;
            enqueue(endpoint);
        }
    }

    @Override
    public void send(Endpoint endpoint, long address, int length, boolean more) {
        endpoint.sendHasMore = more;
        endpoint.sendAddress = address;
        endpoint.sendLength = length;
        if (!endpoint.detaching && !endpoint.queued && (endpoint.readiness & Readiness.WRITABLE) != 0) {
            // Next of all, while what it sends is in the processor's cache.
            endpoint.wanted |= Operation.SEND;
            endpoint.queued = true;
            work.addFirst(endpoint);
        } else {
            want(endpoint, Operation.SEND);
        }
    }

    @Override
    public void detach(Endpoint endpoint, boolean reset) {
        if (!endpoint.detaching) {
            endpoint.detaching = true;
            endpoint.reset = reset;
            endpoint.wanted = 0;
            // Closed later: the number must not be used again while events for it stand in the batch.
            detached.add(endpoint);
        }
    }

    @Override
    public int attachedCount() {
        return endpoints.size();
    }

    @Override
    public void announceClosing() {
        for (int slot = 0; slot < endpoints.slots(); slot++) {
            Endpoint endpoint = endpoints.at(slot);
            if (endpoint != null) {
                endpoint.onLoopClosing();
            }
        }
    }

    @Override
    public void watch(@Nullable TurnWatcher turnWatcher) {
        watcher = turnWatcher;
    }

    @Override
    public int poll(long timeoutMillis) {
        feedStarved();
        boolean busy = !work.isEmpty() || !detached.isEmpty();
        boolean asks = !busy || !caughtUp;
        int done = detached.size();
        if (asks) {
            done += awaitEvents(busy ? 0 : (int) Math.min(unwatched.limit(timeoutMillis), Integer.MAX_VALUE));
        } else if (watcher != null) {
            // Tasks have asked for this since the last poll: the next one asks the kernel.
            watcher.turnBegins();
        }
        done += workQueue();
        done += examineUnwatched();
        caughtUp = asks && work.isEmpty();
        closeDetached();
        return done;
    }

    /** Waits for events and notes what they say; returns how many there were. */
    private int awaitEvents(int timeoutMillis) {
        int count = kernel.epollWait(epollFd, eventsAddress, MAX_EVENTS, timeoutMillis);
        statistics.increment(Counter.SYSTEM_CALLS);
        if (watcher != null) {
            watcher.turnBegins();
        }
        if (count < 0 && count != -Errno.EINTR) {
            throw new IllegalStateException("epoll_wait: " + Errno.describe(count));
        }
        for (int i = 0; i < count; i++) {
            noteReadiness(EpollEvent.at(eventsAddress, i));
        }
        return Math.max(0, count);
    }

    private void noteReadiness(long event) {
        long token = EpollEvent.data(event);
        Endpoint endpoint = token == WAKE_TOKEN ? null : endpoints.find(token);
        if (endpoint == null) {
            return;
        }
        int bits = EpollEvent.events(event);
        if ((bits & (Constants.EPOLLIN | Constants.EPOLLRDHUP | BROKEN)) != 0) {
            endpoint.readiness |= Readiness.READABLE;
        }
        if ((bits & (Constants.EPOLLOUT | BROKEN)) != 0) {
            endpoint.readiness |= Readiness.WRITABLE;
        }
        UnwatchedEndpoints.note(endpoint, bits);
        enqueueIfRunnable(endpoint);
        leaveToExamine(endpoint);
    }

    private void leaveToExamine(Endpoint endpoint) {
        if (UnwatchedEndpoints.isUnexamined(endpoint) && isUnwatched(endpoint)) {
            unwatched.add(endpoint);
        }
    }

    /** Returns true when no receive would meet an end of the connection. */
    private static boolean isUnwatched(Endpoint endpoint) {
        boolean waitsForBuffer = endpoint.starved && endpoint.receiveAddress == 0;
        int watching = endpoint.wanted & (READS | Operation.CONNECT);
        return !endpoint.detaching && (watching == 0 || (watching == Operation.RECEIVE && waitsForBuffer));
    }

    /** Examines those that are due; returns the number of those that were told something. */
    private int examineUnwatched() {
        int told = 0;
        for (int left = unwatched.due(); left > 0; left--) {
            Endpoint endpoint = unwatched.next();
            if (endpoint != null && isUnwatched(endpoint) && unwatched.examine(endpoint)) {
                told++;
                leaveToExamine(endpoint);
            }
        }
        return told;
    }

    /** Works the queue; returns how many have had their turn. */
    private int workQueue() {
        int done = 0;
        for (; done < WORK_BUDGET; done++) {
            Endpoint endpoint = work.poll();
            if (endpoint == null) {
                return done;
            }
            endpoint.queued = false;
            try {
                workOn(endpoint);
            } catch (Throwable t) {
                endpoint.onThrown(t);
            }
            enqueueIfRunnable(endpoint);
            leaveToExamine(endpoint);
        }
        return done;
    }

    private void workOn(Endpoint endpoint) {
        if (canWrite(endpoint)) {
            if ((endpoint.wanted & Operation.CONNECT) != 0) {
                finishConnect(endpoint);
            } else {
                sendNow(endpoint);
            }
        }
        if (canRead(endpoint)) {
            if ((endpoint.wanted & Operation.ACCEPT) != 0) {
                acceptNow(endpoint);
            } else {
                receiveNow(endpoint);
            }
        }
    }

    private void acceptNow(Endpoint endpoint) {
        if (endpoint.receiveAddress == CANCELLED) {
            endpoint.wanted &= ~Operation.ACCEPT;
            endpoint.onAccepted(-Errno.ECANCELED, null);
            return;
        }
        int flags = Constants.SOCK_NONBLOCK | Constants.SOCK_CLOEXEC;
        for (int i = 0; i < MOST_ACCEPTED_PER_TURN && !endpoint.detaching; i++) {
            int result = sockets.accept(endpoint.fd, flags);
            statistics.increment(Counter.SYSTEM_CALLS);
            if (result == -Errno.EAGAIN) {
                endpoint.readiness &= ~Readiness.READABLE;
                return;
            }
            if (result < 0 && result != -Errno.EINTR) {
                endpoint.wanted &= ~Operation.ACCEPT;
                endpoint.onAccepted(result, null);
                return;
            }
            if (result >= 0) {
                endpoint.onAccepted(result, sockets.acceptedFrom());
            }
        }
    }

    private void finishConnect(Endpoint endpoint) {
        int result = endpoint.connectResult;
        if (result == -Errno.EINPROGRESS) {
            // A connect that fails is reported as an error, also where it can be written to (tcp_poll in
            // net/ipv4/tcp.c).
            boolean broken = (endpoint.readiness & Readiness.BROKEN) != 0;
            result = broken ? sockets.pendingError(endpoint.fd) : 0;
        }
        endpoint.wanted &= ~Operation.CONNECT;
        endpoint.onConnected(result);
    }

    private void sendNow(Endpoint endpoint) {
        int flags = Constants.MSG_NOSIGNAL | (endpoint.sendHasMore ? Constants.MSG_MORE : 0);
        long result = kernel.send(endpoint.fd, endpoint.sendAddress, endpoint.sendLength, flags);
        statistics.increment(Counter.SYSTEM_CALLS);
        if (result == -Errno.EAGAIN) {
            endpoint.readiness &= ~Readiness.WRITABLE;
        } else if (result != -Errno.EINTR) {
            if (result >= 0 && result < endpoint.sendLength) {
                endpoint.readiness &= ~Readiness.WRITABLE;
            }
            endpoint.wanted &= ~Operation.SEND;
            endpoint.onSent((int) result);
        }
    }

    private void receiveNow(Endpoint endpoint) {
        if (endpoint.receiveAddress == CANCELLED) {
            receiveOver(endpoint, -Errno.ECANCELED, null);
        } else if (endpoint.receiveAddress != 0) {
            long result = receive(endpoint, endpoint.receiveAddress, endpoint.receiveCapacity);
            if (result != -Errno.EAGAIN) {
                receiveOver(endpoint, (int) result, null);
            }
        } else {
            receiveIntoBuffer(endpoint);
        }
    }

    private void receiveIntoBuffer(Endpoint endpoint) {
        Slab buffer = buffers.lease(endpoint.receiveCapacity);
        if (buffer == null) {
            starve(endpoint);
            return;
        }
        int capacity = Math.min(endpoint.receiveCapacity, LoopBuffers.room(buffer));
        long result = receive(endpoint, buffer.address() + BufferGeometry.HEADROOM, capacity);
        if (result > 0) {
            buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + (int) result);
            receiveOver(endpoint, (int) result, buffer);
        } else {
            buffer.release();
            if (result != -Errno.EAGAIN) {
                receiveOver(endpoint, (int) result, null);
            }
        }
    }

    /**
     * Queues a receive that waits for a buffer. What is to be sent does not: it may hold the very buffers that are
     * missing.
     */
    private void starve(Endpoint endpoint) {
        statistics.increment(Counter.BUFFER_SHORTAGES);
        if (!endpoint.starved) {
            endpoint.starved = true;
            starved.add(endpoint);
        }
    }

    /** Receives; EAGAIN and EINTR come out as -EAGAIN, with the belief in readiness kept up to date. */
    private long receive(Endpoint endpoint, long address, int capacity) {
        long result = kernel.recv(endpoint.fd, address, capacity, 0);
        statistics.increment(Counter.SYSTEM_CALLS);
        if (result == -Errno.EINTR) {
            return -Errno.EAGAIN;
        }
        // Less than asked for means drained (epoll(7), edge-triggered), unless an end stands behind it, or a record of
        // another type.
        boolean isStream = (endpoint.readiness & Readiness.HANGUP) == 0 && !endpoint.recordsInKernel;
        boolean drained = result > 0 && result < capacity && isStream;
        if (result == -Errno.EAGAIN || drained) {
            endpoint.readiness &= ~Readiness.READABLE;
        }
        return result;
    }

    private static void receiveOver(Endpoint endpoint, int result, @Nullable Slab buffer) {
        endpoint.wanted &= ~Operation.RECEIVE;
        if (result == 0) {
            UnwatchedEndpoints.noteEnd(endpoint);
        }
        endpoint.onReceived(result, buffer);
    }

    /** Lets those that had no buffer try again once there is one. */
    private void feedStarved() {
        int free = buffers.ordinary().maxSlabs() - buffers.ordinary().leasedCount();
        while (free-- > 0) {
            Endpoint endpoint = starved.poll();
            if (endpoint == null) {
                return;
            }
            endpoint.starved = false;
            enqueueIfRunnable(endpoint);
        }
    }

    private void closeDetached() {
        // Only those that stand there now: what onDetached detaches is for the next turn.
        for (int left = detached.size(); left > 0; left--) {
            Endpoint endpoint = detached.poll();
            if (endpoint != null) {
                closeNow(endpoint);
            }
        }
    }

    private void closeNow(Endpoint endpoint) {
        if (endpoint.reset) {
            sockets.resetOnClose(endpoint.fd);
        }
        endpoints.remove(endpoint);
        kernel.close(endpoint.fd);
        endpoint.onDetached();
    }

    private void want(Endpoint endpoint, int operation) {
        if (!endpoint.detaching) {
            endpoint.wanted |= (byte) operation;
            enqueueIfRunnable(endpoint);
        }
    }

    private void enqueueIfRunnable(Endpoint endpoint) {
        if (canRead(endpoint) || canWrite(endpoint)) {
            enqueue(endpoint);
        }
    }

    private static boolean canRead(Endpoint endpoint) {
        boolean waitsForBuffer = endpoint.starved && endpoint.receiveAddress == 0;
        return (endpoint.wanted & READS) != 0 && (endpoint.readiness & Readiness.READABLE) != 0 && !waitsForBuffer;
    }

    private static boolean canWrite(Endpoint endpoint) {
        return (endpoint.wanted & WRITES) != 0 && (endpoint.readiness & Readiness.WRITABLE) != 0;
    }

    private void enqueue(Endpoint endpoint) {
        if (!endpoint.queued) {
            endpoint.queued = true;
            work.add(endpoint);
        }
    }

    @Override
    public void wakeUp() {
        kernel.signal(wakeFd);
    }

    @Override
    public void close() {
        kernel.close(wakeFd);
        kernel.close(epollFd);
        allocator.free(events);
    }
}
