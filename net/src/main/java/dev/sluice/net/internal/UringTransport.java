package dev.sluice.net.internal;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.SockAddr;
import dev.sluice.ffi.uring.CompletionQueue;
import dev.sluice.ffi.uring.Ring;
import dev.sluice.ffi.uring.Sqe;
import dev.sluice.ffi.uring.UringConstants;
import dev.sluice.ffi.uring.UringUnavailableException;
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
 * Completions from io_uring(7): one system call per turn submits everything and waits.
 *
 * <p>Receives choose their buffer from the loop's {@link ReceiveBuffers} when the bytes are there. They are one-shot,
 * but those of calm connections stay in the kernel and go on by themselves: {@link MultishotReceives}. Accepts go on
 * until they fail. An endpoint from which nothing is received for a while has a poll instead:
 * {@link UnwatchedEndpoints}.
 *
 * <p>An endpoint's slot is freed, and its descriptor closed, only when the kernel has ended each operation that it
 * holds for it: until then it may still write to the memory of a receive, or deliver an accepted socket.
 */
final class UringTransport implements Transport {
    // Behind those of Operation, in the same place of a token.
    private static final int WAKE = 0x20;
    /** Flag of a cancel, beside the operation that is cancelled. */
    private static final int CANCEL = 0x40;

    /** A close, which belongs to no endpoint any more. */
    private static final int CLOSE = 0x80;

    private static final long CLOSE_TOKEN = (long) CLOSE << 56;
    private static final long WAKE_TOKEN = (long) WAKE << 56;
    private static final long CANCEL_WAKE_TOKEN = (long) CANCEL << 56;
    private static final int SEND_FLAGS = Constants.MSG_NOSIGNAL | Constants.MSG_WAITALL;

    /** Flags for a socket whose records the kernel protects, which refuses MSG_WAITALL (tls_sw_sendmsg). */
    private static final int SEND_RECORDS_FLAGS = Constants.MSG_NOSIGNAL;

    /** Addresses that connects of one turn point to; read by the kernel when they are submitted. */
    private static final int CONNECT_AREAS = 16;

    private static final int WAKE_BYTES = 8;
    private static final int CLOSE_ATTEMPTS = 10;
    private static final long CLOSE_POLL_MILLIS = 100;

    private @Nullable TurnWatcher watcher;
    private final Kernel kernel;
    private final Sockets sockets;
    private final LoopStatistics statistics;
    private final NativeAllocator allocator;
    private final EndpointTable endpoints = new EndpointTable();
    private final EndpointQueue starved = new EndpointQueue();
    /** Endpoints whose receive was cancelled while it waited for a buffer. */
    private final EndpointQueue cancelled = new EndpointQueue();

    private final EndpointQueue detached = new EndpointQueue();
    private final UnwatchedEndpoints unwatched;
    private final AcceptedSockets accepted = new AcceptedSockets();
    private final Ring ring;
    private final LoopBuffers loopBuffers;
    private final ReceiveBuffers buffers;
    private final MultishotReceives multishotReceives;
    private final MemorySegment scratch;
    private final long connectAreas;
    private final long wakeCounter;
    private final int wakeFd;
    private int connectAreasUsed;
    /** Receives into the group that the kernel has not been told of yet. */
    private int groupReceivesQueued;

    private boolean wakeArmed;

