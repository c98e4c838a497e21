package dev.sluice.simulator;

/**
 * The rates of rare events of a real kernel: once in so many times, 0 for never.
 *
 * @param shortSend a send accepts less than fits
 * @param noBuffers a receive finds no provided buffer although there is one
 * @param endedAccept a multishot accept ends with a connection and without MORE
 * @param endedReceive a multishot receive ends with bytes and without MORE
 * @param shortSubmit io_uring_enter takes only some of the submissions, or none
 * @param interrupted a wait ends with EINTR
 * @param noResources an accept or a socket meets the descriptor limit, or a lack of kernel memory
 * @param aborted an accept meets an aborted connection
 * @param spurious a wait ends, or reports readiness, spuriously
 * @param delay a completion or an arrival is postponed
 * @param lateCancel a cancel is too late for a pending operation, or does not find it
 */
public record Faults(
        int shortSend,
        int noBuffers,
        int endedAccept,
        int endedReceive,
        int shortSubmit,
        int interrupted,
        int noResources,
        int aborted,
        int spurious,
        int delay,
        int lateCancel) {
    private static final int SELDOM = 40;

    /** Returns rates of zero. */
    public static Faults none() {
        return new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** Returns rates of zero except for late cancels, once in so many times. */
    public static Faults ofCancels(int once) {
        return new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, once);
    }

    /** Returns the same rates without limits of descriptors and kernel memory. */
    public Faults withResources() {
        return new Faults(
                shortSend,
                noBuffers,
                endedAccept,
                endedReceive,
                shortSubmit,
                interrupted,
                /* noResources= */ 0,
                aborted,
                spurious,
                delay,
                lateCancel);
    }

    /** Returns random rates, half of them zero. */
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
