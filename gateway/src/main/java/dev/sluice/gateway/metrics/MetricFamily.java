package dev.sluice.gateway.metrics;

import java.util.List;

/**
 * A metric with all its series at one time.
 *
 * @param name as it stands on the page, such as {@code sluice_tls_handshakes_total}
 * @param type what is counted, and how
 * @param help one sentence for people
 * @param labelNames names of the labels, empty where there is one series
 * @param samples the series
 */
public record MetricFamily(
        String name, MetricType type, String help, List<String> labelNames, List<MetricSample> samples) {
    /** Checks that each sample has a value for each label. */
    public MetricFamily {
        labelNames = List.copyOf(labelNames);
        samples = List.copyOf(samples);
        for (MetricSample sample : samples) {
            if (sample.labelValues().size() != labelNames.size()) {
                throw new IllegalArgumentException(name + labelNames + " has a sample " + sample.labelValues());
            }
        }
    }
}
