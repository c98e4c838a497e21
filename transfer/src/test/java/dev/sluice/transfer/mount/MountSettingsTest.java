package dev.sluice.transfer.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.transfer.protocol.ChannelWire;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of the limits of a mount. */
final class MountSettingsTest {
    /** A server ends a conversation that is silent for the limit of its channel, whatever the client's deadline. */
    @Test
    void pingsBeforeAServerGivesUp() {
        Duration server = ChannelWire.SETTINGS.silenceLimit();
        for (int seconds : new int[] {60, 600, 86_400, Integer.MAX_VALUE}) {
            MountSettings settings = MountSettings.DEFAULT.withDeadline(Duration.ofSeconds(seconds));
            assertThat(settings.pingInterval()).isPositive().isLessThanOrEqualTo(server.dividedBy(3));
        }
    }

    @Test
    void pingsSeveralTimesWithinItsDeadline() {
        MountSettings settings = MountSettings.DEFAULT.withDeadline(Duration.ofSeconds(3));
        assertThat(settings.pingInterval()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void limitsTheCache() {
        assertThatThrownBy(() -> MountSettings.DEFAULT.withCache(1L << 60, 1 << 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cacheBytes");
    }
}
