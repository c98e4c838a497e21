package dev.sluice.simulator;

/**
 * How often the kernel in memory does what the real one does seldom: once in so many times, 0 for never.
 *
 * @param shortSend a send takes less than there is room for
 * @param noBuffers a receive finds no provided buffer though there is one
 * @param endedAccept a multishot accept ends with a connection and without MORE
 * @param endedReceive a multishot receive ends with bytes and without MORE
 * @param shortSubmit io_uring_enter takes only some of the submissions, or none
 * @param interrupted a wait ends with EINTR
 * @param noDescriptors an accept or a socket meets the descriptor limit
 * @param aborted an accept meets a connection that has gone
 * @param spurious a wait ends, or tells of readiness, for nothing
 * @param delay a completion or an arrival that could be told waits for another turn
 * @param lateCancel a cancel comes too late for an operation that is under way, or does not find it
 */
public record Faults(
        int shortSend,
        int noBuffers,
        int endedAccept,
        int endedReceive,
        int shortSubmit,
        int interrupted,
        int noDescriptors,
        int aborted,
        int spurious,
        int delay,
        int lateCancel) {
    private static final int SELDOM = 40;

    /** A kernel that never does. */
    public static Faults none() {
        return new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** A kernel of which nothing is wrong but that cancels come too late, once in so many times. */
    public static Faults ofCancels(int once) {
        return new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, once);
    }

    /** The same, with descriptors for all. */
    public Faults withDescriptors() {
        return new Faults(
                shortSend,
                noBuffers,
                endedAccept,
                endedReceive,
                shortSubmit,
                interrupted,
                /* noDescriptors= */ 0,
                aborted,
                spurious,
                delay,
                lateCancel);
    }

    /** Each as often as chance will have it; half of them never. */
    public static Faults by(Chance chance) {
        return new Faults(
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance),
                rate(chance));
    }

    private static int rate(Chance chance) {
        return chance.oneIn(2) ? 0 : chance.between(2, SELDOM);
    }
}
