package dev.sluice.gateway.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.gateway.Copies;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The notes of a reload on keys that take a restart. */
class RestartNotesTest {
    private static final GatewayConfig RUNNING = new GatewayConfig(
            List.of(),
            List.of(),
            List.of(),
            LimitsConfig.DEFAULT,
            1,
            TransportChoice.AUTO,
            TicketConfig.DEFAULT,
            Duration.ofSeconds(1));

    @Test
    void namesEachKeyThatTakesARestart() {
        HandshakeLimits handshakes = HandshakeLimits.DEFAULT.withQueue(7, Duration.ofSeconds(7));
        GatewayConfig next = Copies.of(RUNNING.withTransport(TransportChoice.EPOLL))
                .loops(2)
                .limits(Copies.of(LimitsConfig.DEFAULT).handshakes(handshakes).build())
                .tickets(Copies.of(TicketConfig.DEFAULT).count(7).build())
                .build();

        assertThat(RestartNotes.of(RUNNING, next))
                .containsExactlyInAnyOrder(
                        "loops has changed; restart the gateway to apply it",
                        "transport has changed; restart the gateway to apply it",
                        "tickets has changed; restart the gateway to apply it",
                        "limits.handshake-queue has changed; restart the gateway to apply it",
                        "limits.handshake-wait has changed; restart the gateway to apply it");
    }

    @Test
    void namesNoKeyThatAReloadApplies() {
        GatewayConfig off = Copies.of(RUNNING).tickets(null).build();
        GatewayConfig faster = Copies.of(RUNNING)
                .limits(Copies.of(LimitsConfig.DEFAULT)
                        .idleTimeout(Duration.ZERO)
                        .build())
                .build();

        assertThat(RestartNotes.of(RUNNING, RUNNING)).isEmpty();
        assertThat(RestartNotes.of(RUNNING, off)).isEmpty();
        assertThat(RestartNotes.of(RUNNING, faster)).isEmpty();
    }
}
