package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.MachineFacts;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The cost of a handshake for the gateway: full and resumed, TLS 1.2 and 1.3, RSA and ECDSA; and libssl's part of it.
 */
public final class HandshakesBenchmark {
    private final Options options;
    private final Report report;
    private final Report.Style style;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run without starting anything. */
    public HandshakesBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.report = new Report(style);
        this.style = style;
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
        Experiment.Plan plan() {
            return new Experiment.Plan(quick ? 1 : 4, rounds.orElse(quick ? 2 : 5));
        }

        int units() {
            return quick ? 500 : 2_000;
        }
    }

    /** Runs everything. Everything that it starts has ended on return. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                GatewayParts parts = new GatewayParts(options.openssl(), progress)) {
            Primitives primitives = Primitives.measure(parts.anySite());
            Map<String, String> facts = facts(parts);
            log.run(Instant.now(), facts);
            results.println(report.facts(facts));
            ExperimentRunner runner = new ExperimentRunner(log, new ForeignCpu(), new ProgressLines(progress));
            ExperimentResult result = runner.run(experiment(parts));
            results.println(report.experiment(result));
            results.println(new PublishedClaims(result, primitives).table(style));
        }
    }

    private Map<String, String> facts(GatewayParts parts) throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", parts.anySite().cores().describe());
        facts.put("key exchange", "X25519; AES-128-GCM; one self-signed certificate");
        facts.put("OpenSSL from", options.openssl().map(Path::toString).orElse("the system"));
        Terminator gateway = options.gateway().terminator();
        facts.put(gateway.identity().name(), gateway.version(parts.anySite()));
        return facts;
    }

    private Experiment experiment(GatewayParts parts) {
        return new Experiment(
                        "handshakes",
                        "One connection: handshake, one byte to the backend and back, close; CPU time of the gateway, "
                                + "and time in libssl without sockets",
                        HandshakeTreatment.GATEWAY,
                        HandshakeTreatment.metrics()
                                .subList(1, HandshakeTreatment.metrics().size()),
                        HandshakeKind.all().stream()
                                .map(kind -> treatment(parts, kind))
                                .toList(),
                        options.plan())
                .withControl();
    }

    private HandshakeTreatment treatment(GatewayParts parts, HandshakeKind kind) {
        return new HandshakeTreatment(
                kind,
                options.gateway().terminator(),
                parts.fleet(kind.certificate(), kind.version()),
                parts.load(kind.version()),
                parts.site(kind.certificate()).certificate(),
                parts.library(),
                options.units());
    }
}
