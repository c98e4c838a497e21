package dev.sluice.bench.idle;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
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

/** Resting connections: the gateway beside nginx, then the gateway with as many as are asked for. */
public final class IdleBenchmark {
    private static final int QUICK_BESIDE = 4_000;
    private static final int BESIDE = 18_000;

    private final Options options;
    private final Report report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public IdleBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.report = new Report(style);
        this.results = results;
        this.progress = progress;
    }

    /**
     * The options of a run.
     *
     * @param quick true for short rests and fewer connections beside nginx
     * @param connections the most connections
     * @param rounds counted rounds beside nginx; empty for the default
     * @param transport the gateway's transport, as named in the configuration
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3 for all; empty for the system's
     * @param json file for JSON lines; empty for none
     */
    public record Options(
            boolean quick,
            int connections,
            Optional<Integer> rounds,
            String transport,
            Optional<Path> openssl,
            Optional<Path> json) {
        private Experiment.Plan plan() {
            return new Experiment.Plan(0, rounds.orElse(quick ? 1 : 3));
        }

        private int beside() {
            return Math.min(connections, quick ? QUICK_BESIDE : BESIDE);
        }

        private long restMillis() {
            return quick ? 2_000 : 10_000;
        }

        private long longRestMillis() {
            return quick ? 5_000 : 30_000;
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl())) {
            RestingServer sluice = new RestingSluice(options.transport());
            List<RestingServer> servers = available(List.of(sluice, new RestingNginx()), log);
            Map<String, String> facts = facts(site, servers);
            log.run(Instant.now(), facts);
            results.println(report.facts(facts));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            results.println(report.experiment(runner.run(beside(site, servers))));
            if (servers.contains(sluice) && options.connections() > options.beside()) {
                results.println(report.experiment(runner.run(most(site, sluice))));
            }
        }
    }

    private List<RestingServer> available(List<RestingServer> servers, ResultLog log) {
        List<RestingServer> available = new ArrayList<>();
        for (RestingServer server : servers) {
            server.unavailable()
                    .ifPresentOrElse(
                            why -> {
                                log.skipped("*", server.identity().name(), why);
                                results.println("Without " + server.identity().name() + ": " + why + "\n");
                            },
                            () -> available.add(server));
        }
        return available;
    }

    private Map<String, String> facts(Site site, List<RestingServer> servers) throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", site.cores().describe());
        facts.put("TLS", TlsProfile.describe());
        facts.put("OpenSSL from", site.openssl().map(Path::toString).orElse("the system"));
        long descriptors = Usage.descriptorLimit();
        facts.put(
                "descriptors",
                String.format(
                        Locale.ROOT,
                        "%,d for a process, so that one server carries at most %,d connections",
                        descriptors,
                        RestingServer.connectionsMax(descriptors)));
        for (RestingServer server : servers) {
            facts.put(server.identity().name(), server.version(site));
        }
        return facts;
    }

    private Experiment beside(Site site, List<RestingServer> servers) {
        List<RestTreatment> treatments = servers.stream()
                .map(server -> new RestTreatment(site, server, options.beside(), options.restMillis()))
                .toList();
        return experiment("idle", options.beside(), treatments, options.plan()).withControl();
    }

    /** One round, whose noise is that of the other experiment. */
    private Experiment most(Site site, RestingServer sluice) {
        return experiment(
                "idle-most",
                options.connections(),
                List.of(new RestTreatment(site, sluice, options.connections(), options.longRestMillis())),
                new Experiment.Plan(0, 1));
    }

    private static Experiment experiment(
            String name, int connections, List<RestTreatment> treatments, Experiment.Plan plan) {
        return new Experiment(
                name,
                String.format(
                        Locale.ROOT,
                        "%,d TLS connections at rest, through to the backend; memory is the growth from %,d to all, for"
                                + " each connection",
                        connections,
                        (int) (connections * RestTreatment.FEW)),
                RestTreatment.SERVER,
                RestTreatment.metrics().subList(1, RestTreatment.metrics().size()),
                treatments,
                plan);
    }
}
