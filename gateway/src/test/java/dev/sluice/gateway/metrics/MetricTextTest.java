package dev.sluice.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignProgram;
import dev.sluice.testkit.ForeignResult;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetricTextTest {
    /** The header that Prometheus 2 and 3 send. */
    private static final String OPEN_METRICS =
            "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3";

    private static final MetricSnapshot SNAPSHOT = new MetricSnapshot.Builder()
            .add(Metric.CONNECTIONS, 3)
            .add(Metric.CONNECTIONS_ACCEPTED, 17)
            .add(Metric.TLS_HANDSHAKES, 12, "full", "TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "")
            .add(Metric.BACKEND_UP, 1, "web", "unix:/run/\"odd\"\\name\n")
            .add(
                    Metric.TLS_HANDSHAKE_DURATION,
                    MetricSample.of(new Distribution(List.of(0.001, 0.002), List.of(4L, 2L), 7, 0.25), "full"))
            .info(Metric.BUILD, "0.1.0")
            .build(Instant.EPOCH);

    @Test
    void prometheusText() throws IOException {
        assertThat(MetricText.contentType(null)).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        assertThat(text(SNAPSHOT, null))
                .contains("# TYPE sluice_connections gauge\nsluice_connections 3.0\n")
                .contains("# TYPE sluice_connections_accepted_total counter\nsluice_connections_accepted_total 17.0\n")
                .contains("sluice_backend_up{backend=\"web\",server=\"unix:/run/\\\"odd\\\"\\\\name\\n\"} 1.0\n")
                .contains("sluice_tls_handshake_duration_seconds_bucket{kind=\"full\",le=\"0.001\"} 4\n")
                .contains("sluice_tls_handshake_duration_seconds_bucket{kind=\"full\",le=\"0.002\"} 6\n")
                .contains("sluice_tls_handshake_duration_seconds_bucket{kind=\"full\",le=\"+Inf\"} 7\n")
                .contains("sluice_tls_handshake_duration_seconds_count{kind=\"full\"} 7\n")
                .contains("sluice_tls_handshake_duration_seconds_sum{kind=\"full\"} 0.25\n")
                .contains("sluice_build_info{version=\"0.1.0\"} 1\n")
                .doesNotContain("# EOF", Metric.LOOP_TURNS.id());
    }

    @Test
    void openMetricsForWhoAsksForIt() throws IOException {
        assertThat(MetricText.contentType(OPEN_METRICS))
                .isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(text(SNAPSHOT, OPEN_METRICS))
                .contains("# TYPE sluice_connections_accepted counter\n")
                .contains("# TYPE sluice_build info\n")
                .endsWith("# EOF\n");
    }

    @Test
    void promtoolFindsNothingToComplainOf() throws IOException {
        MetricSnapshot.Builder everything = new MetricSnapshot.Builder();
        for (Metric metric : Metric.values()) {
            String[] labels = metric.labels().toArray(String[]::new);
            everything.add(
                    metric,
                    metric.type() == MetricType.HISTOGRAM
                            ? MetricSample.of(new Distribution(List.of(1.0), List.of(1L), 2, 3), labels)
                            : MetricSample.of(1, labels));
        }

        ForeignResult checked = ForeignProgram.required("promtool", "prometheus")
                .command("check", "metrics")
                .input(text(everything.build(Instant.EPOCH), null))
                .run();

        assertThat(checked.output() + checked.errors()).isEmpty();
    }

    private static String text(MetricSnapshot snapshot, @Nullable String accept) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MetricText.write(snapshot, accept, out);
        return out.toString(UTF_8);
    }
}
