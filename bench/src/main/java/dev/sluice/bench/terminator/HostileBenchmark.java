package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.harness.Table;
import dev.sluice.bench.hostile.HostileKind;
import dev.sluice.bench.hostile.HostileMain;
import dev.sluice.bench.hostile.WitnessMain;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Priority;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.scrape.GatewayFigures;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Hostile clients of each kind at the gateway, while a witness repeatedly has 1 MB echoed. The gateway's resources are
 * compared before and after; the witness's times are reported beside those without hostile clients.
 */
public final class HostileBenchmark {
    private static final List<String> FLAGS = List.of("-Xms64m", "-Xmx512m", "-XX:+UseSerialGC");
    private static final int WARMUP_CONNECTIONS = 500;
    private static final String NAME = "hostile";
    private static final long WITNESS = 1;
    private static final long SETTLE_MILLIS_MAX = 15_000;

    private final Options options;
    private final Report.Style style;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public HostileBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.style = style;
        this.results = results;
        this.progress = progress;
    }

    /**
     * The options of a run.
     *
     * @param quick true for short pauses and no time for memory to settle
     * @param connections hostile connections of each kind
     * @param kinds the kinds
     * @param gateway the gateway's transport
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3 for all; empty for the system's
     * @param json file for JSON lines; empty for none
     */
    public record Options(
            boolean quick,
            int connections,
            List<HostileKind> kinds,
            Peer gateway,
            Optional<Path> openssl,
            Optional<Path> json) {
        private long calmMillis() {
            return quick ? 500 : 2_000;
        }
    }

    /**
     * Runs everything. Everything that it starts has ended on return.
     *
     * @return the gateway's failures; empty for none
     */
    public List<String> run() throws InterruptedException {
        SluiceTerminator terminator = (SluiceTerminator) options.gateway().terminator();
        terminator.unavailable().ifPresent(why -> {
            throw new BenchException(why);
        });
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl());
                AskedProcess witness =
                        AskedProcess.onLoadCore(site, "witness", WitnessMain.class, FLAGS, UnaryOperator.identity());
                // The witness and the backend are scheduled before hostile clients, which get the rest of the core.
                AskedProcess hostile = AskedProcess.onLoadCore(
                        site, "hostile", HostileMain.class, hostileFlags(), Priority.IDLE::whereAvailable);
                HostileGateway gateway = HostileGateway.start(
                        site, terminator, (int) witness.ask("backend").number("port"))) {
            Map<String, String> facts = facts(site, terminator, hostile);
            log.run(Instant.now(), facts);
            results.println(new Report(style).facts(facts));
            return new Run(gateway, witness, hostile, log).play();
        }
    }

    private static List<String> hostileFlags() {
        return Stream.concat(FLAGS.stream(), HostileMain.FLAGS.stream()).toList();
    }

    private Map<String, String> facts(Site site, SluiceTerminator terminator, AskedProcess hostile)
            throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", site.cores().describe());
        facts.put("OpenSSL from", site.openssl().map(Path::toString).orElse("the system"));
        facts.put(
                "hostile clients",
                hostile.library() + (Priority.IDLE.isAvailable() ? ", with " + Priority.IDLE.policy() : ""));
        facts.put("witness", "1 MB there and back over TLS 1.3 with the JDK, consecutive exchanges");
        facts.put(terminator.identity().name(), terminator.version(site));
        return facts;
    }

    /** A run with its resources. */
    private final class Run {
        private final HostileGateway gateway;
        private final AskedProcess witness;
        private final AskedProcess hostile;
        private final ResultLog log;
        private final ForeignCpu foreignCpu = new ForeignCpu();
        private final Table table = new Table(HostileRow.TITLES);
        private final List<String> faults = new ArrayList<>();
        private final List<String> weaknesses = new ArrayList<>();
        private final Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        private final List<Double> foreignCpus = new ArrayList<>();

        Run(HostileGateway gateway, AskedProcess witness, AskedProcess hostile, ResultLog log) {
            this.gateway = gateway;
            this.witness = witness;
            this.hostile = hostile;
            this.log = log;
        }

        List<String> play() throws InterruptedException {
            witness.ask("connect", gateway.port());
            warmUp();
            for (HostileKind kind : options.kinds()) {
                progress.println("hostile: " + kind.title());
                long begin = System.nanoTime();
                long foreign = foreignCpu.getAsLong();
                HostileRow row = measure(kind);
                double foreignCores = (foreignCpu.getAsLong() - foreign) / (double) (System.nanoTime() - begin);
                Identity who = Identity.of(kind.title(), Role.SUBJECT);
                Sample sample = row.sample();
                samples.put(who, List.of(sample));
                foreignCpus.add(foreignCores);
                table.row(row.cells());
                faults.addAll(row.faults());
                row.weakness().ifPresent(weaknesses::add);
                log.round(NAME, who, new ResultLog.RoundFacts(0, 0, false, foreignCores), sample);
            }
            log.result(result());
            results.println(style == Report.Style.MARKDOWN ? table.markdown() : table.text());
            weaknesses.forEach(weakness -> results.println("WEAK  " + weakness));
            return faults;
        }

        /** Returns the rows as an experiment of one round. */
        private ExperimentResult result() {
            List<Metric> others = samples.values().iterator().next().getFirst().values().keySet().stream()
                    .filter(metric -> !metric.equals(HostileRow.ECHO_P99))
                    .toList();
            Experiment experiment = new Experiment(
                    NAME,
                    "An honest client among hostile ones: growth of its p99 for 1 MB there and back, by their kind",
                    HostileRow.ECHO_P99,
                    others,
                    List.of(),
                    new Experiment.Plan(0, 1));
            double[] foreign =
                    foreignCpus.stream().mapToDouble(Double::doubleValue).toArray();
            return new ExperimentResult(experiment, samples, Map.of(), Summary.of(foreign));
        }

        /** Warms up the gateway: one-time allocations, and compilation of frequent code. */
        private void warmUp() throws InterruptedException {
            watch(options.calmMillis());
            for (HostileKind kind : options.kinds()) {
                progress.println("hostile: warm-up, " + kind.title());
                attack(kind, Math.min(WARMUP_CONNECTIONS, options.connections()));
            }
            gateway.settled(WITNESS, SETTLE_MILLIS_MAX);
        }

        private HostileRow measure(HostileKind kind) throws InterruptedException {
            GatewayFigures before = gateway.figures();
            Answer calm = watch(options.calmMillis());
            witness.ask("start");
            Answer attack = attack(kind, options.connections());
            Answer stormy = witness.ask("stop");
            GatewayFigures after = gateway.settled(before.sessions(), SETTLE_MILLIS_MAX);
            if (!options.quick()) {
                Thread.sleep(options.gateway().terminator().settleMillis());
                after = gateway.figures();
            }
            return new HostileRow(kind, options.connections(), attack, before, after, calm, stormy);
        }

        private Answer watch(long millis) throws InterruptedException {
            witness.ask("start");
            Thread.sleep(millis);
            return witness.ask("stop");
        }

        private Answer attack(HostileKind kind, int count) {
            return hostile.ask("attack", gateway.port(), kind.name(), count);
        }
    }
}
