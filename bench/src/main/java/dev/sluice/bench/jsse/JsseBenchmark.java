package dev.sluice.bench.jsse;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.PeerLibraries;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.record.NativeCosts;
import dev.sluice.bench.record.Operation;
import dev.sluice.bench.record.RecordRun;
import dev.sluice.bench.record.RecordTreatment;
import dev.sluice.bench.record.Row;
import dev.sluice.bench.record.Rows;
import dev.sluice.bench.record.Workload;
import dev.sluice.tls.record.CipherSuite;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Sluice's provider of JSSE beside others: records in memory, requests over HTTPS, many blocking connections. */
public final class JsseBenchmark {
    private static final CipherSuite SUITE = CipherSuite.valueOf(TlsProfile.SUITE);
    private static final List<Row> ROWS = List.of(
            Row.EVP,
            Row.JDK_HEAP,
            Row.JDK_DIRECT,
            Row.NETTY,
            Row.CONSCRYPT,
            Row.JSSE_HEAP,
            Row.JSSE_DIRECT,
            Row.JDK_DIRECT_AGAIN);
    private static final List<String> LOAD_FLAGS =
            List.of("-Xms256m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private final Options options;
    private final JsseEffort effort;
    private final Report report;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public JsseBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this(options, options.effort(), style, results, progress);
    }

    JsseBenchmark(Options options, JsseEffort effort, Report.Style style, PrintStream results, PrintStream progress) {
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
     * @param connections the number of blocking connections; empty for the effort's default
     * @param rounds counted rounds of each experiment; empty for the effort's default
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty for the system's
     * @param json file for JSON lines; empty for none
     */
    public record Options(
            boolean quick,
            Set<JssePart> parts,
            Optional<Integer> connections,
            Optional<Integer> rounds,
            Optional<Path> openssl,
            Optional<Path> json) {
        JsseEffort effort() {
            JsseEffort effort = quick ? JsseEffort.quick() : JsseEffort.full();
            effort = rounds.map(effort::withRounds).orElse(effort);
            return connections.map(effort::withConnections).orElse(effort);
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Site site = Site.create(Cores.choose(), options.openssl())) {
            if (options.parts().contains(JssePart.RECORDS)) {
                records(site, log);
            } else {
                announce(log, facts(site));
            }
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            if (options.parts().contains(JssePart.HTTPS)) {
                https(site, runner);
            }
            if (options.parts().contains(JssePart.CONNECTIONS)) {
                results.println(report.experiment(runner.run(connections(site))));
            }
        }
    }

    private Map<String, String> facts(Site site) {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("OpenSSL from", site.openssl().map(Object::toString).orElse("the system"));
        return facts;
    }

    private void announce(ResultLog log, Map<String, String> facts) {
        facts.put("TLS", TlsProfile.describe());
        log.run(Instant.now(), facts);
        results.println(report.facts(facts));
    }

    private void records(Site site, ResultLog log) throws InterruptedException {
        try (Rows processes = new Rows(site, Rows.Collector.SERIAL)) {
            RecordRun run = new RecordRun(site, processes, log, effort.records(), progress);
            announce(log, run.start(ROWS));
            results.print(run.absences());
            Map<Integer, ExperimentResult> both = new LinkedHashMap<>();
            for (Operation operation : Operation.values()) {
                for (int payload : effort.payloads()) {
                    ExperimentResult result = run.measure(
                            new Workload(operation, SUITE, payload), run.available(), List.of(RecordTreatment.HEAP));
                    results.println(report.experiment(result));
                    if (operation == Operation.BOTH) {
                        both.put(payload, result);
                    }
                }
            }
            NativeCosts costs = new NativeCosts(run.nativeCosts(SUITE, effort.payloads()));
            costs.log(log, payload -> Optional.ofNullable(both.get(payload)));
            results.println(report.table(
                    "Native bytes and allocations of OpenSSL per record, seal + open", costs.table(effort.payloads())));
        }
    }

    private void https(Site site, ExperimentRunner runner) throws InterruptedException {
        try (LoadProcess load = LoadProcess.start(
                site.cores()
                        .onLoadCore(JavaCommand.onClassPath(
                                LOAD_FLAGS, PeerLibraries.classPath(), LoadMain.class.getName())),
                site.directory().resolve("load.log"))) {
            List<HttpsTreatment> treatments = new ArrayList<>();
            for (Contender contender : Contender.HTTPS) {
                treatments.add(new HttpsTreatment(site, load, contender, effort));
            }
            results.println(report.experiment(runner.run(new Experiment(
                    "https",
                    "Netty over HTTPS, responses of 1 KiB over " + HttpsTreatment.CONNECTIONS + " connections",
                    HttpsTreatment.RATE,
                    HttpsTreatment.OTHERS,
                    treatments,
                    effort.https()))));
        }
    }

    private Experiment connections(Site site) {
        List<ConnectionsTreatment> treatments = new ArrayList<>();
        for (Contender contender : Contender.CONNECTIONS) {
            treatments.add(new ConnectionsTreatment(site, contender, effort.connectionCount(), effort.messages()));
        }
        return new Experiment(
                "connections-" + effort.connectionCount(),
                String.format(Locale.ROOT, "%,d connections, a virtual thread for each", effort.connectionCount()),
                ConnectionsTreatment.MEMORY,
                ConnectionsTreatment.OTHERS,
                treatments,
                effort.connections());
    }
}