    /**
     * Creates a transport with its own ring.
     *
     * @throws UringUnavailableException with cause and remedy; nothing is held then
     */
    UringTransport(
            Kernel kernel,
            Sockets sockets,
            LoopBuffers loopBuffers,
            LoopStatistics statistics,
            NativeAllocator allocator,
            Ring ring) {
        this.kernel = kernel;
        this.sockets = sockets;
        this.statistics = statistics;
        this.allocator = allocator;
        this.ring = ring;
        this.unwatched = new UnwatchedEndpoints(kernel, sockets);
        this.loopBuffers = loopBuffers;
        this.buffers = new ReceiveBuffers(ring, loopBuffers.ordinary(), allocator);
        this.multishotReceives = new MultishotReceives(
                statistics, ring.receivesMany(), loopBuffers.ordinary().maxSlabs(), buffers.most(), unwatched);
        // Blocking: on a non-blocking descriptor io_uring answers EAGAIN instead of waiting.
        this.wakeFd = kernel.eventfd(0, Constants.EFD_CLOEXEC);
        if (wakeFd < 0) {
            buffers.close();
            throw new UringUnavailableException("eventfd: " + Errno.describe(wakeFd) + "; raise RLIMIT_NOFILE");
        }
        this.scratch = allocator.allocate((long) CONNECT_AREAS * SockAddr.MAX_BYTES + WAKE_BYTES, 8);
        this.connectAreas = scratch.address();
        this.wakeCounter = connectAreas + (long) CONNECT_AREAS * SockAddr.MAX_BYTES;
    }

    @Override
    public EventLoop.Backend backend() {
        return EventLoop.Backend.IO_URING;
    }

    @Override
    public int socketFlags() {
        return 0;
    }

    // --- asking -----------------------------------------------------------------------------------------------------

    @Override
    public int attach(Endpoint endpoint, int fd) {
        endpoint.fd = fd;
        endpoints.add(endpoint);
        unwatched.add(endpoint);
        return 0;
    }

    @Override
    public void accept(Endpoint endpoint) {
        if (begin(endpoint, Operation.ACCEPT)) {
            Sqe.acceptMany(
                    nextEntry(), EndpointTable.token(endpoint, Operation.ACCEPT), endpoint.fd, Constants.SOCK_CLOEXEC);
        }
    }

    @Override
    public void cancelAccept(Endpoint endpoint) {
        cancel(endpoint, Operation.ACCEPT);
    }

    @Override
    public void connect(Endpoint endpoint, SocketAddress address) {
        if (begin(endpoint, Operation.CONNECT)) {
            while (connectAreasUsed == CONNECT_AREAS) {
                submit();
            }
            // The entry first: taking it may submit, after which the areas are free again.
            long entry = nextEntry();
            long area = connectAreas + (long) connectAreasUsed * SockAddr.MAX_BYTES;
            int length = SockAddr.encode(address, area);
            connectAreasUsed++;
            Sqe.connect(entry, EndpointTable.token(endpoint, Operation.CONNECT), endpoint.fd, area, length);
        }
    }

    @Override
    public void receive(Endpoint endpoint, int limit) {
        endpoint.receiveAddress = 0;
        endpoint.receiveCapacity = limit;
        armReceive(endpoint);
    }

    @Override
    public void receiveInto(Endpoint endpoint, long address, int capacity) {
        endpoint.receiveAddress = address;
        endpoint.receiveCapacity = capacity;
        armReceive(endpoint);
    }

    private void armReceive(Endpoint endpoint) {
        if (endpoint.detaching) {
            return;
        }
        UnwatchedEndpoints.noteReceive(endpoint);
        if (multishotReceives.holdsFor(endpoint)) {
            endpoint.wanted |= Operation.RECEIVE;
            multishotReceives.ask(endpoint);
        } else if (endpoint.multishot) {
            wantOfMultishot(endpoint);
        } else if (endpoint.receiveAddress != 0) {
            armReceive(endpoint, endpoint.receiveAddress, 0);
        } else if (!armBulkReceive(endpoint)) {
            armReceiveIntoGroup(endpoint);
        }
    }

    private void armReceive(Endpoint endpoint, long address, int messageFlags) {
        if (begin(endpoint, Operation.RECEIVE)) {
            long token = EndpointTable.token(endpoint, Operation.RECEIVE);
            Sqe.receive(nextEntry(), token, endpoint.fd, address, endpoint.receiveCapacity, messageFlags);
        }
    }

    /**
     * Arms a receive for bytes that are there: the kernel answers EAGAIN when none are, so that no quiet connection
     * holds a buffer.
     */
    private boolean armBulkReceive(Endpoint endpoint) {
        if (endpoint.receiveCapacity <= BufferGeometry.ROOM) {
            return false;
        }
        Slab buffer = loopBuffers.leaseBulk();
        if (buffer == null) {
            return false;
        }
        endpoint.bulkBuffer = buffer;
        armReceive(endpoint, buffer.address() + BufferGeometry.HEADROOM, Constants.MSG_DONTWAIT);
        return true;
    }

