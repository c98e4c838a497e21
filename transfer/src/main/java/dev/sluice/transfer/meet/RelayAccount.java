package dev.sluice.transfer.meet;

import java.time.Duration;

/** The use of a relay by one address, or by all, within its share. Confined to the relay's loop. */
final class RelayAccount {
    /** Returned by {@link #charge} when the bytes of the day are used up. */
    static final long USED_UP = -1;

    private static final long DAY_NANOS = Duration.ofDays(1).toNanos();
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final RelayLimits.Share share;
    private final TokenBucket bytes;
    private final TokenBucket requests;
    private long bytesToday;
    private long dayBegan;
    private int waiting;
    private int pairs;

    RelayAccount(RelayLimits.Share share, int requestsPerMinute, long now) {
        this.share = share;
        this.bytes = TokenBucket.perSecond(share.bytesPerSecond(), now);
        this.requests = new TokenBucket(requestsPerMinute, MINUTE_NANOS, now);
        this.dayBegan = now;
    }

    boolean tryRequest(long now) {
        return requests.tryTake(now);
    }

    boolean mayWait() {
        return waiting < share.waitingPeers();
    }

    boolean mayJoin() {
        return pairs < share.joinedPairs();
    }

    boolean hasBytes(long now) {
        newDay(now);
        return bytesToday < share.bytesPerDay();
    }

    void addWaiting(int count) {
        waiting += count;
    }

    void addPairs(int count) {
        pairs += count;
    }

    /** Accounts for bytes; returns the nanoseconds for which their sender must pause, or {@link #USED_UP}. */
    long charge(int count, long now) {
        newDay(now);
        bytesToday += count;
        return bytesToday > share.bytesPerDay() ? USED_UP : bytes.take(count, now);
    }

    /** Returns true when forgetting this account makes no difference. */
    boolean isAtRest(long now) {
        newDay(now);
        return waiting == 0 && pairs == 0 && bytesToday == 0 && requests.isFull(now);
    }

    private void newDay(long now) {
        if (now - dayBegan >= DAY_NANOS) {
            dayBegan = now;
            bytesToday = 0;
        }
    }
}
