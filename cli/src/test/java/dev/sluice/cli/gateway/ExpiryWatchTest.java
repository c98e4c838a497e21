package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.TransportChoice;
import dev.sluice.gateway.log.GatewayLog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that an expiry is reported once while the gateway runs, and again when it is worse. */
class ExpiryWatchTest {
    private static final Instant END = Instant.parse("2026-04-01T00:00:00Z");
    private static final GatewayConfig CONFIG = new GatewayConfig(
            List.of(),
            List.of(new CertificateConfig(
                    "shop",
                    List.of(new KeyPairFiles(Path.of("shop.pem"), Path.of("shop.key"), "EC", Instant.EPOCH, END)),
                    List.of())),
            List.of(),
            LimitsConfig.DEFAULT,
            1,
            TransportChoice.AUTO,
            null,
            Duration.ZERO);

    private final List<String> lines = new ArrayList<>();
    private Instant now = END.minus(Duration.ofDays(15));

    @Test
    void warnsOnceAboutEachNewExpiry() {
        GatewayLog log = (level, line) -> lines.add(line);
        ExpiryWatch watch = new ExpiryWatch(() -> now, log);
        watch.toldAll(CONFIG);

        hours(watch, 48);
        assertThat(lines).singleElement().asString().contains("expires at 2026-04-01");

        hours(watch, 13 * 24 + 2);
        assertThat(lines).hasSize(2).last().asString().contains("expired at 2026-04-01");
    }

    private void hours(ExpiryWatch watch, int count) {
        for (int i = 0; i < count; i++) {
            now = now.plus(Duration.ofHours(1));
            watch.look(CONFIG);
        }
    }

    @Test
    void skipsChecksThatAreNotDue() {
        ExpiryWatch watch = new ExpiryWatch(() -> now, (level, line) -> lines.add(line));
        watch.toldAll(CONFIG);
        now = now.plus(Duration.ofDays(2));
        watch.toldAll(CONFIG);
        watch.look(CONFIG);

        assertThat(lines).isEmpty();
    }
}
