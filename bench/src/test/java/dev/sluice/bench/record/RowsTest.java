package dev.sluice.bench.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bench.harness.Experiment.Plan;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.Site;
import dev.sluice.testkit.ForeignProgram;
import dev.sluice.tls.record.CipherSuite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that every row carries records, and that the counters work. */
class RowsTest {
    /** Keys are allocated for 128 connections at once. */
    private static final Effort LITTLE = new Effort(5, 10, new Plan(0, 1), 100, 256);

    private static final CipherSuite SUITE = CipherSuite.TLS_AES_128_GCM_SHA256;

    /** The limit of the module tls; the ledger excludes malloc's overhead. */
    private static final int MAX_IDLE_BYTES = 512;

    @ParameterizedTest
    @EnumSource(Operation.class)
    void everyRowRunsEveryOperation(Operation operation) throws Exception {
        requirePrograms();
        try (Site site = site();
                Rows rows = new Rows(site, Rows.Collector.SERIAL)) {
            List<Row> all = new ArrayList<>(RecordBenchmark.ROWS);
            all.addAll(List.of(Row.NETTY_PIPELINE, Row.CONSCRYPT, Row.DESCRIPTOR));
            for (Row row : all) {
                for (int bytes : List.of(1024, 16_384)) {
                    RecordTreatment treatment = new RecordTreatment(
                            row, () -> rows.cold(row), new Workload(operation, SUITE, bytes), LITTLE);
                    treatment.start();
                    Sample sample = treatment.round();
                    assertThat(sample.value(RecordTreatment.NANOS))
                            .as(row.name())
                            .isPositive();
                }
            }
        }
    }

    @Test
    void recordLayerAllocatesNothingNative() throws Exception {
        requirePrograms();
        try (Site site = site();
                Rows rows = new Rows(site, Rows.Collector.SERIAL)) {
            assertThat(allocationsPerRecord(rows, Row.LIBSSL))
                    .as("libssl allocates, which proves that counting works")
                    .isPositive();
            assertThat(allocationsPerRecord(rows, Row.EVP)).isZero();
            assertThat(allocationsPerRecord(rows, Row.CHANNEL)).isZero();
            assertThat(allocationsPerRecord(rows, Row.DIRECT)).isZero();
            assertThat(allocationsPerRecord(rows, Row.DESCRIPTOR)).isPositive();
        }
    }

    @Test
    void anIdleConnectionHoldsNothingOfOpenSsl() throws Exception {
        requirePrograms();
        try (Site site = site();
                Rows rows = new Rows(site, Rows.Collector.SERIAL);
                CountedProcess direct = rows.counted(Row.DIRECT);
                CountedProcess memory = rows.counted(Row.MEMORY)) {
            IdleBytes left = IdleBytes.measure(direct, LITTLE.idle());
            assertThat(left.openssl()).isZero();
            assertThat(left.ledger()).isBetween(1.0, (double) MAX_IDLE_BYTES);
            assertThat(IdleBytes.measure(memory, LITTLE.idle()).openssl()).isGreaterThan(MAX_IDLE_BYTES);
        }
    }

    private static double allocationsPerRecord(Rows rows, Row row) {
        try (CountedProcess counted = rows.counted(row)) {
            return counted.perRecord(SUITE, 1024, LITTLE.counted()).allocations();
        }
    }

    private static Site site() throws InterruptedException {
        String openssl = System.getProperty("sluice.openssl", "");
        return Site.create(Cores.choose(), openssl.isEmpty() ? Optional.empty() : Optional.of(Path.of(openssl)));
    }

    private static void requirePrograms() {
        ForeignProgram.required("cc", "gcc libc6-dev");
        ForeignProgram.required("openssl", "openssl");
    }
}
