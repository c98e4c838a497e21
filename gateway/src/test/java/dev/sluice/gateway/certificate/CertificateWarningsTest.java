package dev.sluice.gateway.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.certificate.KeyPairFiles;
import dev.sluice.config.model.BackendConfig;
import dev.sluice.config.model.CertificateConfig;
import dev.sluice.config.model.GatewayConfig;
import dev.sluice.config.model.LimitsConfig;
import dev.sluice.config.model.TicketConfig;
import dev.sluice.config.model.TransportChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateWarningsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("2026-04-01T00:00:00Z");

    @Test
    void saysNothingOfAValidCertificate() {
        assertThat(warningsAt(START)).isEmpty();
        assertThat(warningsAt(END.minus(CertificateWarnings.NEAR_END))).isEmpty();
    }

    @Test
    void warnsOfOneNearItsEnd() {
        assertThat(warningsAt(END.minus(Duration.ofDays(9))))
                .containsExactly("certificate shop (shop.pem) expires at 2026-04-01T00:00:00Z; renew it");
    }

    @Test
    void warnsOfOneOutsideItsValidity() {
        assertThat(warningsAt(END.plusSeconds(1))).singleElement().asString().contains("expired at");
        assertThat(warningsAt(START.minusSeconds(1))).singleElement().asString().contains("is not valid before");
    }

    private static List<String> warningsAt(Instant now) {
        KeyPairFiles pair = new KeyPairFiles(Path.of("shop.pem"), Path.of("shop.key"), "EC", START, END);
        CertificateConfig certificate = new CertificateConfig("shop", List.of(pair), List.of());
        List<BackendConfig> noBackends = List.of();
        return CertificateWarnings.of(
                new GatewayConfig(
                        List.of(),
                        List.of(certificate),
                        noBackends,
                        LimitsConfig.DEFAULT,
                        1,
                        TransportChoice.AUTO,
                        TicketConfig.DEFAULT,
                        Duration.ZERO),
                now);
    }
}
