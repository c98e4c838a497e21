package dev.sluice.transfer.meet;

import java.time.Duration;

/**
 * The limits of a relay. An address is an IPv4 address or the /64 network of an IPv6 address.
 *
 * @param perAddress the share of one address
 * @param inAll the share of all addresses together
 * @param requestsPerMinute connections from one address, so that guessing ids is slow
 * @param addresses the addresses that are accounted for at once; peers of others are refused
 * @param requestLimit the most time until a peer's request has arrived
 * @param waitLimit the most time that a peer waits for the other one
 * @param idleLimit the most time without a byte between joined peers
 */
public record RelayLimits(
        Share perAddress,
        Share inAll,
        int requestsPerMinute,
        int addresses,
        Duration requestLimit,
        Duration waitLimit,
        Duration idleLimit) {
    /** The defaults: for a relay of a small company, on a machine with a gigabit of network. */
    public static final RelayLimits DEFAULT = new RelayLimits(
            new Share(16, 16, 60_000_000, 200L << 30),
            new Share(1024, 256, 120_000_000, 2L << 40),
            120,
            65_536,
            Duration.ofSeconds(5),
            Duration.ofHours(1),
            Duration.ofMinutes(2));

    /** Checks the values. */
    public RelayLimits {
        if (requestsPerMinute < 1 || addresses < 1) {
            throw new IllegalArgumentException("requestsPerMinute=" + requestsPerMinute + ", addresses=" + addresses
                    + "; both must be at least 1");
        }
        if (!requestLimit.isPositive() || !waitLimit.isPositive() || !idleLimit.isPositive()) {
            throw new IllegalArgumentException("requestLimit=" + requestLimit + ", waitLimit=" + waitLimit
                    + ", idleLimit=" + idleLimit + "; all must be positive");
        }
    }

    /**
     * The limits of one address, or of all.
     *
     * @param waitingPeers connected peers that are not joined
     * @param joinedPairs pairs; a pair counts for each of its two addresses
     * @param bytesPerSecond bytes passed on; a faster sender is slowed down
     * @param bytesPerDay bytes passed on in 24 hours; the pairs above it are ended
     */
    public record Share(int waitingPeers, int joinedPairs, long bytesPerSecond, long bytesPerDay) {
        /** Checks the values. */
        public Share {
            if (waitingPeers < 1 || joinedPairs < 1 || bytesPerSecond < 1 || bytesPerDay < 1) {
                throw new IllegalArgumentException("waitingPeers=" + waitingPeers + ", joinedPairs=" + joinedPairs
                        + ", bytesPerSecond=" + bytesPerSecond + ", bytesPerDay=" + bytesPerDay
                        + "; all must be at least 1");
            }
        }
    }

    /** Returns the same limits with another share of one address. */
    public RelayLimits withPerAddress(Share share) {
        return new RelayLimits(share, inAll, requestsPerMinute, addresses, requestLimit, waitLimit, idleLimit);
    }

    /** Returns the same limits with another share of all. */
    public RelayLimits withInAll(Share share) {
        return new RelayLimits(perAddress, share, requestsPerMinute, addresses, requestLimit, waitLimit, idleLimit);
    }

    /** Returns the same limits with another rate of requests. */
    public RelayLimits withRequestsPerMinute(int count) {
        return new RelayLimits(perAddress, inAll, count, addresses, requestLimit, waitLimit, idleLimit);
    }

    /** Returns the same limits with another number of addresses. */
    public RelayLimits withAddresses(int count) {
        return new RelayLimits(perAddress, inAll, requestsPerMinute, count, requestLimit, waitLimit, idleLimit);
    }

    /** Returns the same limits with other times for a request, for waiting and for idle pairs. */
    public RelayLimits withTimes(Duration request, Duration wait, Duration idle) {
        return new RelayLimits(perAddress, inAll, requestsPerMinute, addresses, request, wait, idle);
    }
}
