package dev.sluice.cost.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.context.ProtocolVersion;
import org.junit.jupiter.api.Test;

class ScrapedMetricsTest {
    private static final Load OTHERWISE = new Load(
            1,
            1,
            1,
            1,
            1,
            4096,
            new Load.Settings(
                    ProtocolVersion.TLS_1_3, KeyKind.RSA_4096, 2, false, "aes-128-gcm", Engine.DIRECT, 0.1, 0));

    private static final String FIRST = """
            # HELP sluice_tls_handshakes_total TLS handshakes with clients that were completed.
            # TYPE sluice_tls_handshakes_total counter
            sluice_tls_handshakes_total{kind="full",version="TLSv1.2",cipher="a",group="X25519",\
            signature="rsa_pss_rsae_sha256"} 100
            sluice_tls_handshakes_total{kind="resumed",version="TLSv1.2",cipher="a",group="X25519",signature=""} 300
            sluice_connections 40
            sluice_connection_bytes_total{direction="to_client"} 1000
            process_cpu_seconds_total 5
            process_start_time_seconds 1000
            """;

    private static final String SECOND = """
            sluice_tls_handshakes_total{kind="full",version="TLSv1.2",cipher="a",group="X25519",\
            signature="rsa_pss_rsae_sha256"} 300.0 1234
            sluice_tls_handshakes_total{kind="resumed",version="TLSv1.2",cipher="a",group="X25519",signature=""} 900
            sluice_tls_handshakes_total{kind="full",version="TLSv1.3",cipher="with \\"quotes\\" and }",\
            group="X25519MLKEM768",signature="ecdsa_secp256r1_sha256"} 0
            sluice_connections 50
            sluice_connection_bytes_total{direction="to_client"} 2.001e6
            sluice_connection_bytes_total{direction="to_backend"} 500
            process_cpu_seconds_total 7.5
            # EOF
            """;

    @Test
    void computesRatesFromTwoPages() {
        ScrapedMetrics metrics = ScrapedMetrics.between(FIRST, SECOND, 10);
        Load load = metrics.load(OTHERWISE);

        assertThat(load.connections()).isEqualTo(50);
        assertThat(load.newPerSecond()).isEqualTo(80);
        assertThat(load.resumption()).isEqualTo(0.75);
        assertThat(load.downPerSecond()).isEqualTo(200_000);
        assertThat(load.upPerSecond()).isEqualTo(50);
        assertThat(load.recordBytes()).isEqualTo(4096);
        assertThat(load.settings().version()).isEqualTo(ProtocolVersion.TLS_1_2);
        assertThat(load.settings().key()).isEqualTo(KeyKind.RSA_4096);
        assertThat(load.settings().postQuantum()).isFalse();
        assertThat(metrics.measuredCores()).hasValue(0.25);
    }

    @Test
    void computesRatesFromOnePageSinceTheStart() {
        Load load = ScrapedMetrics.sinceStart(FIRST, "a file", 1100).load(OTHERWISE);

        assertThat(load.newPerSecond()).isCloseTo(4, within(1e-9));
        assertThat(ScrapedMetrics.since(FIRST, "a file", 50).load(OTHERWISE).newPerSecond())
                .isCloseTo(8, within(1e-9));
    }

    @Test
    void rejectsIncompletePages() {
        assertThatThrownBy(() -> ScrapedMetrics.sinceStart("sluice_connections 1", "page.txt", 5))
                .isInstanceOf(CostException.class)
                .hasMessageContaining("page.txt")
                .hasMessageContaining("--seconds");
        assertThatThrownBy(() -> ScrapedMetrics.since("up 1", "page.txt", 5))
                .hasMessageContaining("sluice_tls_handshakes_total");
        assertThatThrownBy(() -> ScrapedMetrics.since("<html>", "page.txt", 5))
                .hasMessageContaining("page.txt, line 1")
                .hasMessageContaining("<html>");
        assertThatThrownBy(() -> ScrapedMetrics.since("up one", "page.txt", 5)).hasMessageContaining("no number");
        assertThatThrownBy(() -> ScrapedMetrics.between(FIRST, SECOND, 0)).hasMessageContaining("more than 0 s");
    }
}
