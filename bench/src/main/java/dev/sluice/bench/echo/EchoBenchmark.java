package dev.sluice.bench.echo;

import dev.sluice.bench.harness.BarChart;
import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.RatioChart;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Site;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A comparison of echo servers over numbers of connections and message sizes. */
public final class EchoBenchmark {
    private static final String CHART = "Plain TCP echo: CPU time per message, multiples of java.nio's";

    private final Options options;
    private final EchoEffort effort;
    private final Report facts;
    private final EchoReport report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public EchoBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this(options, options.effort(), style, results, progress);
    }

    EchoBenchmark(Options options, EchoEffort effort, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.effort = effort;
        this.facts = new Report(style);
        this.report = new EchoReport(style);
        this.results = results;
        this.progress = progress;
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param rounds counted rounds at every point; empty for the effort's default
     * @param connections numbers of connections; empty for the effort's default
     * @param sizes message sizes in bytes; empty for the effort's default
     * @param json file for JSON lines; empty for none
     * @param chart file for the SVG; empty for none
     */
    public record Options(
            boolean quick,
            Optional<Integer> rounds,
            List<Integer> connections,
            List<Integer> sizes,
            Optional<Path> json,
            Optional<Path> chart) {
        EchoEffort effort() {
            EchoEffort effort = quick ? EchoEffort.quick() : EchoEffort.full();
            effort = rounds.map(effort::withRounds).orElse(effort);
            effort = connections.isEmpty() ? effort : effort.withConnections(connections);
            return sizes.isEmpty() ? effort : effort.withSizes(sizes);
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), Optional.empty());
                EchoFleet fleet = new EchoFleet(site.cores(), site.directory(), effort.warmupMillis())) {
            List<EchoServer> available = new ArrayList<>();
            Map<String, String> known = facts(site, fleet, log, available);
            log.run(Instant.now(), known);
            results.println(facts.facts(known));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            Map<String, ExperimentResult> all = new LinkedHashMap<>();
            for (int bytes : effort.sizes()) {
                Map<EchoPoint, ExperimentResult> ofSize = new LinkedHashMap<>();
                for (int connections : effort.connections()) {
                    EchoPoint point = new EchoPoint(connections, bytes);
                    ofSize.put(point, runner.run(experiment(point, available, fleet)));
                }
                results.println(report.ofSize(bytes, ofSize));
                ofSize.forEach((point, result) -> all.put(point.size() + ", " + point.people(), result));
            }
            draw(all);
        }
    }

    private Map<String, String> facts(Site site, EchoFleet fleet, ResultLog log, List<EchoServer> available) {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", site.cores().describe());
        facts.put("load generator", "Sluice's event loop: " + fleet.load().library());
        for (EchoServer server : EchoServer.ALL) {
            String name = server.identity().name();
            progress.println("starting and warming " + name);
            try {
                String library = fleet.running(server).process().library();
                available.add(server);
                if (server.identity().original() == null) {
                    facts.put(name, library);
                }
            } catch (BenchException e) {
                log.skipped("*", name, String.valueOf(e.getMessage()));
                results.println("Without " + name + ": " + e.getMessage() + "\n");
            }
        }
        if (!available.contains(EchoServer.SELECTOR)) {
            throw new BenchException("the server on java.nio is missing; the others have no reference");
        }
        return facts;
    }

    private Experiment experiment(EchoPoint point, List<EchoServer> servers, EchoFleet fleet) {
        return new Experiment(
                point.name(),
                point.title(),
                EchoTreatment.COST,
                List.of(
                        EchoTreatment.RATE,
                        EchoTreatment.SERVER_BUSY,
                        EchoTreatment.LOAD_BUSY,
                        EchoTreatment.JIT_SHARE),
                servers.stream()
                        .map(server -> new EchoTreatment(server, point, effort.roundMillis(), fleet))
                        .toList(),
                effort.plan());
    }

    private void draw(Map<String, ExperimentResult> all) {
        BarChart.write(options.chart(), () -> RatioChart.svg(CHART, EchoServer.SELECTOR.identity(), all));
    }
}
