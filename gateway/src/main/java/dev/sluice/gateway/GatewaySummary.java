package dev.sluice.gateway;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.ocsp.Stapling;
import java.util.Map;
import java.util.TreeMap;

/** The log line that sums up what a gateway has served. */
final class GatewaySummary {
    private static final String REFUSED = "refused_";

    private final MetricSnapshot metrics;
    private final Stapling stapling;

    GatewaySummary(MetricSnapshot metrics, Stapling stapling) {
        this.metrics = metrics;
        this.stapling = stapling;
    }

    /** Returns the line, without early data, backends or OCSP where there is nothing to report. */
    String text() {
        long full = metrics.count(Metric.TLS_HANDSHAKES, "kind", "full");
        return metrics.count(Metric.CONNECTIONS_ACCEPTED) + " connections, " + full + " full and "
                + (metrics.count(Metric.TLS_HANDSHAKES) - full) + " resumed handshakes ("
                + metrics.count(Metric.ADMISSION_QUEUED) + " queued, "
                + metrics.count(Metric.ADMISSION_HANDSHAKES, "result", "refused") + " refused), "
                + metrics.count(Metric.CONNECTION_BYTES, "direction", "to_backend") + " bytes to backends, "
                + metrics.count(Metric.CONNECTION_BYTES, "direction", "to_client") + " bytes to clients; records: "
                + records() + earlyData() + backends() + staples() + "; ends: "
                + metrics.countBy(Metric.CONNECTION_ENDS, "reason");
    }

    private Map<String, Long> records() {
        Map<String, Long> records = metrics.countBy(Metric.TLS_ENGINE, "reason");
        long direct = metrics.count(Metric.TLS_ENGINE, "engine", "direct");
        records.remove("complete");
        if (direct > 0) {
            records.put("direct", direct);
        }
        return records;
    }

    private String earlyData() {
        Map<String, Long> counts = metrics.countBy(Metric.TLS_EARLY_DATA, "result");
        Map<String, Long> refused = new TreeMap<>();
        counts.forEach((result, count) -> {
            if (result.startsWith(REFUSED)) {
                refused.put(result.substring(REFUSED.length()), count);
            }
        });
        long accepted = counts.getOrDefault("accepted", 0L);
        return accepted == 0 && refused.isEmpty()
                ? ""
                : "; early data: " + accepted + " accepted, " + counts.getOrDefault("forwarded", 0L)
                        + " of these forwarded, refused: " + refused;
    }

    private String backends() {
        long failures = metrics.count(Metric.BACKEND_CONNECT_FAILURES);
        long failedChecks = metrics.count(Metric.BACKEND_HEALTH_CHECK_FAILURES);
        return failures == 0 && failedChecks == 0
                ? ""
                : "; backends: " + failures + " connects failed, " + metrics.count(Metric.BACKEND_EJECTIONS)
                        + " ejections, " + failedChecks + " of " + metrics.count(Metric.BACKEND_HEALTH_CHECKS)
                        + " health checks failed";
    }

    private String staples() {
        return stapling.certificates() == 0
                ? ""
                : "; ocsp: " + stapling.stapled() + " of " + stapling.certificates()
                        + " certificates stapled, the oldest response "
                        + stapling.oldest().toSeconds() + "s old, " + stapling.given() + " given, "
                        + stapling.fetched() + " fetched, " + stapling.failed() + " failed";
    }
}
