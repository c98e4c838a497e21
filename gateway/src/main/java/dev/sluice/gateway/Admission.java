package dev.sluice.gateway;

import dev.sluice.gateway.config.LimitsConfig;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets in as many connections as the limits allow. Shared by all loops, since the kernel spreads connections unevenly:
 * one addition per accepted connection is all that loops share. Thread-safe.
 */
final class Admission {
    private final int connectionsMax;
    private final int perAddressMax;
    private final AtomicInteger connections = new AtomicInteger();
    private final ConcurrentHashMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    /** What came of a request. */
    enum Verdict {
        /** Let in; {@link #left} must be called when it is over. */
        ADMITTED,
        /** {@link LimitsConfig#connections} is reached. */
        TOO_MANY,
        /** {@link LimitsConfig#connectionsPerAddress} is reached. */
        TOO_MANY_OF_ADDRESS
    }

    /**
     * @param connectionsMax connections at once
     * @param perAddressMax connections at once from one address; 0: no limit
     */
    Admission(int connectionsMax, int perAddressMax) {
        this.connectionsMax = connectionsMax;
        this.perAddressMax = perAddressMax;
    }

    /** A client wants in. */
    Verdict enter(InetAddress client) {
        if (connections.incrementAndGet() > connectionsMax) {
            connections.decrementAndGet();
            return Verdict.TOO_MANY;
        }
        if (perAddressMax > 0 && byAddress.merge(client, 1, Integer::sum) > perAddressMax) {
            left(client);
            return Verdict.TOO_MANY_OF_ADDRESS;
        }
        return Verdict.ADMITTED;
    }

    /** A client that was let in has gone. */
    void left(InetAddress client) {
        connections.decrementAndGet();
        if (perAddressMax > 0) {
            byAddress.computeIfPresent(client, (address, count) -> count == 1 ? null : count - 1);
        }
    }

    /** The most connections at once. */
    int connectionsMax() {
        return connectionsMax;
    }

    /** The most connections at once from one address; 0: no limit. */
    int perAddressMax() {
        return perAddressMax;
    }
}