    private void armReceiveIntoGroup(Endpoint endpoint) {
        if (buffers.available() == 0 || !starved.isEmpty()) {
            // The kernel would answer ENOBUFS at once, or give a buffer for which others have waited longer.
            endpoint.wanted |= Operation.RECEIVE;
            starve(endpoint);
        } else {
            armIntoGroup(endpoint);
        }
    }

    private void armIntoGroup(Endpoint endpoint) {
        if (begin(endpoint, Operation.RECEIVE)) {
            groupReceivesQueued++;
            long token = EndpointTable.token(endpoint, Operation.RECEIVE);
            endpoint.multishot = multishotReceives.suits(endpoint);
            if (endpoint.multishot) {
                Sqe.receiveManyIntoGroup(nextEntry(), token, endpoint.fd, ReceiveBuffers.GROUP);
            } else {
                int limit = Math.min(endpoint.receiveCapacity, BufferGeometry.ROOM);
                Sqe.receiveIntoGroup(nextEntry(), token, endpoint.fd, limit, ReceiveBuffers.GROUP);
            }
        }
    }

    /** Asks a multishot receive for what comes next; it has to end first when that is to go elsewhere. */
    private void wantOfMultishot(Endpoint endpoint) {
        endpoint.wanted |= Operation.RECEIVE;
        if (endpoint.receiveAddress != 0 || endpoint.receiveCapacity > BufferGeometry.ROOM) {
            cancel(endpoint, Operation.RECEIVE);
        }
    }

    @Override
    public void cancelReceive(Endpoint endpoint) {
        if ((endpoint.inKernel & Operation.RECEIVE) != 0 && !endpoint.multishot) {
            cancel(endpoint, Operation.RECEIVE);
        } else if (isWanted(endpoint)) {
            // Nothing in the kernel will tell of its end; completions never come from inside a call.
            endpoint.wanted &= ~Operation.RECEIVE;
            cancelled.add(endpoint);
            if (endpoint.multishot) {
                cancel(endpoint, Operation.RECEIVE);
            }
        }
    }

    @Override
    public void send(Endpoint endpoint, long address, int length, boolean more) {
        endpoint.sendHasMore = more;
        endpoint.sendAddress = address;
        endpoint.sendLength = length;
        armSend(endpoint);
    }

    private void armSend(Endpoint endpoint) {
        if (begin(endpoint, Operation.SEND)) {
            Sqe.send(
                    nextEntry(),
                    EndpointTable.token(endpoint, Operation.SEND),
                    endpoint.fd,
                    endpoint.sendAddress,
                    endpoint.sendLength,
                    (endpoint.recordsInKernel ? SEND_RECORDS_FLAGS : SEND_FLAGS)
                            | (endpoint.sendHasMore ? Constants.MSG_MORE : 0));
        }
    }

    private static boolean begin(Endpoint endpoint, int operation) {
        if (endpoint.detaching) {
            return false;
        }
        endpoint.wanted |= (byte) operation;
        endpoint.inKernel |= (byte) operation;
        return true;
    }

    @Override
    public void detach(Endpoint endpoint, boolean reset) {
        if (endpoint.detaching) {
            return;
        }
        endpoint.detaching = true;
        endpoint.reset = reset;
        endpoint.wanted = 0;
        if (endpoint.inKernel == 0) {
            detached.add(endpoint);
            return;
        }
        for (int left = endpoint.inKernel; left != 0; left &= left - 1) {
            cancel(endpoint, Integer.lowestOneBit(left));
        }
    }

    /** Ends an operation that the kernel holds; its completion tells when that is so. No effect the second time. */
    private void cancel(Endpoint endpoint, int operation) {
        if ((endpoint.cancelled & operation) == 0) {
            endpoint.cancelled |= (byte) operation;
            askToCancel(endpoint, operation);
        }
    }

