package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Ledger;

/**
 * An io_uring instance with its mapped queues. Confined to the thread that opened it, which the kernel enforces. Owns
 * its descriptor and mappings.
 */
public final class Ring implements AutoCloseable {
    private static final int PROTECTION = Constants.PROT_READ | Constants.PROT_WRITE;
    private static final int MAPPING = Constants.MAP_SHARED | Constants.MAP_POPULATE;
    private static final int COMPLETIONS_WAIT = UringConstants.IORING_SQ_TASKRUN | UringConstants.IORING_SQ_CQ_OVERFLOW;
    private static final int NEEDED_FEATURES = UringConstants.IORING_FEAT_SINGLE_MMAP
            | UringConstants.IORING_FEAT_NODROP
            | UringConstants.IORING_FEAT_SUBMIT_STABLE
            | UringConstants.IORING_FEAT_EXT_ARG;

    private final Kernel kernel;
    private final Ledger.Account account;
    private final RingScratch argument = new RingScratch(GetEventsArgument.BYTES + GetEventsArgument.TIMESPEC_BYTES);
    private final String description;
    private final boolean receivesMany;
    private final int fd;
    private final long ringsAddress;
    private final long ringsBytes;
    private final long sqesAddress;
    private final long sqesBytes;
    private final long submissionFlagsAddress;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    private final EnterHandle handle;

    private Ring(Kernel kernel, Ledger.Account account, int fd, RingSetup setup, long params) {
        this.kernel = kernel;
        this.account = account;
        this.fd = fd;
        this.description = setup.description();
        this.receivesMany = setup.receivesMany();
        int sqEntries = RawMemory.getInt(params + Params.SQ_ENTRIES_OFFSET);
        int cqEntries = RawMemory.getInt(params + Params.CQ_ENTRIES_OFFSET);
        this.ringsBytes = ringsBytes(params, sqEntries, cqEntries);
        this.sqesBytes = (long) sqEntries * Sqe.BYTES;
        this.ringsAddress = map(ringsBytes, UringConstants.IORING_OFF_SQ_RING);
        this.sqesAddress = map(sqesBytes, UringConstants.IORING_OFF_SQES);
        this.submissionFlagsAddress = at(params, Params.SQ_FLAGS_OFFSET);
        this.submissions = new SubmissionQueue(
                at(params, Params.SQ_HEAD_OFFSET),
                at(params, Params.SQ_TAIL_OFFSET),
                sqesAddress,
                sqEntries,
                hasIndexArray(params) ? at(params, Params.SQ_ARRAY_OFFSET) : 0);
        this.completions = new CompletionQueue(
                at(params, Params.CQ_HEAD_OFFSET),
                at(params, Params.CQ_TAIL_OFFSET),
                at(params, Params.CQ_CQES_OFFSET),
                cqEntries);
        this.handle = EnterHandle.register(kernel, fd);
    }

    /**
     * Opens a ring on the calling thread.
     *
     * @param kernel the thread's own, which must outlive the ring
     * @param account the account charged for the mapped memory
     * @param entries size of the submission queue, a power of two
     * @throws UringUnavailableException with cause and remedy
     */
    public static Ring open(Kernel kernel, Ledger.Account account, int entries) {
        try (RingScratch params = new RingScratch(Params.BYTES)) {
            RingSetup setup = new RingSetup(kernel, params.address());
            int fd = setup.open(entries);
            int features = RawMemory.getInt(params.address() + Params.FEATURES_OFFSET);
            if ((features & NEEDED_FEATURES) != NEEDED_FEATURES) {
                kernel.close(fd);
                throw new UringUnavailableException("the kernel's io_uring lacks features: has 0x"
                        + Integer.toHexString(features) + ", needed 0x" + Integer.toHexString(NEEDED_FEATURES)
                        + "; use Linux 5.19 or later");
            }
            return new Ring(kernel, account, fd, setup, params.address());
        }
    }

