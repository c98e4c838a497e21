package dev.sluice.gateway.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code limits}. */
final class LimitsReader {
    private static final List<String> KEYS =
            List.of("handshake-timeout", "idle-timeout", "connections", "connections-per-address", "held-bytes");
    private static final Duration HANDSHAKE_MIN = Duration.ofMillis(50);
    private static final Duration HANDSHAKE_MAX = Duration.ofMinutes(5);
    private static final Duration IDLE_MAX = Duration.ofDays(30);
    private static final int CONNECTIONS_MAX = 10_000_000;

    private LimitsReader() {}

    static LimitsConfig read(@Nullable Value value) {
        Section section = value == null ? null : value.section(KEYS);
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
                        "held-bytes", LimitsConfig.HELD_BYTES_MIN, LimitsConfig.HELD_BYTES_MAX, fallback.heldBytes()));
    }
}
