package dev.sluice.simulator;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.uring.UringConstants;

/**
 * The features granted by io_uring_setup(2).
 *
 * @param flags supported set-up flags; others fail with EINVAL
 * @param lockedBytes maximum bytes of rings, RLIMIT_MEMLOCK; more fail with ENOMEM
 * @param errno the error of every set-up, unless 0
 * @param features the reported features
 */
public record RingRules(int flags, long lockedBytes, int errno, int features) {
    static final int PARAMS_CQ_ENTRIES = 4;
    static final int PARAMS_FLAGS = 8;
    private static final int SQE_BYTES = 64;
    private static final int CQE_BYTES = 16;

    private static final int FEATURES = UringConstants.IORING_FEAT_SINGLE_MMAP
            | UringConstants.IORING_FEAT_NODROP
            | UringConstants.IORING_FEAT_SUBMIT_STABLE
            | UringConstants.IORING_FEAT_EXT_ARG;
    private static final int FLAGS_5_19 = UringConstants.IORING_SETUP_CQSIZE
            | UringConstants.IORING_SETUP_CLAMP
            | UringConstants.IORING_SETUP_SUBMIT_ALL
            | UringConstants.IORING_SETUP_COOP_TASKRUN
            | UringConstants.IORING_SETUP_TASKRUN_FLAG;
    private static final int FLAGS_6_1 =
            FLAGS_5_19 | UringConstants.IORING_SETUP_SINGLE_ISSUER | UringConstants.IORING_SETUP_DEFER_TASKRUN;

    /** Linux 5.19. */
    public static final RingRules LINUX_5_19 = new RingRules(FLAGS_5_19, Long.MAX_VALUE, 0, FEATURES);
    /** Linux 6.1. */
    public static final RingRules LINUX_6_1 = new RingRules(FLAGS_6_1, Long.MAX_VALUE, 0, FEATURES);
    /** Linux 6.6 and later. */
    public static final RingRules LINUX_6_6 =
            new RingRules(FLAGS_6_1 | UringConstants.IORING_SETUP_NO_SQARRAY, Long.MAX_VALUE, 0, FEATURES);

    /** Returns the rules of a random kernel, newer ones more often. */
    public static RingRules by(Chance chance) {
        return switch (chance.below(6)) {
            case 0 -> LINUX_5_19;
            case 1 -> LINUX_6_1;
            default -> LINUX_6_6;
        };
    }

    /** Returns the same rules with a limit of locked memory. */
    public RingRules lockedBytes(long most) {
        return new RingRules(flags, most, errno, features);
    }

    /** Returns the same rules without some set-up flags. */
    public RingRules without(int unknown) {
        return new RingRules(flags & ~unknown, lockedBytes, errno, features);
    }

    /** Returns the same rules without some features. */
    public RingRules lacking(int missing) {
        return new RingRules(flags, lockedBytes, errno, features & ~missing);
    }

    /** Returns rules that reject every set-up. */
    public RingRules refusing(int with) {
        return new RingRules(flags, lockedBytes, with, features);
    }

    /** Returns whether multishot receives are supported: since Linux 6.0. */
    boolean hasMultishotReceives() {
        return (flags & UringConstants.IORING_SETUP_SINGLE_ISSUER) != 0;
    }

    /** Returns true when rings can be registered with their thread; the oldest kernel stands for one without room. */
    boolean registersRings() {
        return (flags & UringConstants.IORING_SETUP_SINGLE_ISSUER) != 0;
    }

    /** Returns 0, or -errno for a rejected set-up. */
    int refusal(int entries, long params) {
        if (errno != 0) {
            return -errno;
        }
        if ((RawMemory.getInt(params + PARAMS_FLAGS) & ~flags) != 0) {
            return -Errno.EINVAL;
        }
        long completions = RawMemory.getInt(params + PARAMS_CQ_ENTRIES);
        return (long) entries * SQE_BYTES + completions * CQE_BYTES > lockedBytes ? -Errno.ENOMEM : 0;
    }
}