    private void askToCancel(Endpoint endpoint, int operation) {
        long token = EndpointTable.token(endpoint, CANCEL | operation);
        Sqe.cancel(nextEntry(), token, EndpointTable.token(endpoint, operation));
    }

    /**
     * Asks again when the target was not found although it is not over: an operation whose poll has fired stands in no
     * table of the kernel's until it is issued again, and would wait for ever for bytes that need not come.
     */
    private void cancelOver(long token, int result) {
        Endpoint endpoint = endpoints.find(token);
        int operation = EndpointTable.operation(token) & ~CANCEL;
        if (endpoint != null && result == -Errno.ENOENT && (endpoint.cancelled & operation) != 0) {
            askToCancel(endpoint, operation);
        }
    }

    /** Returns an entry of the submission queue; submits first when that is full. */
    private long nextEntry() {
        long entry = ring.submissions().next();
        while (entry == 0) {
            submit();
            entry = ring.submissions().next();
        }
        return entry;
    }

    /**
     * Makes room in the queue. Nothing else proceeds: it would take the buffers that are meant for those who have
     * waited.
     */
    private void submit() {
        entered(ring.submit());
    }

    private void enter(long timeoutMillis) {
        entered(ring.enter(timeoutMillis));
    }

    private void entered(int result) {
        statistics.increment(Counter.SYSTEM_CALLS);
        if (result < 0 && !isTransient(result)) {
            throw new IllegalStateException("io_uring_enter: " + Errno.describe(result));
        }
        // Entries that were not taken, for want of memory, still point to their addresses.
        if (ring.submissions().pending() == 0) {
            connectAreasUsed = 0;
            groupReceivesQueued = 0;
        }
    }

    /** Returns true for ends of a wait, and refusals that pass when completions are taken out. */
    private static boolean isTransient(int result) {
        return result == -Errno.ETIME || result == -Errno.EINTR || result == -Errno.EBUSY || result == -Errno.EAGAIN;
    }

    // --- a turn -----------------------------------------------------------------------------------------------------

    @Override
    public void watch(@Nullable TurnWatcher turnWatcher) {
        watcher = turnWatcher;
    }

    @Override
    public int poll(long timeoutMillis) {
        armWake();
        buffers.refill();
        feedStarved();
        long timeout = hasMoreToDo() ? 0 : unwatched.limit(timeoutMillis);
        if (timeout != 0 || ring.hasWork()) {
            enter(timeout);
        }
        if (watcher != null) {
            watcher.turnBegins();
        }
        CompletionQueue completions = ring.completions();
        int done = completions.available() + (hasMoreToDo() ? 1 : 0);
        // Only those that stand there now: tasks and timers come in between.
        for (int left = completions.available(); left > 0 && completions.next(); left--) {
            dispatch(completions.token(), completions.result(), completions.flags());
        }
        if (multishotReceives.isNewlyCrowded()) {
            endMultishotReceives();
        }
        multishotReceives.give();
        tellCancelled();
        tellAccepted();
        done += watchUnwatched();
        closeDetached();
        return done;
    }

    private void endMultishotReceives() {
        for (int slot = 0; slot < endpoints.slots(); slot++) {
            Endpoint endpoint = endpoints.at(slot);
            if (endpoint != null && endpoint.multishot) {
                cancel(endpoint, Operation.RECEIVE);
            }
        }
    }

    /**
     * Returns true when waiting would hold something up: more starved receives can be armed than one turn arms, too.
     */
    private boolean hasMoreToDo() {
        return !detached.isEmpty()
                || !cancelled.isEmpty()
                || !accepted.isEmpty()
                || multishotReceives.isAsked()
                || ring.completions().available() > 0
                || (!starved.isEmpty() && buffers.available() > 0);
    }

    private void armWake() {
        if (!wakeArmed) {
            wakeArmed = true;
            Sqe.read(nextEntry(), WAKE_TOKEN, wakeFd, wakeCounter, WAKE_BYTES);
        }
    }

