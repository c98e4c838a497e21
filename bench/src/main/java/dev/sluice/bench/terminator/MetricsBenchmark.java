package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Treatment;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Ports;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.process.Usage;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The cost of metrics: gateways without them, with them, and continuously scraped; and the cost of a scrape. */
public final class MetricsBenchmark {
    private static final List<String> LOAD_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC");
    private static final int CONNECTIONS = 10_000;
    private static final int QUICK_CONNECTIONS = 2_000;
    private static final int OTHER_DESCRIPTORS = 500;
    /** The code of the page runs a few times per round, and must be compiled too. */
    private static final int WARMUPS_MIN = 10;

    private final Options options;
    private final Report report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public MetricsBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
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
     * @param gateway the gateway's transport
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     * @param json file for JSON lines; empty for none
     */
    public record Options(
            boolean quick, Optional<Integer> rounds, Peer gateway, Optional<Path> openssl, Optional<Path> json) {
        private Effort effort() {
            Effort effort = quick ? Effort.quick() : Effort.full().withRounds(9);
            return rounds.map(effort::withRounds).orElse(effort);
        }

        /** Returns the number of connections, limited by the server's descriptors: two each. */
        private int connections() {
            long possible = (Usage.descriptorLimit() - OTHER_DESCRIPTORS) / 2;
            return (int) Math.min(quick ? QUICK_CONNECTIONS : CONNECTIONS, possible);
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl());
                LoadProcess load =
                        LoadProcess.start(loadCommand(site), site.directory().resolve("load.log"));
                Fleet fleet = new Fleet(site, load)) {
            Servers servers = new Servers((SluiceTerminator) options.gateway().terminator(), fleet, load);
            Map<String, String> facts = facts(site, load, servers);
            log.run(Instant.now(), facts);
            results.println(report.facts(facts));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            for (Phase phase : List.of(Phase.ECHO, Phase.DOWNLOAD, Phase.HANDSHAKE)) {
                results.println(report.experiment(runner.run(servers.underLoad(phase, options.effort()))));
            }
            results.println(report.experiment(runner.run(servers.scrape(options.connections(), options.effort()))));
        }
    }

    private List<String> loadCommand(Site site) {
        List<String> flags = new ArrayList<>(LOAD_FLAGS);
        site.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
        String module = LoadMain.class.getModule().isNamed()
                ? LoadMain.class.getModule().getName()
                : "";
        return site.cores().onLoadCore(JavaCommand.of(flags, module, LoadMain.class.getName(), List.of()));
    }

    private static Map<String, String> facts(Site site, LoadProcess load, Servers servers) throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", site.cores().describe());
        facts.put("OpenSSL from", site.openssl().map(Path::toString).orElse("the system"));
        facts.put("load generator", load.library());
        facts.put(servers.with.identity().name(), servers.with.version(site));
        return facts;
    }

    /** The compared gateways, which keep running through all phases. */
    private static final class Servers {
        private final MeteredTerminator without;
        private final MeteredTerminator with;
        private final MeteredTerminator scraped;
        private final Fleet fleet;
        private final LoadProcess load;

        Servers(SluiceTerminator gateway, Fleet fleet, LoadProcess load) {
            this.without = new MeteredTerminator(Identity.of("without metrics", Role.PEER), gateway, 0);
            this.with = new MeteredTerminator(Identity.of("with metrics", Role.SUBJECT), gateway, Ports.free());
            this.scraped = new MeteredTerminator(
                    Identity.of("with metrics, scraped each second", Role.SUBJECT), gateway, Ports.free());
            this.fleet = fleet;
            this.load = load;
        }

        Experiment underLoad(Phase phase, Effort effort) {
            LoadPhase work = LoadPhase.of(phase);
            List<Treatment> treatments = List.of(
                    new LoadTreatment(without, work, effort, fleet, load),
                    new LoadTreatment(without.again(), work, effort, fleet, load),
                    new LoadTreatment(with, work, effort, fleet, load),
                    new ScrapedTreatment(
                            scraped.identity(),
                            new LoadTreatment(scraped, work, effort, fleet, load),
                            scraped.adminPort()));
            return new Experiment(
                    "metrics-" + phase.name().toLowerCase(Locale.ROOT),
                    work.title(),
                    work.cost(),
                    work.metrics().subList(1, work.metrics().size()),
                    treatments,
                    effort.load(Math.max(work.warmups(), WARMUPS_MIN)));
        }

        Experiment scrape(int connections, Effort effort) {
            MeteredTerminator fresh =
                    new MeteredTerminator(Identity.of("a fresh gateway", Role.SUBJECT), with.gateway(), Ports.free());
            return new Experiment(
                            "scrape",
                            "A scrape with %,d connections open: time until the page is complete"
                                    .formatted(connections),
                            ScrapeTreatment.MILLIS,
                            ScrapeTreatment.others(),
                            List.of(new ScrapeTreatment(fresh, fleet, load, connections)),
                            effort.idle())
                    .withControl();
        }
    }
}
