package dev.sluice.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.RatioChart;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Summary;
import dev.sluice.tls.record.CipherSuite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordReportTest {
    @Test
    void hasAColumnForEachSizeWithTheRatioToTheBareCalls() {
        String report = new RecordReport(Report.Style.MARKDOWN)
                .bySize(Operation.BOTH, Map.of(1024, result()), Map.of(Row.EVP, 0.0, Row.LIBSSL, 4.0));

        assertThat(report)
                .contains("### AES-128-GCM, seal + open: ns per record\n")
                .contains("|  | 1 KiB | × EVP | heap B/record | native allocations/record |\n")
                .contains("| bare EVP calls, C | 400 | 1.00 | 0 | 0 |\n")
                .contains("| libssl over a BIO pair, C | 1,000 | 2.50 | 0 | 4 |\n")
                .contains("| JDK SSLEngine, heap | 1,600 | 4.00 | 3,034 |  |\n")
                .contains("Left out: Netty tcnative (BoringSSL): it broke\n");
    }

    @Test
    void chartShowsEveryRow() {
        String svg = RatioChart.svg("Records", Row.EVP.identity(), Map.of("1 KiB", result()));

        assertThat(svg)
                .startsWith("<svg ")
                .endsWith("</svg>\n")
                .contains("1 KiB", "bare EVP calls, C", "libssl over a BIO pair, C", ">2.50<", ">4.00<");
    }

    private static ExperimentResult result() {
        Workload workload = new Workload(Operation.BOTH, CipherSuite.TLS_AES_128_GCM_SHA256, 1024);
        Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        samples.put(Row.EVP.identity(), sample(400, 0));
        samples.put(Row.LIBSSL.identity(), sample(1000, 0));
        samples.put(Row.JDK_HEAP.identity(), sample(1600, 3034));
        List<RecordTreatment> treatments = List.of(Row.EVP, Row.LIBSSL, Row.JDK_HEAP, Row.NETTY).stream()
                .map(row -> new RecordTreatment(
                        row,
                        () -> {
                            throw new AssertionError(row);
                        },
                        workload,
                        Effort.quick()))
                .toList();
        Experiment experiment = new Experiment(
                workload.name(),
                workload.title(),
                RecordTreatment.NANOS,
                List.of(RecordTreatment.HEAP),
                treatments,
                new Experiment.Plan(0, 1));
        Map<Identity, String> failures = Map.of(Row.NETTY.identity(), "it broke");
        return new ExperimentResult(experiment, samples, failures, new Summary(0.1, 0, 0, 0.3, 3));
    }

    private static List<Sample> sample(double nanos, double heapBytes) {
        return List.of(Sample.of(RecordTreatment.NANOS, nanos).with(RecordTreatment.HEAP, heapBytes));
    }
}
