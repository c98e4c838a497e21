package dev.sluice.ffi.uring;

import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_CLAMP;
import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_COOP_TASKRUN;
import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_CQSIZE;
import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_DEFER_TASKRUN;
import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_NO_SQARRAY;
import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_SINGLE_ISSUER;
import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_SUBMIT_ALL;
import static dev.sluice.ffi.uring.UringConstants.IORING_SETUP_TASKRUN_FLAG;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.RawMemory;

/**
 * The search for the best ring that this kernel grants: from the newest set-up flags down to those of Linux 5.19 and,
 * where locked memory is limited, from large queues down to the smallest usable ones.
 */
final class RingSetup {
    /** Initial completion entries per submission entry: many connections complete at once. */
    private static final int MOST_COMPLETIONS_PER_SUBMISSION = 16;

    private static final int LEAST_COMPLETIONS_PER_SUBMISSION = 2;

    /** The smallest useful submission queue; below it, system calls would be too frequent. */
    private static final int LEAST_SUBMISSIONS = 32;

    private static final int ALWAYS =
            IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_TASKRUN_FLAG;

    /** The set-ups to try, best first. */
    private enum Rung {
        LINUX_6_6(
                IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_NO_SQARRAY,
                "single issuer, deferred task work, no index array"),
        LINUX_6_1(IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, "single issuer, deferred task work"),
        LINUX_5_19(IORING_SETUP_COOP_TASKRUN, "cooperative task work");

        final int flags;
        final String description;

        Rung(int flags, String description) {
            this.flags = ALWAYS | flags;
            this.description = description;
        }
    }

    private final Kernel kernel;
    private final long params;
    private String description = "";

    /**
     * Creates an instance.
     *
     * @param paramsAddress a zeroed {@link Params} that the kernel fills in
     */
    RingSetup(Kernel kernel, long paramsAddress) {
        this.kernel = kernel;
        this.params = paramsAddress;
    }

    /**
     * Sets up a ring.
     *
     * @return its descriptor, owned by the caller
     * @throws UringUnavailableException when the kernel grants none
     */
    int open(int entries) {
        int result = -Errno.EINVAL;
        for (Rung rung : Rung.values()) {
            result = withShrinkingQueues(entries, rung);
            if (result != -Errno.EINVAL) {
                break;
            }
        }
        if (result < 0) {
            throw new UringUnavailableException(refusal(entries, result));
        }
        return result;
    }

    /**
     * Sets up a ring, shrinking the queues on ENOMEM, which means RLIMIT_MEMLOCK: first completions, then submissions.
     */
    private int withShrinkingQueues(int entries, Rung rung) {
        description = rung.description;
        int perSubmission = MOST_COMPLETIONS_PER_SUBMISSION;
        int result = setUp(entries, perSubmission, rung);
        while (result == -Errno.ENOMEM && perSubmission > LEAST_COMPLETIONS_PER_SUBMISSION) {
            perSubmission /= 2;
            result = setUp(entries, perSubmission, rung);
        }
        for (int fewer = entries / 2; result == -Errno.ENOMEM && fewer >= LEAST_SUBMISSIONS; fewer /= 2) {
            result = setUp(fewer, perSubmission, rung);
        }
        return result;
    }

    private int setUp(int entries, int completionsPerSubmission, Rung rung) {
        RawMemory.zero(params, Params.BYTES);
        RawMemory.putInt(params + Params.CQ_ENTRIES_OFFSET, entries * completionsPerSubmission);
        RawMemory.putInt(params + Params.FLAGS_OFFSET, rung.flags);
        return UringSyscalls.setup(kernel, entries, params);
    }

    /** Returns whether multishot receive is available: since Linux 6.0, tested by the set-up flags of 6.1. */
    boolean receivesMany() {
        int flags = RawMemory.getInt(params + Params.FLAGS_OFFSET);
        return (flags & IORING_SETUP_DEFER_TASKRUN) != 0;
    }

    /** Returns the granted set-up, for the log. */
    String description() {
        return description + ", " + RawMemory.getInt(params + Params.SQ_ENTRIES_OFFSET) + " submissions, "
                + RawMemory.getInt(params + Params.CQ_ENTRIES_OFFSET) + " completions";
    }

    private static String refusal(int entries, int errno) {
        String remedy = switch (Math.abs(errno)) {
            case Errno.EPERM ->
                "allow it: sysctl kernel.io_uring_disabled=0, and in a container a seccomp profile that permits"
                        + " io_uring_*, such as deploy/container/seccomp.json";
            case Errno.ENOSYS ->
                "use Linux 5.19 or later, and in a container a seccomp profile that permits io_uring_*, such as"
                        + " deploy/container/seccomp.json";
            case Errno.EINVAL -> "use Linux 5.19 or later";
            case Errno.ENOMEM -> "raise RLIMIT_MEMLOCK (ulimit -l, LimitMEMLOCK) or use a smaller ring";
            case Errno.EMFILE, Errno.ENFILE -> "raise RLIMIT_NOFILE (ulimit -n)";
            default -> "see io_uring_setup(2)";
        };
        return "io_uring_setup with " + entries + " entries: " + Errno.describe(errno) + "; " + remedy;
    }
}
