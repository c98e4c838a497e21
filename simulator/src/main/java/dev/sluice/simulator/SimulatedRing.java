package dev.sluice.simulator;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.uring.UringConstants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The kernel's side of an io_uring, over the same shared memory as the real one: it reads submissions and writes
 * completions.
 *
 * <p>An operation that can proceed does so at once or in a later call, independently. Completions without room wait in
 * the overflow list, as since Linux 5.5, and end a multishot operation.
 */
final class SimulatedRing {
    static final int ENTER_REGISTERED_RING = 16;

    // The kernel chooses the layout of the mapping and reports the offsets.
    private static final int SQ_HEAD = 0;
    private static final int SQ_TAIL = 4;
    private static final int SQ_FLAGS = 16;
    private static final int CQ_HEAD = 64;
    private static final int CQ_TAIL = 68;
    private static final int CQES = 192;

    private static final int SQE_BYTES = 64;
    private static final int CQE_BYTES = 16;
    private static final long SQES_MAPPING = 0x10000000;
    /** MULTISHOT_MAX_RETRY in io_uring/net.c. */
    private static final int MULTISHOT_TIMES_MAX = 32;

    private static final int NOT_YET = Integer.MIN_VALUE;

    private final SimulatedKernel kernel;
    private final int sqEntries;
    private final int cqEntries;
    private final long rings;
    private final long sqes;
    private final List<RingOperation> armed = new ArrayList<>();
    private final ArrayDeque<long[]> overflow = new ArrayDeque<>();
    private final Map<Integer, ProvidedBuffers> groups = new HashMap<>();
    private int completionFlags;
    /** True when the next call is to look for completions: what becomes ready sets it, whenever that may be. */
    private boolean hasTaskWork;

    SimulatedRing(SimulatedKernel kernel, int entries, long params) {
        this.kernel = kernel;
        this.sqEntries = entries;
        this.cqEntries = RawMemory.getInt(params + RingRules.PARAMS_CQ_ENTRIES);
        long array = CQES + (long) cqEntries * CQE_BYTES;
        this.rings = LibC.calloc(1, array + (long) entries * Integer.BYTES);
        this.sqes = LibC.calloc(entries, SQE_BYTES);
        describe(params, (int) array);
    }

    /** Initializes {@code struct io_uring_params}. */
    private void describe(long params, int array) {
        RawMemory.putInt(params, sqEntries);
        RawMemory.putInt(params + 20, kernel.ringRules.features());
        RawMemory.putInt(params + 40, SQ_HEAD);
        RawMemory.putInt(params + 44, SQ_TAIL);
        RawMemory.putInt(params + 56, SQ_FLAGS);
        RawMemory.putInt(params + 64, array);
        RawMemory.putInt(params + 80, CQ_HEAD);
        RawMemory.putInt(params + 84, CQ_TAIL);
        RawMemory.putInt(params + 100, CQES);
    }

    long map(long offset) {
        return offset == SQES_MAPPING ? sqes : rings;
    }

    void close() {
        if (!armed.isEmpty()) {
            throw new SimulationFailure("ring closed with " + armed.size() + " pending operations, the first: opcode="
                    + armed.getFirst().opcode + ", fd=" + armed.getFirst().fd);
        }
        LibC.free(rings);
        LibC.free(sqes);
    }

    int register(int operation, long argument, int count) {
        int group = RawMemory.getShort(argument + 12) & 0xFFFF;
        switch (operation) {
            case UringConstants.IORING_REGISTER_RING_FDS -> {
                return kernel.registerRing(this, argument) ? 1 : -Errno.EBUSY;
            }
            case UringConstants.IORING_UNREGISTER_RING_FDS -> {
                return kernel.unregisterRing(RawMemory.getInt(argument)) ? 1 : 0;
            }
            case UringConstants.IORING_REGISTER_PBUF_RING ->
                groups.put(group, new ProvidedBuffers(RawMemory.getLong(argument), RawMemory.getInt(argument + 8)));
            case UringConstants.IORING_UNREGISTER_PBUF_RING -> groups.remove(group);
            default -> {
                return -Errno.EINVAL;
            }
        }
        return 0;
    }

