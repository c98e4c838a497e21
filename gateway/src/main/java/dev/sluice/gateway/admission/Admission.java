package dev.sluice.gateway.admission;

import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.ListenerConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The limits on connections and handshakes. Shared by all loops, since the kernel spreads connections unevenly: one
 * addition per accepted connection and one per handshake are all that loops share. Thread-safe.
 */
public final class Admission {
    private volatile int connectionsMax;
    private volatile int perAddressMax;
    private volatile int handshakesMax;
    private volatile @Nullable RateLimit fullHandshakes;
    private volatile @Nullable AddressRates addressRates;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger handshakes = new AtomicInteger();
    private final ConcurrentHashMap<Long, Integer> byAddress = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Map.Entry<InetSocketAddress, String>, AtomicInteger> byListener =
            new ConcurrentHashMap<>();

    /** The result of a request. */
    public enum Verdict {
        /** Let in; {@link #left} or {@link #handshakeOver} must be called when it is over. */
        ADMITTED,
        /** {@link LimitsConfig#connections} is reached. */
        TOO_MANY,
        /** {@link LimitsConfig#connectionsPerAddress} is reached. */
        TOO_MANY_OF_ADDRESS,
        /** {@link HandshakeLimits#inFlight} is reached. */
        TOO_MANY_HANDSHAKES,
        /** {@link HandshakeLimits#perSecond} is reached. */
        TOO_FAST
    }

    /** Without limits on handshakes per second. */
    public Admission(int connectionsMax, int perAddressMax) {
        this(connectionsMax, perAddressMax, HandshakeLimits.DEFAULT, System.nanoTime());
    }

    /**
     * Creates the limits shared by all loops.
     *
     * @param connectionsMax connections at once
     * @param perAddressMax connections at once from one address; 0: no limit
     * @param now as of {@link System#nanoTime()}
     */
    public Admission(int connectionsMax, int perAddressMax, HandshakeLimits limits, long now) {
        limits(connectionsMax, perAddressMax, limits, now);
    }

    /**
     * Other limits from now on; whoever is in stays.
     *
     * @param connectionsMax connections at once
     * @param perAddressMax connections at once from one address; 0: no limit. After there was none, only those are
     *     counted that come from now on.
     * @param now as of {@link System#nanoTime()}
     */
    public final void limits(int connectionsMax, int perAddressMax, HandshakeLimits limits, long now) {
        this.connectionsMax = connectionsMax;
        this.perAddressMax = perAddressMax;
        this.handshakesMax = limits.inFlight();
        this.fullHandshakes = limits.perSecond() == 0 ? null : new RateLimit(limits.perSecond(), now);
        this.addressRates =
                limits.perAddressPerSecond() == 0 ? null : new AddressRates(limits.perAddressPerSecond(), now);
        if (perAddressMax == 0) {
            byAddress.clear();
        }
    }

    // --- connections ------------------------------------------------------------------------------------------------

    /**
     * A client wants in.
     *
     * @param client null: it is not known yet who, see {@link #identified}
     */
    public Verdict enter(@Nullable InetAddress client) {
        if (connections.incrementAndGet() > connectionsMax) {
            connections.decrementAndGet();
            return Verdict.TOO_MANY;
        }
        Verdict verdict = client == null ? Verdict.ADMITTED : identified(client);
        if (verdict != Verdict.ADMITTED) {
            connections.decrementAndGet();
        }
        return verdict;
    }

    /** It is known now who a client is that was let in; it stays in until {@link #left}, with its address if it may. */
    public Verdict identified(InetAddress client) {
        if (perAddressMax > 0 && byAddress.merge(AddressKey.of(client), 1, Integer::sum) > perAddressMax) {
            forget(client);
            return Verdict.TOO_MANY_OF_ADDRESS;
        }
        return Verdict.ADMITTED;
    }

    /**
     * A client that was let in has gone.
     *
     * @param client null: it was never known who, or {@link #perAddressMax} was 0
     */
    public void left(@Nullable InetAddress client) {
        connections.decrementAndGet();
        if (client != null) {
            forget(client);
        }
    }

    /** Returns the number of connections of a listener, shared by all loops. */
    public AtomicInteger ofListener(ListenerConfig listener) {
        // Ports that the kernel chooses do not tell listeners apart.
        String name = listener.address().getPort() == 0 ? listener.origin() : "";
        return byListener.computeIfAbsent(Map.entry(listener.address(), name), key -> new AtomicInteger());
    }

    private void forget(InetAddress client) {
        if (perAddressMax > 0) {
            byAddress.computeIfPresent(AddressKey.of(client), (address, count) -> count == 1 ? null : count - 1);
        }
    }

    /** The most connections at once. */
    public int connectionsMax() {
        return connectionsMax;
    }

    /** The most connections at once from one address; 0: no limit. */
    public int perAddressMax() {
        return perAddressMax;
    }

    /** Connections that have been let in and have not left. */
    public int connectionsNow() {
        return connections.get();
    }

    /** Addresses with connections, as far as these are limited. */
    public int addressesNow() {
        return byAddress.size();
    }

    /** Handshakes that have begun and are not over. */
    public int handshakesInFlight() {
        return handshakes.get();
    }

    // --- handshakes -------------------------------------------------------------------------------------------------

    /** Returns true when one more handshake from this address is within {@link HandshakeLimits#perAddressPerSecond}. */
    boolean mayAskForHandshake(InetAddress client, long now) {
        AddressRates rates = addressRates;
        return rates == null || rates.tryTake(AddressKey.of(client), now);
    }

    /**
     * A handshake is to begin.
     *
     * @param full whether it counts as a full one
     */
    Verdict beginHandshake(boolean full, long now) {
        if (handshakes.incrementAndGet() > handshakesMax) {
            handshakes.decrementAndGet();
            return Verdict.TOO_MANY_HANDSHAKES;
        }
        RateLimit rate = fullHandshakes;
        if (full && rate != null && !rate.tryTake(now)) {
            handshakes.decrementAndGet();
            return Verdict.TOO_FAST;
        }
        return Verdict.ADMITTED;
    }

    /** One that had begun is over, whatever came of it. */
    void handshakeOver() {
        handshakes.decrementAndGet();
    }

    /** One that did not count as a full handshake has turned out to be one. */
    void wasFullAfterAll(long now) {
        RateLimit rate = fullHandshakes;
        if (rate != null) {
            rate.charge(now);
        }
    }
}
