package dev.sluice.bench.architectures;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.record.Effort;
import dev.sluice.bench.record.NativeCosts;
import dev.sluice.bench.record.Operation;
import dev.sluice.bench.record.RecordRun;
import dev.sluice.bench.record.RecordTreatment;
import dev.sluice.bench.record.Row;
import dev.sluice.bench.record.Rows;
import dev.sluice.bench.record.Workload;
import dev.sluice.tls.record.CipherSuite;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ways to run TLS in a JVM: sealing and opening a record of each size, on the collector and the heap of the
 * published run (ZGC, 256 MiB).
 */
public final class ArchitecturesBenchmark {
    static final List<Row> ROWS = List.of(
            Row.EVP,
            Row.JDK_HEAP,
            Row.JDK_DIRECT,
            Row.NETTY,
            Row.NETTY_PIPELINE,
            Row.CONSCRYPT,
            Row.MEMORY,
            Row.DESCRIPTOR,
            Row.DIRECT,
            Row.MEMORY_AGAIN);

    /** BoringSSL's rows are missing: they have one suite. */
    private static final List<Row> PUBLISHED_SUITE_ROWS =
            List.of(Row.EVP, Row.JDK_HEAP, Row.JDK_DIRECT, Row.MEMORY, Row.DESCRIPTOR, Row.DIRECT, Row.MEMORY_AGAIN);

    private static final List<Metric> METRICS = List.of(RecordTreatment.HEAP, RecordTreatment.COLLECTIONS);

    private final Options options;
    private final Effort effort;
    private final List<Row> rows;
    private final List<Integer> payloads;
    private final Report.Style style;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public ArchitecturesBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this(options, options.effort(), ROWS, Architecture.PAYLOADS, style, results, progress);
    }

    /** Prepares a run of some rows and payloads. */
    ArchitecturesBenchmark(
            Options options,
            Effort effort,
            List<Row> rows,
            List<Integer> payloads,
            Report.Style style,
            PrintStream results,
            PrintStream progress) {
        this.options = options;
        this.effort = effort;
        this.rows = List.copyOf(rows);
        this.payloads = List.copyOf(payloads);
        this.style = style;
        this.results = results;
        this.progress = progress;
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param rounds counted rounds of every workload; empty for the effort's default
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     * @param json file for JSON lines; empty for none
     */
    public record Options(boolean quick, Optional<Integer> rounds, Optional<Path> openssl, Optional<Path> json) {
        /** Returns the effort: rounds in which the JDK's engine makes garbage for a collection or more. */
        Effort effort() {
            Effort effort = quick
                    ? new Effort(100, 200, new Experiment.Plan(1, 3), 100, 0)
                    : new Effort(100, 500, new Experiment.Plan(1, 21), 1_000, 0);
            return rounds.map(effort::withRounds).orElse(effort);
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl());
                Rows processes = new Rows(site, Rows.Collector.Z)) {
            RecordRun run = new RecordRun(site, processes, log, effort, progress);
            Map<String, String> facts = run.start(rows);
            log.run(Instant.now(), facts);
            results.print(run.absences());
            results.println(new Report(style).facts(facts));
            NativeCosts costs = new NativeCosts(run.nativeCosts(Measured.COMMON_SUITE, payloads));
            Map<Workload, ExperimentResult> measured = new LinkedHashMap<>();
            for (Operation operation : Operation.values()) {
                measure(run, operation, Measured.COMMON_SUITE, run.available(), measured);
            }
            List<Row> choosing = PUBLISHED_SUITE_ROWS.stream()
                    .filter(run.available()::contains)
                    .toList();
            measure(run, Operation.SEAL, Measured.PUBLISHED_SUITE, choosing, measured);
            log(log, costs, measured);
            print(new ArchitecturesReport(style, new Measured(measured)), costs);
        }
    }

    private void measure(
            RecordRun run,
            Operation operation,
            CipherSuite suite,
            List<Row> who,
            Map<Workload, ExperimentResult> measured)
            throws InterruptedException {
        for (int payload : payloads) {
            Workload workload = new Workload(operation, suite, payload);
            measured.put(workload, run.measure(workload, who, METRICS));
        }
    }

    private static void log(ResultLog log, NativeCosts costs, Map<Workload, ExperimentResult> measured) {
        costs.log(
                log,
                payload -> Optional.ofNullable(
                        measured.get(new Workload(Operation.BOTH, Measured.COMMON_SUITE, payload))));
    }

    private void print(ArchitecturesReport report, NativeCosts costs) {
        results.println(report.matrix());
        for (Operation operation : Operation.values()) {
            results.println(report.operation(operation, Measured.COMMON_SUITE));
        }
        results.println(report.operation(Operation.SEAL, Measured.PUBLISHED_SUITE));
        results.println(report.nativeCosts(costs));
    }
}