    // --- io_uring_enter(2) -------------------------------------------------------------------------------------------

    int enter(int toSubmit, int minComplete, int flags, long argument) {
        int result = submitAndWait(toSubmit, minComplete, flags, argument);
        hasTaskWork = !armed.isEmpty() && kernel.chance().oneIn(2);
        setFlags();
        return result;
    }

    private int submitAndWait(int toSubmit, int minComplete, int flags, long argument) {
        boolean complete = !kernel.chance().oneIn(kernel.faults().shortSubmit());
        int take = complete ? toSubmit : kernel.chance().below(toSubmit + 1);
        int submitted = submit(take);
        if (submitted < toSubmit) {
            return submitted == 0 ? -Errno.EAGAIN : submitted;
        }
        if ((flags & UringConstants.IORING_ENTER_GETEVENTS) == 0) {
            return submitted;
        }
        boolean timed = (flags & UringConstants.IORING_ENTER_EXT_ARG) != 0;
        int waited = awaitCompletions(minComplete, timed ? timeoutMillis(argument) : -1);
        return submitted > 0 ? submitted : waited;
    }

    private static long timeoutMillis(long argument) {
        long timespec = RawMemory.getLong(argument + 16);
        return timespec == 0 ? -1 : RawMemory.getLong(timespec) * 1000 + RawMemory.getLong(timespec + 8) / 1_000_000;
    }

    private int awaitCompletions(int minComplete, long timeoutMillis) {
        flushOverflow();
        if (kernel.chance().oneIn(kernel.faults().interrupted())) {
            kernel.waitIsOver();
            return -Errno.EINTR;
        }
        if (minComplete == 0) {
            kernel.await(this::work, 0);
            return overflow.isEmpty() ? 0 : -Errno.EBUSY;
        }
        return kernel.await(this::work, timeoutMillis) ? 0 : -Errno.ETIME;
    }

    /** Processes operations in any order; returns whether a completion can be read. */
    private boolean work() {
        flushOverflow();
        int first = armed.isEmpty() ? 0 : kernel.chance().below(armed.size());
        List<RingOperation> order = new ArrayList<>(armed.subList(first, armed.size()));
        order.addAll(armed.subList(0, first));
        for (RingOperation operation : order) {
            if (operation.isArmed && !kernel.chance().oneIn(kernel.faults().delay())) {
                proceedAll(operation);
            }
        }
        return RawMemory.getInt(rings + CQ_TAIL) != RawMemory.getInt(rings + CQ_HEAD);
    }

    private int submit(int count) {
        int head = RawMemory.getInt(rings + SQ_HEAD);
        int pending = RawMemory.getInt(rings + SQ_TAIL) - head;
        int taken = Math.min(count, pending);
        for (int i = 0; i < taken; i++) {
            begin(new RingOperation(sqes + (long) ((head + i) & (sqEntries - 1)) * SQE_BYTES));
        }
        RawMemory.putIntRelease(rings + SQ_HEAD, head + taken);
        return taken;
    }

    private void begin(RingOperation operation) {
        kernel.submitted(operation.opcode);
        if (operation.opcode == UringConstants.IORING_OP_ASYNC_CANCEL) {
            post(operation.token, cancel(operation.address), 0);
            return;
        }
        if (operation.opcode == UringConstants.IORING_OP_CLOSE) {
            kernel.close(operation.fd);
            return;
        }
        operation.file = kernel.at(operation.fd);
        if (operation.opcode == UringConstants.IORING_OP_CONNECT) {
            kernel.beginConnect((MemorySocket) operation.file, operation.address, (int) operation.off);
        }
        hold(operation, 1);
        operation.isArmed = true;
        armed.add(operation);
        if (kernel.faults().delay() == 0 || kernel.chance().oneIn(2)) {
            proceedAll(operation);
        }
    }

