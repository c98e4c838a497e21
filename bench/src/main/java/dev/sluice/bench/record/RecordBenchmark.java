package dev.sluice.bench.record;

import dev.sluice.bench.harness.BarChart;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.RatioChart;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.Site;
import dev.sluice.tls.record.CipherSuite;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cost of sealing and opening a record: all rows, one workload after the other. */
public final class RecordBenchmark {
    static final List<Row> ROWS = List.of(
            Row.EVP,
            Row.LIBSSL,
            Row.CHANNEL,
            Row.DIRECT,
            Row.MEMORY,
            Row.JDK_HEAP,
            Row.JDK_DIRECT,
            Row.NETTY,
            Row.EVP_AGAIN);
    private static final List<Row> KEY_SWITCH_ROWS =
            List.of(Row.EVP, Row.EVP_TWO_KEYS, Row.CHANNEL, Row.CHANNEL_TWO_KEYS);
    private static final List<Row> IDLE_ROWS = List.of(Row.DIRECT, Row.MEMORY, Row.JDK_HEAP);
    private static final List<Integer> ALL_BYTES = List.of(64, 1024, 4096, 16_384);
    private static final List<Integer> SOME_BYTES = List.of(1024, 16_384);
    private static final String CHART =
            "Sealing and opening a TLS 1.3 record, AES-128-GCM: multiples of the bare EVP calls";
    private static final int COUNTED_BYTES = 1024;
    private static final CipherSuite SUITE = CipherSuite.TLS_AES_128_GCM_SHA256;

    private final Options options;
    private final Report facts;
    private final RecordReport report;
    private final PrintStream results;
    private final PrintStream progress;
    private final Effort effort;

    /** Prepares a run without starting anything. */
    public RecordBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.facts = new Report(style);
        this.report = new RecordReport(style);
        this.results = results;
        this.progress = progress;
        Effort asked = options.quick() ? Effort.quick() : Effort.full();
        this.effort = options.rounds().map(asked::withRounds).orElse(asked);
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param rounds counted rounds of every workload; empty for the effort's default
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     * @param json file for JSON lines; empty for none
     * @param chart file for the SVG; empty for none
     */
    public record Options(
            boolean quick,
            Optional<Integer> rounds,
            Optional<Path> openssl,
            Optional<Path> json,
            Optional<Path> chart) {}

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl());
                Rows rows = new Rows(site, Rows.Collector.SERIAL)) {
            RecordRun run = new RecordRun(site, rows, log, effort, progress);
            Map<String, String> known = run.start(ROWS);
            log.run(Instant.now(), known);
            results.print(run.absences());
            results.println(facts.facts(known));
            Map<Row, Double> allocations = new LinkedHashMap<>();
            run.nativeCosts(SUITE, List.of(COUNTED_BYTES))
                    .forEach((row, costs) -> allocations.put(
                            row,
                            costs.values().stream()
                                    .mapToDouble(NativeCost::allocations)
                                    .sum()));
            bySize(run, allocations);
            byCipher(run);
            keySwitch(run);
            results.println(report.idle(idle(run.available(), rows)));
        }
    }

    private void bySize(RecordRun run, Map<Row, Double> allocations) throws InterruptedException {
        Map<Integer, ExperimentResult> both = Map.of();
        for (Operation operation : List.of(Operation.BOTH, Operation.SEAL, Operation.OPEN)) {
            Map<Integer, ExperimentResult> bySize = new LinkedHashMap<>();
            for (int bytes : ALL_BYTES) {
                bySize.put(bytes, measure(run, new Workload(operation, SUITE, bytes), run.available()));
            }
            results.println(report.bySize(operation, bySize, operation == Operation.BOTH ? allocations : Map.of()));
            if (operation == Operation.BOTH) {
                both = bySize;
            }
        }
        draw(both);
    }

    private void draw(Map<Integer, ExperimentResult> both) {
        Map<String, ExperimentResult> groups = new LinkedHashMap<>();
        both.forEach((bytes, result) -> groups.put(Workload.size(bytes), result));
        BarChart.write(options.chart(), () -> RatioChart.svg(CHART, Row.EVP.identity(), groups));
    }

    private void byCipher(RecordRun run) throws InterruptedException {
        for (CipherSuite suite :
                List.of(CipherSuite.TLS_AES_256_GCM_SHA384, CipherSuite.TLS_CHACHA20_POLY1305_SHA256)) {
            Map<Integer, ExperimentResult> bySize = new LinkedHashMap<>();
            for (int bytes : SOME_BYTES) {
                bySize.put(bytes, measure(run, new Workload(Operation.BOTH, suite, bytes), run.available()));
            }
            results.println(report.bySize(Operation.BOTH, bySize, Map.of()));
        }
    }

    private void keySwitch(RecordRun run) throws InterruptedException {
        Map<Integer, ExperimentResult> bySize = new LinkedHashMap<>();
        for (int bytes : SOME_BYTES) {
            bySize.put(bytes, keys(run, new Workload(Operation.BOTH, SUITE, bytes)));
        }
        results.println(report.keySwitch(bySize));
    }

    private Map<Row, IdleBytes> idle(List<Row> available, Rows rows) {
        Map<Row, IdleBytes> weights = new LinkedHashMap<>();
        for (Row row : IDLE_ROWS.stream().filter(available::contains).toList()) {
            progress.println("measuring idle connections: " + row.name());
            try (CountedProcess counted = rows.counted(row)) {
                weights.put(row, IdleBytes.measure(counted, effort.idle()));
            }
        }
        return weights;
    }

    private ExperimentResult measure(RecordRun run, Workload workload, List<Row> who) throws InterruptedException {
        return run.measure(workload, who, List.of(RecordTreatment.HEAP));
    }

    private ExperimentResult keys(RecordRun run, Workload workload) throws InterruptedException {
        return run.measure(
                "keys-" + workload.name(),
                "A key for every record, " + workload.title(),
                workload,
                KEY_SWITCH_ROWS,
                List.of(RecordTreatment.HEAP));
    }
}
