package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BarChart;
import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Priority;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.storm.StormMain;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Terminators in a handshake storm. First the CPU time of a full handshake is measured, which gives the capacity of one
 * core; then clients arrive at a multiple of the fastest server's capacity, the same for all.
 */
public final class StormBenchmark {
    /** Without C2, which would compile for seconds: messages would wait for the load. */
    private static final List<String> LOAD_FLAGS =
            List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Storms after which the gateway's JIT compiler has come to its end with what only storms do. */
    private static final int WARM_UPS = 5;

    /** The limit that an operator would set, as a share of the measured capacity. */
    private static final double ALLOWED_SHARE = 0.7;

    private static final double MICROS_PER_SECOND = 1e6;

    private final Options options;
    private final Report report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public StormBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.report = new Report(style);
        this.results = results;
        this.progress = progress;
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param rounds counted rounds; empty for the effort's default
     * @param times storm rate as a multiple of the fastest server's capacity
     * @param peers the servers
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3 for all servers; empty for the system's
     * @param json file for JSON lines; empty for none
     * @param chart file for the SVG; empty for none
     */
    public record Options(
            boolean quick,
            Optional<Integer> rounds,
            double times,
            List<Peer> peers,
            Optional<Path> openssl,
            Optional<Path> json,
            Optional<Path> chart) {
        /**
         * Returns the rounds of the capacity phase, with enough warm-ups for the JIT compiler to finish with
         * handshakes.
         */
        Experiment.Plan capacity() {
            int warmups = LoadPhase.of(Phase.HANDSHAKE).warmups();
            return new Experiment.Plan(quick ? 1 : warmups, quick ? 1 : 3);
        }

        Experiment.Plan storm() {
            return new Experiment.Plan(quick ? 1 : WARM_UPS, rounds.orElse(quick ? 1 : 3));
        }

        long millis() {
            return quick ? 1_500 : 3_000;
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl());
                LoadProcess load = LoadProcess.start(
                        site.cores().onLoadCore(Priority.REAL_TIME.whereAvailable(command(site, LoadMain.class))),
                        site.directory().resolve("load.log"));
                AskedProcess established =
                        client(site, "established", Priority.REAL_TIME.whereAvailable(command(site, StormMain.class)));
                AskedProcess storm = client(site, "storm", Priority.IDLE.of(command(site, StormMain.class)));
                Fleet fleet = new Fleet(site, load)) {
            List<Terminator> terminators = available(log);
            Map<String, String> facts = facts(site, storm, terminators);
            log.run(Instant.now(), facts);
            results.println(report.facts(facts));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            ExperimentResult capacity = runner.run(capacity(terminators, fleet, load));
            results.println(report.experiment(capacity));
            limitedHaproxy(terminators, capacity).ifPresent(terminators::add);
            double most = most(capacity);
            ExperimentResult result =
                    runner.run(new Storms(site.cores(), fleet, established, storm).experiment(terminators, most));
            results.println(report.experiment(result));
            draw(result);
        }
    }

    private static AskedProcess client(Site site, String name, List<String> command) {
        return AskedProcess.start(
                name,
                site.cores().onLoadCore(command),
                Map.of(),
                site.directory().resolve(name + ".log"));
    }

    private static List<String> command(Site site, Class<?> main) {
        List<String> flags = new ArrayList<>(LOAD_FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        String module = main.getModule().isNamed() ? main.getModule().getName() : "";
        return JavaCommand.of(flags, module, main.getName(), List.of());
    }

    private List<Terminator> available(ResultLog log) {
        List<Terminator> terminators = new ArrayList<>();
        for (Peer peer : options.peers()) {
            Terminator terminator =
                    peer.terminator() instanceof SluiceTerminator sluice ? sluice.asByDefault() : peer.terminator();
            terminator
                    .unavailable()
                    .ifPresentOrElse(
                            why -> {
                                log.skipped("*", terminator.identity().name(), why);
                                results.println(
                                        "Without " + terminator.identity().name() + ": " + why + "\n");
                            },
                            () -> terminators.add(terminator));
        }
        return terminators;
    }

    private Map<String, String> facts(Site site, AskedProcess storm, List<Terminator> terminators)
            throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", site.cores().describe());
        facts.put("TLS", TlsProfile.describe());
        facts.put("OpenSSL from", site.openssl().map(Path::toString).orElse("the system"));
        facts.put("clients", "Sluice's event loop: " + storm.library());
        String first = Priority.REAL_TIME.isAvailable() ? Priority.REAL_TIME.policy() : "the usual policy";
        facts.put(
                "priorities",
                first + " for established connections and the backend, " + Priority.IDLE.policy() + " for the storm");
        facts.put("without the storm", "both cores kept awake by processes with " + Priority.IDLE.policy());
        for (Terminator terminator : terminators) {
            facts.put(terminator.identity().name(), terminator.version(site));
        }
        return facts;
    }

    private Experiment capacity(List<Terminator> terminators, Fleet fleet, LoadProcess load) {
        LoadPhase phase = LoadPhase.of(Phase.HANDSHAKE);
        List<LoadTreatment> treatments = terminators.stream()
                .map(terminator -> new LoadTreatment(terminator, phase, Effort.full(), fleet, load))
                .toList();
        return new Experiment(
                        "capacity",
                        phase.title(),
                        phase.cost(),
                        phase.metrics().subList(1, phase.metrics().size()),
                        treatments,
                        options.capacity())
                .withControl();
    }

    /** Returns the number of full handshakes per second of one core, independent of the load's limit. */
    private static double perSecond(ExperimentResult capacity, Identity who) {
        return MICROS_PER_SECOND
                / capacity.summary(who, capacity.experiment().headline()).median();
    }

    private static double most(ExperimentResult capacity) {
        return capacity.samples().keySet().stream()
                .mapToDouble(who -> perSecond(capacity, who))
                .max()
                .orElseThrow(() ->
                        new BenchException("no server could be measured, so there is no rate for the " + "storm"));
    }

    private static Optional<Terminator> limitedHaproxy(List<Terminator> terminators, ExperimentResult capacity) {
        return terminators.stream()
                .filter(HaproxyTerminator.class::isInstance)
                .map(Terminator::identity)
                .filter(haproxy -> capacity.samples().containsKey(haproxy))
                .<Terminator>map(
                        haproxy -> HaproxyTerminator.limited((int) (ALLOWED_SHARE * perSecond(capacity, haproxy))))
                .findFirst();
    }

    private void draw(ExperimentResult result) {
        BarChart.write(options.chart(), () -> StormChart.svg(result));
    }

    /** The resources of a storm besides a server. */
    private final class Storms {
        private final Cores cores;
        private final Fleet fleet;
        private final AskedProcess established;
        private final AskedProcess storm;

        Storms(Cores cores, Fleet fleet, AskedProcess established, AskedProcess storm) {
            this.cores = cores;
            this.fleet = fleet;
            this.established = established;
            this.storm = storm;
        }

        Experiment experiment(List<Terminator> terminators, double capacity) {
            double perSecond = capacity * options.times();
            List<StormTreatment> treatments = terminators.stream()
                    .map(terminator -> new StormTreatment(
                            terminator, perSecond, options.millis(), cores, fleet, established, storm))
                    .toList();
            return new Experiment(
                            "storm",
                            String.format(
                                    Locale.ROOT,
                                    "Storm: %,.0f handshakes per second come, %.1f times the fastest server's "
                                            + "capacity, one in %d resumes; %d established connections exchange "
                                            + "%,.0f messages of 128 bytes per second",
                                    perSecond,
                                    options.times(),
                                    StormMain.ONE_RESUMES_OF,
                                    StormTreatment.CONNECTIONS,
                                    StormTreatment.MESSAGES_PER_SECOND),
                            StormTreatment.TIMES,
                            StormTreatment.metrics()
                                    .subList(1, StormTreatment.metrics().size()),
                            treatments,
                            options.storm())
                    .withControl();
        }
    }
}
