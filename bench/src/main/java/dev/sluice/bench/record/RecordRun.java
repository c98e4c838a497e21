package dev.sluice.bench.record;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Site;
import dev.sluice.tls.record.CipherSuite;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run of the rows that this machine has: their facts, their experiments, and what OpenSSL allocates in them. */
public final class RecordRun {
    private final Site site;
    private final Rows rows;
    private final ResultLog log;
    private final Effort effort;
    private final PrintStream progress;
    private final ExperimentRunner runner;
    private final List<Row> available = new ArrayList<>();
    private final Map<Row, String> absent = new LinkedHashMap<>();

    /** Prepares a run; the caller closes the site and the rows. */
    public RecordRun(Site site, Rows rows, ResultLog log, Effort effort, PrintStream progress) {
        this.site = site;
        this.rows = rows;
        this.log = log;
        this.effort = effort;
        this.progress = progress;
        this.runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
    }

    /** Starts the rows' processes, and returns the facts about the machine and the rows' libraries. */
    public Map<String, String> start(List<Row> wanted) {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("core", site.cores().describeServer());
        facts.put("OpenSSL from", site.openssl().map(Object::toString).orElse("the system"));
        for (Row row : wanted) {
            try {
                facts.put(row.name(), rows.of(row).library());
                available.add(row);
            } catch (BenchException e) {
                String reason = String.valueOf(e.getMessage());
                absent.put(row, reason);
                log.skipped("*", row.name(), reason);
            }
        }
        if (!available.contains(Row.EVP)) {
            throw new BenchException("the row of bare EVP calls is missing; the others have no reference");
        }
        return facts;
    }

    /** Returns the rows that have started. */
    public List<Row> available() {
        return List.copyOf(available);
    }

    /** Returns the rows that have not, as lines with the reasons; empty if all have. */
    public String absences() {
        StringBuilder text = new StringBuilder();
        absent.forEach((row, reason) -> text.append("Without ")
                .append(row.name())
                .append(": ")
                .append(reason)
                .append("\n\n"));
        return text.toString();
    }

    /** Measures one workload in some of the rows. */
    public ExperimentResult measure(Workload workload, List<Row> who, List<Metric> others) throws InterruptedException {
        return measure(workload.name(), workload.title(), workload, who, others);
    }

    /** Measures one workload in some of the rows, as an experiment of another name and title. */
    ExperimentResult measure(String name, String title, Workload workload, List<Row> who, List<Metric> others)
            throws InterruptedException {
        List<RecordTreatment> treatments = new ArrayList<>();
        for (Row row : who) {
            treatments.add(new RecordTreatment(row, () -> rows.of(row), workload, effort));
        }
        return runner.run(new Experiment(name, title, RecordTreatment.NANOS, others, treatments, effort.plan()));
    }

    /** Returns what OpenSSL allocates per record of each payload, for the rows on OpenSSL. */
    public Map<Row, Map<Integer, NativeCost>> nativeCosts(CipherSuite suite, List<Integer> payloads) {
        Map<Row, Map<Integer, NativeCost>> costs = new LinkedHashMap<>();
        for (Row row : available.stream().filter(Row::runsOnOpenSsl).toList()) {
            progress.println("counting native allocations: " + row.name());
            Map<Integer, NativeCost> ofRow = new LinkedHashMap<>();
            try (CountedProcess counted = rows.counted(row)) {
                for (int bytes : payloads) {
                    ofRow.put(bytes, counted.perRecord(suite, bytes, effort.counted()));
                }
            }
            costs.put(row, ofRow);
        }
        return costs;
    }
}
