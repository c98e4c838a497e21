package dev.sluice.gateway.config;

import java.time.Duration;
import java.util.List;

/** Reads the section {@code limits}. */
final class LimitsReader {
    private static final List<String> KEYS = List.of(
            "handshake-timeout",
            "idle-timeout",
            "connections",
            "connections-per-address",
            "held-bytes",
            "handshakes",
            "handshakes-per-second",
            "handshakes-per-second-per-address",
            "handshake-queue",
            "handshake-wait");
    private static final Duration HANDSHAKE_MIN = Duration.ofMillis(50);
    private static final Duration HANDSHAKE_MAX = Duration.ofMinutes(5);
    private static final Duration IDLE_MAX = Duration.ofDays(30);
    private static final int CONNECTIONS_MAX = 10_000_000;
    private static final int PER_SECOND_MAX = 1_000_000;
    private static final Duration WAIT_MIN = Duration.ofMillis(10);
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);

    private LimitsReader() {}

    static LimitsConfig read(Value value) {
        Section section = value.section(KEYS);
        if (section == null) {
            return LimitsConfig.DEFAULT;
        }
        LimitsConfig fallback = LimitsConfig.DEFAULT;
        return new LimitsConfig(
                section.duration("handshake-timeout", HANDSHAKE_MIN, HANDSHAKE_MAX, fallback.handshakeTimeout()),
                section.duration("idle-timeout", Duration.ZERO, IDLE_MAX, fallback.idleTimeout()),
                section.integer("connections", 1, CONNECTIONS_MAX, fallback.connections()),
                section.integer("connections-per-address", 1, CONNECTIONS_MAX, fallback.connectionsPerAddress()),
                section.bytes(
                        "held-bytes", LimitsConfig.HELD_BYTES_MIN, LimitsConfig.HELD_BYTES_MAX, fallback.heldBytes()),
                handshakes(section));
    }

    private static HandshakeLimits handshakes(Section section) {
        HandshakeLimits fallback = HandshakeLimits.DEFAULT;
        return new HandshakeLimits(
                section.integer("handshakes", 1, CONNECTIONS_MAX, fallback.inFlight()),
                section.integer("handshakes-per-second", 1, PER_SECOND_MAX, fallback.perSecond()),
                section.integer("handshakes-per-second-per-address", 1, PER_SECOND_MAX, fallback.perAddressPerSecond()),
                section.integer("handshake-queue", 1, HandshakeLimits.QUEUE_MAX, fallback.queue()),
                section.duration("handshake-wait", WAIT_MIN, WAIT_MAX, fallback.longestWait()));
    }
}