    private static void hold(RingOperation operation, int change) {
        switch (operation.file) {
            case MemorySocket socket -> socket.armed += change;
            case MemoryListener listener -> listener.armed += change;
            default -> {}
        }
    }

    // --- operations --------------------------------------------------------------------------------------------------

    /** Processes a multishot operation repeatedly, up to the kernel's limit. */
    private void proceedAll(RingOperation operation) {
        for (int left = MULTISHOT_TIMES_MAX; left > 0; left--) {
            if (!proceed(operation) || !operation.isArmed) {
                return;
            }
        }
    }

    /** Processes an operation once; returns whether there was a completion. */
    private boolean proceed(RingOperation operation) {
        completionFlags = 0;
        int result = switch (operation.opcode) {
            case UringConstants.IORING_OP_ACCEPT -> accept(operation);
            case UringConstants.IORING_OP_CONNECT -> connect(operation);
            case UringConstants.IORING_OP_RECV -> receive(operation);
            case UringConstants.IORING_OP_SEND -> send(operation);
            case UringConstants.IORING_OP_READ -> readEvent(operation);
            case UringConstants.IORING_OP_POLL_ADD -> poll(operation);
            default -> throw new SimulationFailure("opcode " + operation.opcode + " is not simulated");
        };
        if (result == NOT_YET) {
            return false;
        }
        if ((completionFlags & UringConstants.IORING_CQE_F_MORE) == 0) {
            finish(operation);
        }
        post(operation.token, result, completionFlags);
        return true;
    }

    private void finish(RingOperation operation) {
        operation.isArmed = false;
        armed.remove(operation);
        hold(operation, -1);
    }

    private int accept(RingOperation operation) {
        int result = kernel.accept((MemoryListener) operation.file);
        if (result == -Errno.EAGAIN) {
            return NOT_YET;
        }
        boolean multishot = (operation.ioprio & UringConstants.IORING_ACCEPT_MULTISHOT) != 0;
        boolean ends = !hasRoom() || kernel.chance().oneIn(kernel.faults().endedAccept());
        if (result >= 0 && multishot && !ends) {
            completionFlags = UringConstants.IORING_CQE_F_MORE;
        }
        return result;
    }

    private static int connect(RingOperation operation) {
        MemorySocket socket = (MemorySocket) operation.file;
        return socket.isConnecting() ? NOT_YET : -socket.takeError();
    }

    private int receive(RingOperation operation) {
        return (operation.flags & UringConstants.IOSQE_BUFFER_SELECT) != 0
                ? receiveIntoGroup(operation)
                : received(operation, ((MemorySocket) operation.file).receive(operation.address, operation.length));
    }

    private static int received(RingOperation operation, int result) {
        boolean waits = (operation.messageFlags & Constants.MSG_DONTWAIT) == 0;
        return result == -Errno.EAGAIN && waits ? NOT_YET : result;
    }

    private int receiveIntoGroup(RingOperation operation) {
        boolean multishot = (operation.ioprio & UringConstants.IORING_RECV_MULTISHOT) != 0;
        if (multishot && (!kernel.ringRules.hasMultishotReceives() || operation.length != 0)) {
            return -Errno.EINVAL;
        }
        ProvidedBuffers group = groups.get(operation.group);
        if (group == null
                || group.isEmpty()
                || kernel.chance().oneIn(kernel.faults().noBuffers())) {
            return -Errno.ENOBUFS;
        }
        int most = multishot ? lengthSoFar(group.length()) : Math.min(operation.length, group.length());
        int result = received(operation, ((MemorySocket) operation.file).receive(group.address(), most));
        if (result > 0) {
            completionFlags =
                    UringConstants.IORING_CQE_F_BUFFER | group.take() << UringConstants.IORING_CQE_BUFFER_SHIFT;
            boolean ends = !hasRoom() || kernel.chance().oneIn(kernel.faults().endedReceive());
            completionFlags |= multishot && !ends ? UringConstants.IORING_CQE_F_MORE : 0;
        }
        return result;
    }

