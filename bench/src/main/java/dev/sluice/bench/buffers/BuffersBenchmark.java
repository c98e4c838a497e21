package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Site;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The cost of buffers by the way they are allocated, and of foreign calls. */
public final class BuffersBenchmark {
    private final Options options;
    private final BufferEffort effort;
    private final Report report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public BuffersBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this(options, options.effort(), style, results, progress);
    }

    BuffersBenchmark(
            Options options, BufferEffort effort, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.effort = effort;
        this.report = new Report(style);
        this.results = results;
        this.progress = progress;
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param parts what is measured
     * @param rounds counted rounds of each experiment; empty for the effort's default
     * @param json file for JSON lines; empty for none
     */
    public record Options(boolean quick, Set<BufferPart> parts, Optional<Integer> rounds, Optional<Path> json) {
        BufferEffort effort() {
            BufferEffort effort = quick ? BufferEffort.quick() : BufferEffort.full();
            return rounds.map(effort::withRounds).orElse(effort);
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), Optional.empty())) {
            Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
            facts.put("core", site.cores().describeServer());
            log.run(Instant.now(), facts);
            results.println(report.facts(facts));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            for (BufferPart part : BufferPart.values()) {
                if (options.parts().contains(part)) {
                    run(part, site, runner);
                }
            }
        }
    }

    private void run(BufferPart part, Site site, ExperimentRunner runner) throws InterruptedException {
        try (WorkerPool pool = new WorkerPool(site)) {
            for (Experiment experiment : part.experiments(new TaskFactory(pool, effort))) {
                results.println(report.experiment(runner.run(experiment)));
            }
        }
    }
}
