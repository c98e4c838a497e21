package dev.sluice.bench.architectures;

import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.record.Operation;
import dev.sluice.bench.record.RecordTreatment;
import dev.sluice.bench.record.Row;
import dev.sluice.bench.record.Workload;
import dev.sluice.tls.record.CipherSuite;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a run by workload. Figures that were not measured are NaN.
 *
 * @param results in the order of the run
 */
record Measured(Map<Workload, ExperimentResult> results) {
    /** The suite of all rows, since BoringSSL chooses it in TLS 1.3 whatever is configured. */
    static final CipherSuite COMMON_SUITE = CipherSuite.TLS_AES_128_GCM_SHA256;

    /** The suite that the article configures, for the rows whose library allows the choice. */
    static final CipherSuite PUBLISHED_SUITE = CipherSuite.TLS_AES_256_GCM_SHA384;

    /** Returns the median of a metric. */
    double median(Workload workload, Row row, Metric metric) {
        return of(workload, List.of(row))
                .map(result -> result.summary(row.identity(), metric).median())
                .orElse(Double.NaN);
    }

    /** Returns the nanoseconds per record. */
    double nanos(Operation operation, CipherSuite suite, int payload, Row row) {
        return median(new Workload(operation, suite, payload), row, RecordTreatment.NANOS);
    }

    /** Returns the time of a row in multiples of another's, with the common suite. */
    double ratio(Operation operation, int payload, Row row, Row over) {
        return of(new Workload(operation, COMMON_SUITE, payload), List.of(row, over))
                .map(result -> result.ratio(row.identity(), over.identity()).median())
                .orElse(Double.NaN);
    }

    /** Returns the collections in all counted rounds of sealing, and of sealing and opening. */
    double collections(Row row) {
        double sum = 0;
        for (Map.Entry<Workload, ExperimentResult> entry : results.entrySet()) {
            if (entry.getKey().operation() != Operation.OPEN) {
                sum += collections(entry.getValue(), row.identity());
            }
        }
        return sum;
    }

    /** Returns the collections in the counted rounds of one experiment; 0 if the row is not in it. */
    static double collections(ExperimentResult result, Identity who) {
        return result.samples().getOrDefault(who, List.of()).stream()
                .mapToDouble(sample -> sample.value(RecordTreatment.COLLECTIONS))
                .sum();
    }

    /** Returns the result of a workload, if all of these rows have finished it. */
    private Optional<ExperimentResult> of(Workload workload, List<Row> rows) {
        return Optional.ofNullable(results.get(workload))
                .filter(result -> rows.stream().map(Row::identity).allMatch(result.samples()::containsKey));
    }
}
