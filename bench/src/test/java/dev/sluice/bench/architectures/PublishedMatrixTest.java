package dev.sluice.bench.architectures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.record.Operation;
import dev.sluice.bench.record.RecordTreatment;
import dev.sluice.bench.record.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PublishedMatrixTest {
    @ParameterizedTest
    @EnumSource
    void thePrintedRateIsTheMeanOfFourPayloads(Architecture way) {
        double mean = Architecture.PAYLOADS.stream()
                .mapToDouble(way::thousandsPerSecond)
                .average()
                .orElseThrow();

        assertThat(mean).isCloseTo(way.printed().thousandsPerSecond(), within(1.0));
    }

    @Test
    void withoutMeasurementsNothingHolds() {
        String table = new PublishedMatrix(new Measured(Map.of())).table().markdown();

        assertThat(table.lines().filter(line -> line.contains("| not measured |")))
                .hasSize(4 + 1 + 16 + 16);
        assertThat(table.lines().filter(line -> line.contains("| no such figure |")))
                .hasSize(4);
        assertThat(table).contains("| Memory BIO outpaces JDK SSLEngine at sealing | always | never | no |");
    }

    @Test
    void comparesRatiosWithTheJdkOfTheSamePayload() {
        Map<Workload, ExperimentResult> results = new LinkedHashMap<>();
        for (int payload : Architecture.PAYLOADS) {
            Workload workload = new Workload(Operation.SEAL, Measured.COMMON_SUITE, payload);
            results.put(
                    workload,
                    result(
                            workload,
                            Map.of(
                                    Architecture.JDK.row().identity(),
                                    1000.0,
                                    Architecture.MEMORY_BIO.row().identity(),
                                    payload == 128 ? 1100.0 : 500.0)));
        }

        String table = new PublishedMatrix(new Measured(results)).table().markdown();

        assertThat(table)
                .contains("| seal 128 B: Exeris Memory BIO, × the JDK's rate | 0.891 | 0.909 | yes |")
                .contains("| seal 1 KiB: Exeris Memory BIO, × the JDK's rate | 1.04 | 2.00 | no: more |")
                .contains("| Memory BIO outpaces JDK SSLEngine at sealing | always | 1 KiB, 4 KiB, 16 KiB | no |"
                        + " in the published run only at 1 KiB, 4 KiB, 16 KiB |")
                .contains("| Memory BIO outpaces Netty tcnative at sealing | always | never | no |"
                        + " in the published run only at 128 B, 1 KiB |");
    }

    private static ExperimentResult result(Workload workload, Map<Identity, Double> nanos) {
        Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        nanos.forEach((who, value) -> samples.put(
                who,
                List.of(Sample.of(RecordTreatment.NANOS, value)
                        .with(RecordTreatment.HEAP, 0)
                        .with(RecordTreatment.COLLECTIONS, 0))));
        Experiment experiment = new Experiment(
                workload.name(),
                workload.title(),
                RecordTreatment.NANOS,
                List.of(RecordTreatment.HEAP, RecordTreatment.COLLECTIONS),
                samples.keySet().stream().map(Named::new).toList(),
                new Experiment.Plan(0, 1));
        return new ExperimentResult(experiment, samples, Map.of(), Summary.of(new double[] {0}));
    }

    /** A treatment that has a name only. */
    private record Named(Identity identity) implements Treatment {
        @Override
        public Sample round() {
            throw new AssertionError("not to be measured");
        }
    }
}