    /**
     * Returns the bytes for one buffer of a multishot receive: bytes keep arriving meanwhile, so each buffer may get
     * few.
     */
    private int lengthSoFar(int most) {
        return kernel.chance().oneIn(kernel.faults().endedReceive())
                ? kernel.chance().sized(1, most)
                : most;
    }

    private int send(RingOperation operation) {
        MemorySocket socket = (MemorySocket) operation.file;
        boolean isShort = kernel.chance().oneIn(kernel.faults().shortSend());
        int result = socket.send(operation.address + operation.done, operation.length - operation.done, isShort);
        if (result == -Errno.EAGAIN) {
            return NOT_YET;
        }
        if (result < 0) {
            return operation.done > 0 ? operation.done : result;
        }
        operation.done += result;
        boolean all = (operation.messageFlags & Constants.MSG_WAITALL) != 0;
        return all && !isShort && operation.done < operation.length ? NOT_YET : operation.done;
    }

    private static int poll(RingOperation operation) {
        int events = operation.messageFlags | Constants.EPOLLERR | Constants.EPOLLHUP;
        int ready = operation.file instanceof MemorySocket socket ? socket.readiness() & events : 0;
        return ready == 0 ? NOT_YET : ready;
    }

    private static int readEvent(RingOperation operation) {
        MemoryEvent event = (MemoryEvent) operation.file;
        if (event.count == 0) {
            return NOT_YET;
        }
        RawMemory.putLong(operation.address, event.count);
        event.count = 0;
        return Long.BYTES;
    }

    /** Returns the result of the cancel itself. Its target ends before it, after it, or is unaffected. */
    private int cancel(long token) {
        RingOperation target = armed.stream()
                .filter(operation -> operation.token == token)
                .findFirst()
                .orElse(null);
        if (target == null) {
            return -Errno.ENOENT;
        }
        if (kernel.chance().oneIn(kernel.faults().lateCancel())) {
            proceedAll(target);
            if (!target.isArmed || kernel.chance().oneIn(2)) {
                // Complete, or about to be issued again after its poll has fired, when it is in no table.
                return -Errno.ENOENT;
            }
        }
        finish(target);
        post(token, target.done > 0 ? target.done : -Errno.ECANCELED, 0);
        return kernel.chance().oneIn(kernel.faults().lateCancel()) ? -Errno.EALREADY : 0;
    }

    // --- completions -------------------------------------------------------------------------------------------------

    private boolean hasRoom() {
        return overflow.isEmpty() && RawMemory.getInt(rings + CQ_TAIL) - RawMemory.getInt(rings + CQ_HEAD) < cqEntries;
    }

    private void post(long token, int result, int flags) {
        if (hasRoom()) {
            write(token, result, flags);
        } else {
            overflow.add(new long[] {token, result, flags});
            setFlags();
        }
    }

    private void write(long token, int result, int flags) {
        int tail = RawMemory.getInt(rings + CQ_TAIL);
        long cqe = rings + CQES + (long) (tail & (cqEntries - 1)) * CQE_BYTES;
        RawMemory.putLong(cqe, token);
        RawMemory.putInt(cqe + 8, result);
        RawMemory.putInt(cqe + 12, flags);
        RawMemory.putIntRelease(rings + CQ_TAIL, tail + 1);
    }

    private void flushOverflow() {
        while (!overflow.isEmpty()
                && RawMemory.getInt(rings + CQ_TAIL) - RawMemory.getInt(rings + CQ_HEAD) < cqEntries) {
            long[] completion = overflow.remove();
            write(completion[0], (int) completion[1], (int) completion[2]);
        }
        setFlags();
    }

    private void setFlags() {
        RawMemory.putInt(
                rings + SQ_FLAGS,
                (overflow.isEmpty() ? 0 : UringConstants.IORING_SQ_CQ_OVERFLOW)
                        | (hasTaskWork ? UringConstants.IORING_SQ_TASKRUN : 0));
    }
}
