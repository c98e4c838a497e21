package dev.sluice.config.key;

import dev.sluice.config.key.KeyType.Size;
import dev.sluice.config.key.KeyType.Time;
import dev.sluice.config.key.KeyType.Whole;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.LimitsConfig;
import java.time.Duration;
import java.util.List;

/** The keys of {@code limits}. */
public final class LimitsKeys {
    static final int CONNECTIONS_MAX = 10_000_000;

    private static final int PER_SECOND_MAX = 1_000_000;
    private static final LimitsConfig DEFAULT = LimitsConfig.DEFAULT;

    public static final ValueKey<Duration> HANDSHAKE_TIMEOUT = Key.of(
            "handshake-timeout",
            new Time(Duration.ofMillis(50), Duration.ofMinutes(5)),
            DEFAULT.handshakeTimeout(),
            "Time from accept to the end of the handshake, the wait in the queue included.");
    public static final ValueKey<Duration> IDLE_TIMEOUT = Key.of(
            "idle-timeout",
            new Time(Duration.ZERO, Duration.ofDays(30)),
            DEFAULT.idleTimeout(),
            "Time without a byte in either direction; `0s`: no limit.");
    public static final ValueKey<Integer> CONNECTIONS = Key.of(
            "connections",
            new Whole(1, CONNECTIONS_MAX),
            DEFAULT.connections(),
            "by the descriptor limit",
            "Maximum number of client connections.");
    public static final ValueKey<Integer> CONNECTIONS_PER_ADDRESS = Key.of(
            "connections-per-address",
            new Whole(1, CONNECTIONS_MAX),
            DEFAULT.connectionsPerAddress(),
            Key.NONE,
            "Maximum number of client connections from one IPv4 address, or one IPv6 /64.");
    public static final ValueKey<Long> HELD_BYTES = Key.of(
            "held-bytes",
            new Size(LimitsConfig.HELD_BYTES_MIN, 64L << 20),
            DEFAULT.heldBytes(),
            "Bytes that a connection may hold per direction before reading stops; up to 132 KB more are in flight.");
    public static final ValueKey<Integer> HANDSHAKES = Key.of(
            "handshakes",
            new Whole(1, CONNECTIONS_MAX),
            HandshakeLimits.DEFAULT.inFlight(),
            "Maximum number of handshakes in flight, of some 60 KiB each.");
    public static final ValueKey<Integer> HANDSHAKES_PER_SECOND = Key.of(
            "handshakes-per-second",
            new Whole(1, PER_SECOND_MAX),
            HandshakeLimits.DEFAULT.perSecond(),
            Key.NONE,
            "Full handshakes per second over all loops; a tenth of them at once after a pause.");
    public static final ValueKey<Integer> HANDSHAKES_PER_ADDRESS = Key.of(
            "handshakes-per-second-per-address",
            new Whole(1, PER_SECOND_MAX),
            HandshakeLimits.DEFAULT.perAddressPerSecond(),
            Key.NONE,
            "Full and resumed handshakes per second from one address; as many at once after a pause.");
    public static final ValueKey<Integer> HANDSHAKE_QUEUE = Key.of(
                    "handshake-queue",
                    new Whole(1, HandshakeLimits.QUEUE_MAX),
                    HandshakeLimits.DEFAULT.queue(),
                    "Clients per loop that may wait for their handshake to start.")
            .takesRestart(config -> config.limits().handshakes().queue());
    public static final ValueKey<Duration> HANDSHAKE_WAIT = Key.of(
                    "handshake-wait",
                    new Time(Duration.ofMillis(10), Duration.ofMinutes(1)),
                    HandshakeLimits.DEFAULT.longestWait(),
                    "Longest such wait; time in which the loop itself stalled does not count.")
            .takesRestart(config -> config.limits().handshakes().longestWait());

    public static final SectionKeys SECTION = new SectionKeys(
            "limits",
            "limits",
            "Limits",
            "See [Limits](guide/limits.md).",
            List.of(
                    HANDSHAKE_TIMEOUT,
                    IDLE_TIMEOUT,
                    CONNECTIONS,
                    CONNECTIONS_PER_ADDRESS,
                    HELD_BYTES,
                    HANDSHAKES,
                    HANDSHAKES_PER_SECOND,
                    HANDSHAKES_PER_ADDRESS,
                    HANDSHAKE_QUEUE,
                    HANDSHAKE_WAIT));

    private LimitsKeys() {}
}
