package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.SluiceProgram;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.cost.plan.PlanModel;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A comparison of the predictions of {@code sluice cost plan} with the gateway's actual use for some loads. */
public final class PlanBenchmark {
    private static final int QUICK_DIVISOR = 4;

    private final Options options;
    private final Report report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public PlanBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.report = new Report(style);
        this.results = results;
        this.progress = progress;
    }

    /**
     * The options of a run.
     *
     * @param profile the measured costs; empty to measure them first, as sluice cost does
     * @param quick true for a quick estimate
     * @param rounds counted rounds; empty for the effort's default
     * @param gateway the gateway's transport
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     * @param json file for JSON lines; empty for none
     */
    public record Options(
            Optional<CostProfile> profile,
            boolean quick,
            Optional<Integer> rounds,
            Peer gateway,
            Optional<Path> openssl,
            Optional<Path> json) {
        Experiment.Plan plan() {
            return new Experiment.Plan(quick ? 2 : 6, rounds.orElse(quick ? 2 : 5));
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                GatewayParts parts = new GatewayParts(options.openssl(), progress)) {
            CostProfile profile =
                    options.profile().isPresent() ? options.profile().get() : measured(parts.anySite());
            Map<String, String> facts = facts(parts, profile);
            log.run(Instant.now(), facts);
            results.println(report.facts(facts));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            ExperimentResult result = runner.run(experiment(parts, profile));
            results.println(report.experiment(result));
        }
    }

    private CostProfile measured(Site site) throws InterruptedException {
        Path file = site.directory().resolve("cost.json");
        List<String> arguments = new ArrayList<>(List.of("cost", "--save", file.toString()));
        if (options.quick()) {
            arguments.add("--quick");
        }
        progress.println("No saved figures: measuring them by sluice " + String.join(" ", arguments));
        String said = Output.of(SluiceProgram.command(site, List.of(), arguments), site.environment());
        if (!Files.exists(file)) {
            throw new BenchException("sluice cost has measured nothing: " + said);
        }
        return CostProfileFile.read(file);
    }

    private Map<String, String> facts(GatewayParts parts, CostProfile profile) throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", parts.anySite().cores().describe());
        facts.put(
                "costs of",
                profile.facts().getOrDefault("OpenSSL", "an unknown OpenSSL") + ", measured "
                        + profile.facts().getOrDefault("measured", "at an unknown time"));
        Terminator gateway = options.gateway().terminator();
        facts.put(gateway.identity().name(), gateway.version(parts.anySite()));
        return facts;
    }

    private Experiment experiment(GatewayParts parts, CostProfile profile) {
        return new Experiment(
                        "plan",
                        "CPU of the gateway, predicted by sluice cost plan and measured, in cores",
                        PlanTreatment.MEASURED,
                        PlanTreatment.metrics()
                                .subList(1, PlanTreatment.metrics().size()),
                        Arrays.stream(PlannedLoad.values())
                                .map(load -> treatment(parts, load, profile))
                                .toList(),
                        options.plan())
                .withControl();
    }

    private PlanTreatment treatment(GatewayParts parts, PlannedLoad load, CostProfile profile) {
        return new PlanTreatment(
                load,
                options.gateway().terminator(),
                parts.fleet(load.certificate(), load.version()),
                parts.load(load.version()),
                new PlanModel(profile),
                options.quick() ? QUICK_DIVISOR : 1);
    }
}