    /**
     * Arms starved receives, no more than there are buffers for, those that may be used up already taken off: or the
     * longest waiter loses.
     */
    private void feedStarved() {
        int free = buffers.available() - ring.completions().available() - groupReceivesQueued;
        for (int left = Math.min(free, starved.size()); left > 0; left--) {
            Endpoint endpoint = starved.poll();
            if (endpoint != null) {
                endpoint.starved = false;
                feed(endpoint);
            }
        }
    }

    private void feed(Endpoint endpoint) {
        boolean waits = (endpoint.wanted & ~endpoint.inKernel & Operation.RECEIVE) != 0;
        try {
            if (waits && !multishotReceives.holdsFor(endpoint) && !armBulkReceive(endpoint)) {
                armIntoGroup(endpoint);
            }
        } catch (Throwable t) {
            endpoint.onThrown(t);
        }
    }

    private void tellCancelled() {
        for (int left = cancelled.size(); left > 0; left--) {
            Endpoint endpoint = cancelled.poll();
            if (endpoint != null && !endpoint.detaching) {
                endpoint.onReceived(-Errno.ECANCELED, null);
                unwatched.add(endpoint);
            }
        }
    }

    private void dispatch(long token, int result, int flags) {
        int operation = EndpointTable.operation(token);
        if (operation == WAKE) {
            wakeArmed = false;
        } else if ((operation & CANCEL) != 0) {
            cancelOver(token, result);
        } else if (operation != CLOSE) {
            Endpoint endpoint = endpoints.find(token);
            if (endpoint == null) {
                throw new IllegalStateException("a completion for an endpoint that is gone: operation=" + operation
                        + ", result=" + result + ", flags=" + flags);
            }
            complete(endpoint, operation, result, flags);
        }
    }

    private void complete(Endpoint endpoint, int operation, int result, int flags) {
        Slab buffer = (flags & UringConstants.IORING_CQE_F_BUFFER) != 0
                ? buffers.take(flags)
                : operation == Operation.RECEIVE ? takeBulkBuffer(endpoint) : null;
        boolean over = (flags & UringConstants.IORING_CQE_F_MORE) == 0;
        boolean wasCancelled = (endpoint.cancelled & operation) != 0;
        if (over) {
            endpoint.inKernel &= (byte) ~operation;
            endpoint.cancelled &= (byte) ~operation;
        }
        if (endpoint.detaching) {
            dropLate(endpoint, operation, result, buffer);
            return;
        }
        boolean multishot = operation == Operation.RECEIVE && endpoint.multishot;
        if (over && !multishot) {
            endpoint.wanted &= (byte) ~operation;
        }
        try {
            if (multishot) {
                receivedSteadily(endpoint, result, buffer, over);
            } else {
                tell(endpoint, operation, result, buffer, over, wasCancelled);
            }
        } catch (Throwable t) {
            endpoint.onThrown(t);
        }
        if (isUnwatched(endpoint)) {
            unwatched.add(endpoint);
        }
    }

    private void tell(
            Endpoint endpoint, int operation, int result, @Nullable Slab buffer, boolean over, boolean wasCancelled) {
        switch (operation) {
            case Operation.ACCEPT -> accepted(endpoint, result, over, wasCancelled);
            case Operation.CONNECT -> endpoint.onConnected(result);
            case Operation.RECEIVE -> received(endpoint, result, buffer);
            case Operation.SEND -> sent(endpoint, result);
            case Operation.WATCH -> watched(endpoint, result);
            default -> throw new IllegalStateException("unknown operation in a completion: " + operation);
        }
    }

    private static @Nullable Slab takeBulkBuffer(Endpoint endpoint) {
        Slab buffer = endpoint.bulkBuffer;
        endpoint.bulkBuffer = null;
        return buffer;
    }

    private void dropLate(Endpoint endpoint, int operation, int result, @Nullable Slab buffer) {
        release(buffer);
        if (operation == Operation.ACCEPT && result >= 0) {
            sockets.close(result);
        }
        if (endpoint.inKernel == 0) {
            detached.add(endpoint);
        }
    }