    private static long ringsBytes(long params, int sqEntries, int cqEntries) {
        long array = RawMemory.getInt(params + Params.SQ_ARRAY_OFFSET) + (long) sqEntries * Integer.BYTES;
        long cqes = RawMemory.getInt(params + Params.CQ_CQES_OFFSET) + (long) cqEntries * Cqe.BYTES;
        return Math.max(array, cqes);
    }

    private static boolean hasIndexArray(long params) {
        int flags = RawMemory.getInt(params + Params.FLAGS_OFFSET);
        return (flags & UringConstants.IORING_SETUP_NO_SQARRAY) == 0;
    }

    private long map(long byteSize, long offset) {
        long address = kernel.mmap(0, byteSize, PROTECTION, MAPPING, fd, offset);
        if (address < 0) {
            if (offset != UringConstants.IORING_OFF_SQ_RING) {
                unmap(ringsAddress, ringsBytes);
            }
            kernel.close(fd);
            argument.close();
            throw new UringUnavailableException("mmap of " + byteSize + " bytes of the ring: "
                    + Errno.describe((int) address) + "; raise the memory limit or use a smaller ring");
        }
        account.acquired(byteSize);
        return address;
    }

    private long at(long params, int offset) {
        return ringsAddress + RawMemory.getInt(params + offset);
    }

    /** Returns the set-up that the kernel granted, for the log. */
    public String description() {
        return description;
    }

    /** Returns whether multishot receive is available ({@link Sqe#receiveManyIntoGroup}). */
    public boolean receivesMany() {
        return receivesMany;
    }

    /** Returns the queue to the kernel. */
    public SubmissionQueue submissions() {
        return submissions;
    }

    /** Returns the queue from the kernel. */
    public CompletionQueue completions() {
        return completions;
    }

    /**
     * Returns true when {@link #enter} would do more than wait: entries are queued, or completions stand in the kernel.
     * Takes no system call.
     */
    public boolean hasWork() {
        return submissions.pending() > 0 || (RawMemory.getIntAcquire(submissionFlagsAddress) & COMPLETIONS_WAIT) != 0;
    }

    /**
     * Submits the queued entries without processing completions.
     *
     * @return submissions accepted, or -errno
     */
    public int submit() {
        return enter(0, 0, 0, 0);
    }

    /**
     * Submits the queued entries and waits for at least one completion.
     *
     * @param timeoutMillis maximum time to wait; 0 returns immediately, negative waits without limit
     * @return submissions accepted, or -errno; -ETIME and -EINTR are normal ends of a wait
     */
    public int enter(long timeoutMillis) {
        if (timeoutMillis == 0) {
            // The kernel need not fetch a time that nobody waits for.
            return enter(0, UringConstants.IORING_ENTER_GETEVENTS, 0, 0);
        }
        GetEventsArgument.setTimeout(argument.address(), timeoutMillis);
        return enter(
                1,
                UringConstants.IORING_ENTER_GETEVENTS | UringConstants.IORING_ENTER_EXT_ARG,
                argument.address(),
                GetEventsArgument.BYTES);
    }

    private int enter(int minComplete, int flags, long argumentAddress, long argumentBytes) {
        return UringSyscalls.enter(
                kernel,
                handle.number(),
                submissions.publish(),
                minComplete,
                flags | handle.flag(),
                argumentAddress,
                argumentBytes);
    }

    /** Returns true when the kernel finds the ring without the table of descriptors. */
    boolean isRegistered() {
        return handle.flag() != 0;
    }

    Kernel kernel() {
        return kernel;
    }

    int descriptor() {
        return fd;
    }

    /**
     * Unmaps and closes the ring, in the thread that opened it. The kernel cancels pending operations after this
     * returns, so there should be none.
     */
    @Override
    public void close() {
        handle.unregister(kernel, fd);
        unmap(sqesAddress, sqesBytes);
        unmap(ringsAddress, ringsBytes);
        kernel.close(fd);
        argument.close();
    }

    private void unmap(long address, long byteSize) {
        kernel.munmap(address, byteSize);
        account.released(byteSize);
    }
}
