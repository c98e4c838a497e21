package dev.sluice.config.read;

import dev.sluice.config.key.LimitsKeys;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.yaml.Value;

/** The reader of {@code limits}. */
final class LimitsReader {
    private LimitsReader() {}

    static LimitsConfig read(Value value) {
        Section section = Section.of(value, LimitsKeys.SECTION);
        if (section == null) {
            return LimitsConfig.DEFAULT;
        }
        return new LimitsConfig(
                section.get(LimitsKeys.HANDSHAKE_TIMEOUT),
                section.get(LimitsKeys.IDLE_TIMEOUT),
                section.get(LimitsKeys.CONNECTIONS),
                section.get(LimitsKeys.CONNECTIONS_PER_ADDRESS),
                section.get(LimitsKeys.HELD_BYTES),
                handshakes(section));
    }

    private static HandshakeLimits handshakes(Section section) {
        return new HandshakeLimits(
                section.get(LimitsKeys.HANDSHAKES),
                section.get(LimitsKeys.HANDSHAKES_PER_SECOND),
                section.get(LimitsKeys.HANDSHAKES_PER_ADDRESS),
                section.get(LimitsKeys.HANDSHAKE_QUEUE),
                section.get(LimitsKeys.HANDSHAKE_WAIT));
    }
}