    private void accepted(Endpoint endpoint, int result, boolean over, boolean wasCancelled) {
        if (result >= 0) {
            accepted.add(endpoint, result);
        } else if (!wasCancelled) {
            endpoint.onAccepted(result, null);
        }
        if (over && wasCancelled) {
            // Told behind the connections that were accepted before.
            accepted.add(endpoint, -Errno.ECANCELED);
        } else if (over && result >= 0) {
            // The kernel ended it for a reason of its own, such as a full completion queue.
            accept(endpoint);
        }
    }

    /**
     * Tells listeners of accepted sockets, after all else and some at a time: a rush of new connections must not keep
     * those waiting that there are.
     */
    private void tellAccepted() {
        for (int left = MOST_ACCEPTED_PER_TURN; left > 0 && !accepted.isEmpty(); left--) {
            tellNextAccepted();
        }
    }

    private void tellNextAccepted() {
        Endpoint listener = accepted.firstListener();
        int descriptor = accepted.take();
        if (listener == null || listener.detaching) {
            if (descriptor >= 0) {
                sockets.close(descriptor);
            }
        } else {
            // A multishot accept has one place for the addresses of all: none is safe there.
            listener.onAccepted(descriptor, descriptor < 0 ? null : sockets.peerAddress(descriptor));
        }
    }

    private void receivedSteadily(Endpoint endpoint, int result, @Nullable Slab buffer, boolean over) {
        endpoint.multishot = !over;
        if (result < 0 && isPassing(result)) {
            if (isWanted(endpoint)) {
                armReceive(endpoint);
            }
            return;
        }
        if (isWanted(endpoint) && endpoint.receiveAddress == 0 && !multishotReceives.holdsFor(endpoint)) {
            endpoint.wanted &= ~Operation.RECEIVE;
            received(endpoint, result, buffer);
        } else {
            hold(endpoint, result, buffer);
        }
        if (endpoint.multishot && !isWanted(endpoint)) {
            cancel(endpoint, Operation.RECEIVE);
        }
    }

    /** Returns true when a multishot receive has ended for a reason that has nothing to do with the stream. */
    private static boolean isPassing(int result) {
        return result == -Errno.ECANCELED
                || result == -Errno.ENOBUFS
                || result == -Errno.EINTR
                || result == -Errno.EAGAIN;
    }

    private void hold(Endpoint endpoint, int result, @Nullable Slab buffer) {
        if (result > 0) {
            multishotReceives.hold(endpoint, result, buffer);
        } else {
            release(buffer);
            multishotReceives.hold(
                    endpoint, result == 0 && unwatched.isReset(endpoint) ? -Errno.ECONNRESET : result, null);
            UnwatchedEndpoints.note(endpoint, Constants.EPOLLRDHUP);
        }
        if (isWanted(endpoint)) {
            multishotReceives.ask(endpoint);
        }
    }

    private static boolean isWanted(Endpoint endpoint) {
        return (endpoint.wanted & Operation.RECEIVE) != 0;
    }

    private static void release(@Nullable Slab buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }

    private void received(Endpoint endpoint, int result, @Nullable Slab buffer) {
        if (buffer != null && result > 0) {
            buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + result);
            MultishotReceives.note(endpoint, result);
            endpoint.onReceived(result, buffer);
            return;
        }
        release(buffer);
        if (result == -Errno.ENOBUFS && endpoint.receiveAddress == 0) {
            endpoint.wanted |= Operation.RECEIVE;
            starve(endpoint);
        } else if (result == -Errno.EINTR || result == -Errno.EAGAIN) {
            if (endpoint.receiveAddress == 0) {
                // A bulk buffer found nothing: the connection has gone quiet.
                endpoint.receiveCapacity = Math.min(endpoint.receiveCapacity, BufferGeometry.ROOM);
            }
            armReceive(endpoint);
        } else {
            UnwatchedEndpoints.noteEnd(endpoint);
            endpoint.onReceived(result == 0 && unwatched.isReset(endpoint) ? -Errno.ECONNRESET : result, null);
        }
    }

    private void sent(Endpoint endpoint, int result) {
        if (result == -Errno.EINTR || result == -Errno.EAGAIN) {
            armSend(endpoint);
        } else {
            endpoint.sendWasShort = result < endpoint.sendLength;
            endpoint.onSent(result);
        }
    }

    private void starve(Endpoint endpoint) {
        if (!endpoint.detaching && !endpoint.starved) {
            statistics.increment(Counter.BUFFER_SHORTAGES);
            endpoint.starved = true;
            starved.add(endpoint);
            unwatched.add(endpoint);
        }
    }

    // --- while no receive is under way ------------------------------------------------------------------------------

    /**
     * Returns true when no receive would meet an end of the connection: none is asked for, or it waits for a buffer.
     */
    private boolean isUnwatched(Endpoint endpoint) {
        int begun = Operation.ACCEPT | Operation.CONNECT;
        boolean receives = (endpoint.inKernel & Operation.RECEIVE) != 0
                || (isWanted(endpoint) && (!endpoint.starved || multishotReceives.holdsFor(endpoint)));
        return !endpoint.detaching && (endpoint.wanted & begun) == 0 && !receives;
    }

    /**
     * Examines those that are due, and has a poll wait for each; returns the number of those that were told something.
     */
    private int watchUnwatched() {
        int told = 0;
        for (int left = unwatched.due(); left > 0; left--) {
            Endpoint endpoint = unwatched.next();
            if (endpoint != null && isUnwatched(endpoint)) {
                told += unwatched.examine(endpoint) ? 1 : 0;
                watch(endpoint);
            }
        }
        return told;
    }

    /** Begins a poll, which stays in the kernel until something happens, also when receiving goes on meanwhile. */
    private void watch(Endpoint endpoint) {
        boolean nothingMore = (endpoint.readiness & Readiness.BROKEN) != 0;
        boolean watched = (endpoint.inKernel & Operation.WATCH) != 0;
        if (!nothingMore && !watched && isUnwatched(endpoint)) {
            endpoint.inKernel |= Operation.WATCH;
            int events = (endpoint.readiness & Readiness.HANGUP) != 0 ? 0 : Constants.EPOLLRDHUP;
            Sqe.poll(nextEntry(), EndpointTable.token(endpoint, Operation.WATCH), endpoint.fd, events);
        }
    }

    private void watched(Endpoint endpoint, int events) {
        if (events > 0) {
            UnwatchedEndpoints.note(endpoint, events);
        }
        if (isUnwatched(endpoint)) {
            unwatched.examine(endpoint);
        }
    }

    private void closeDetached() {
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
        multishotReceives.forget(endpoint);
        endpoints.remove(endpoint);
        long entry = endpoint.closesAtOnce() ? 0 : ring.submissions().next();
        if (entry == 0) {
            sockets.close(endpoint.fd);
        } else {
            Sqe.close(entry, CLOSE_TOKEN, endpoint.fd);
        }
        endpoint.onDetached();
    }

    // --- the end ----------------------------------------------------------------------------------------------------

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
    public void wakeUp() {
        kernel.signal(wakeFd);
    }

    @Override
    public void close() {
        endWake();
        for (int attempt = 0; ring.submissions().pending() > 0 && attempt < CLOSE_ATTEMPTS; attempt++) {
            submit();
        }
        while (!accepted.isEmpty()) {
            tellNextAccepted();
        }
        buffers.close();
        ring.close();
        kernel.close(wakeFd);
        allocator.free(scratch);
    }

    /** Ends the wake-up: the kernel must not write to its memory after that is freed. */
    private void endWake() {
        for (int attempt = 0; wakeArmed && attempt < CLOSE_ATTEMPTS; attempt++) {
            Sqe.cancel(nextEntry(), CANCEL_WAKE_TOKEN, WAKE_TOKEN);
            enter(CLOSE_POLL_MILLIS);
            while (ring.completions().next()) {
                dispatch(
                        ring.completions().token(),
                        ring.completions().result(),
                        ring.completions().flags());
            }
        }
    }
}
