package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.AddedCost;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Site;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A comparison of TLS terminators: the participants and phases, from the servers' start to their end. */
public final class TerminatorBenchmark {
    private static final List<String> LOAD_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC");

    private final Options options;
    private final Listener listener;

    /** Prepares a run without starting anything. */
    public TerminatorBenchmark(Options options, Listener listener) {
        this.options = options;
        this.listener = listener;
    }

    /**
     * The options of a run.
     *
     * @param quick true for a quick estimate
     * @param rounds counted rounds in every phase; empty for the effort's default
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3 for all servers; empty for the system's
     * @param json file for JSON lines; empty for none
     * @param phases the phases
     * @param peers the servers
     * @param jdkLoad true for the JDK's TLS in the load generator instead of Sluice's
     */
    public record Options(
            boolean quick,
            Optional<Integer> rounds,
            Optional<Path> openssl,
            Optional<Path> json,
            List<Phase> phases,
            List<Peer> peers,
            boolean jdkLoad) {
        Effort effort() {
            Effort effort = quick ? Effort.quick() : Effort.full();
            return rounds.map(effort::withRounds).orElse(effort);
        }

        /**
         * Returns the phases in order of the enumeration; the latency phase adds the echo phase, which sets its rate.
         */
        List<Phase> orderedPhases() {
            Set<Phase> ordered = EnumSet.noneOf(Phase.class);
            ordered.addAll(phases);
            if (ordered.contains(Phase.LATENCY)) {
                ordered.add(Phase.ECHO);
            }
            return List.copyOf(ordered);
        }
    }

    /** A listener for progress and results. */
    public interface Listener extends ExperimentRunner.Progress {
        /** Reports the conditions of the figures, before the first round. */
        void onFacts(Map<String, String> facts);

        /** Reports a skipped server. */
        void onSkipped(String name, String reason);

        /** Reports the result of a phase. */
        void onResult(ExperimentResult result);

        /** Reports the servers' added costs over the floor, after the result of a phase. */
        void onTlsAdded(AddedCost added);
    }

    /** Runs everything requested. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl());
                LoadProcess load =
                        LoadProcess.start(loadCommand(site), site.directory().resolve("load.log"));
                Fleet fleet = new Fleet(site, load)) {
            List<Terminator> terminators = available(log);
            Map<String, String> facts = facts(site, load, terminators);
            log.run(Instant.now(), facts);
            listener.onFacts(facts);
            new Run(new ExperimentRunner(log, new ForeignCpu(), listener), terminators, fleet, load).play();
        }
    }

    private List<String> loadCommand(Site site) {
        List<String> flags = new ArrayList<>(LOAD_FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        List<String> arguments = options.jdkLoad() ? List.of(LoadMain.JDK_CLIENT) : List.of();
        String module = LoadMain.class.getModule().isNamed()
                ? LoadMain.class.getModule().getName()
                : "";
        return site.cores().onLoadCore(JavaCommand.of(flags, module, LoadMain.class.getName(), arguments));
    }

    private List<Terminator> available(ResultLog log) {
        List<Terminator> terminators = new ArrayList<>();
        for (Peer peer : options.peers()) {
            Terminator terminator = peer.terminator();
            Optional<String> reason = terminator.unavailable();
            reason.ifPresentOrElse(why -> skip(log, terminator, why), () -> terminators.add(terminator));
        }
        // The control duplicates a peer, since peers are the reference of ratios.
        terminators.stream()
                .filter(terminator -> terminator.identity().role() == Role.PEER)
                .findFirst()
                .ifPresent(peer -> terminators.add(peer.again()));
        return terminators;
    }

    private void skip(ResultLog log, Terminator terminator, String reason) {
        String name = terminator.identity().name();
        log.skipped("*", name, reason);
        listener.onSkipped(name, reason);
    }

    private static Map<String, String> facts(Site site, LoadProcess load, List<Terminator> terminators)
            throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", site.cores().describe());
        facts.put("TLS", TlsProfile.describe());
        facts.put("OpenSSL from", site.openssl().map(Path::toString).orElse("the system"));
        facts.put("load generator", load.library());
        for (Terminator terminator : terminators) {
            if (terminator.identity().role() != Role.CONTROL) {
                facts.put(terminator.identity().name(), terminator.version(site));
            }
        }
        return facts;
    }

    /** The phases in sequence. */
    private final class Run {
        private final ExperimentRunner runner;
        private final List<Terminator> terminators;
        private final Fleet fleet;
        private final LoadProcess load;
        private final Effort effort = options.effort();
        /** The echo result, which sets the rate of the latency phase. */
        private @Nullable ExperimentResult echo;

        Run(ExperimentRunner runner, List<Terminator> terminators, Fleet fleet, LoadProcess load) {
            this.runner = runner;
            this.terminators = terminators;
            this.fleet = fleet;
            this.load = load;
        }

        void play() throws InterruptedException {
            for (Phase phase : options.orderedPhases()) {
                ExperimentResult result = runner.run(experiment(phase));
                listener.onResult(result);
                if (phase.movesData()) {
                    AddedCost.of(result).ifPresent(listener::onTlsAdded);
                }
                if (phase == Phase.ECHO) {
                    echo = result;
                }
            }
        }

        private Experiment experiment(Phase phase) {
            return switch (phase) {
                case IDLE ->
                    experiment(
                            phase,
                            IdleTreatment.TITLE,
                            List.of(IdleTreatment.PER_CONNECTION, IdleTreatment.RESIDENT),
                            terminator -> new IdleTreatment(terminator, fleet, load),
                            effort.idle());
                case STARTUP ->
                    experiment(
                            phase,
                            StartupTreatment.TITLE,
                            List.of(StartupTreatment.MILLIS, StartupTreatment.CPU, StartupTreatment.RESIDENT),
                            terminator -> new StartupTreatment(terminator, fleet),
                            effort.startup());
                case COLDSTART ->
                    experiment(
                            phase,
                            ColdStartTreatment.TITLE,
                            ColdStartTreatment.metrics(),
                            terminator -> new ColdStartTreatment(terminator, effort, fleet, load),
                            effort.coldStart());
                case LATENCY -> latency(halfLoad());
                default -> underLoad(phase, LoadPhase.of(phase));
            };
        }

        private Experiment underLoad(Phase phase, LoadPhase work) {
            return experiment(
                    phase,
                    work.title(),
                    work.metrics(),
                    terminator -> new LoadTreatment(terminator, work, effort, fleet, load),
                    effort.load(work.warmups()));
        }

        private HalfLoad halfLoad() {
            ExperimentResult played = Objects.requireNonNull(echo, "the echo phase must run first");
            return HalfLoad.of(played, LoadPhase.of(Phase.ECHO).rate());
        }

        private Experiment latency(HalfLoad rate) {
            return experiment(
                    Phase.LATENCY,
                    LatencyTreatment.title(rate),
                    LatencyTreatment.metrics(),
                    terminator -> LatencyTreatment.of(terminator, rate, effort, fleet, load),
                    effort.load(LatencyTreatment.WARMUPS));
        }

        /** Creates an experiment; its first metric is the primary one. */
        private Experiment experiment(
                Phase phase,
                String title,
                List<Metric> metrics,
                Function<Terminator, Treatment> treatment,
                Experiment.Plan plan) {
            return new Experiment(
                    phase.toString(),
                    title,
                    metrics.getFirst(),
                    metrics.subList(1, metrics.size()),
                    terminators.stream().map(treatment).toList(),
                    plan);
        }
    }
}
