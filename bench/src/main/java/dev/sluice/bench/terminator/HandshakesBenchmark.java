package dev.sluice.bench.terminator;

import dev.sluice.bench.handshake.LibraryMain;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.ExperimentRunner;
import dev.sluice.bench.harness.ProgressLines;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Certificate;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.ForeignCpu;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.MachineFacts;
import dev.sluice.bench.process.Site;
import dev.sluice.tls.ProtocolVersion;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What a handshake costs the gateway: full and resumed, TLS 1.2 and 1.3, RSA and ECDSA; and what of it is libssl's. */
public final class HandshakesBenchmark {
    private static final List<String> LOAD_FLAGS = List.of("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC");

    private final Options options;
    private final Report report;
    private final Report.Style style;
    private final PrintStream results;
    private final PrintStream progress;

    /** Prepares a run; nothing is started yet. */
    public HandshakesBenchmark(Options options, Report.Style style, PrintStream results, PrintStream progress) {
        this.options = options;
        this.report = new Report(style);
        this.style = style;
        this.results = results;
        this.progress = progress;
    }

    /**
     * What to run.
     *
     * @param quick whether a first impression will do
     * @param rounds counted rounds; empty: as many as the effort says
     * @param gateway on which transport
     * @param openssl a directory with libssl.so.3 and libcrypto.so.3; empty: the system's
     * @param json where the JSON lines go; empty: nowhere
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

    /** Runs everything. Whatever it starts has ended when it returns. */
    public void run() throws InterruptedException {
        try (ResultLog log = options.json().map(ResultLog::to).orElseGet(ResultLog::none);
                Parts parts = new Parts()) {
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

    private Map<String, String> facts(Parts parts) throws InterruptedException {
        Map<String, String> facts = new LinkedHashMap<>(MachineFacts.gather());
        facts.put("cores", parts.anySite().cores().describe());
        facts.put("key exchange", "X25519; AES-128-GCM; one self-signed certificate");
        facts.put("OpenSSL from", options.openssl().map(Path::toString).orElse("the system"));
        Terminator gateway = options.gateway().terminator();
        facts.put(gateway.identity().name(), gateway.version(parts.anySite()));
        return facts;
    }

    private Experiment experiment(Parts parts) {
        return new Experiment(
                "handshakes",
                "One connection: handshake, one byte to the backend and back, close; CPU time of the gateway, and time in"
                        + " libssl without sockets",
                HandshakeTreatment.GATEWAY,
                HandshakeTreatment.metrics()
                        .subList(1, HandshakeTreatment.metrics().size()),
                HandshakeKind.all().stream().map(parts::treatment).toList(),
                options.plan());
    }

    /** Sites, loads and gateways: a site for each kind of certificate, a load for each version, a gateway for each of both. */
    private final class Parts implements AutoCloseable {
        private final Deque<AutoCloseable> begun = new ArrayDeque<>();
        private final Map<Certificate.Kind, Site> sites = new EnumMap<>(Certificate.Kind.class);
        private final Map<ProtocolVersion, LoadProcess> loads = new EnumMap<>(ProtocolVersion.class);
        private final Map<String, Fleet> fleets = new LinkedHashMap<>();
        private final AskedProcess library;

        Parts() throws InterruptedException {
            Cores cores = Cores.choose();
            for (Certificate.Kind kind : Certificate.Kind.values()) {
                Site site = Site.create(cores, options.openssl(), kind);
                begun.push(site);
                sites.put(kind, site);
            }
            for (ProtocolVersion version : ProtocolVersion.values()) {
                LoadProcess load = load(version);
                begun.push(load);
                loads.put(version, load);
            }
            library = AskedProcess.start(
                    "libssl",
                    cores.onServerCore(command(LibraryMain.class, List.of())),
                    Map.of(),
                    anySite().directory().resolve("libssl.log"));
            begun.push(library);
        }

        private LoadProcess load(ProtocolVersion version) {
            List<String> arguments = version == ProtocolVersion.TLS_1_2 ? List.of(LoadMain.TLS_1_2) : List.of();
            return LoadProcess.start(
                    anySite().cores().onLoadCore(command(LoadMain.class, arguments)),
                    anySite().directory().resolve("load-" + version + ".log"));
        }

        private List<String> command(Class<?> main, List<String> arguments) {
            List<String> flags = new ArrayList<>(LOAD_FLAGS);
            options.openssl().ifPresent(libraries -> flags.add("-Dsluice.openssl=" + libraries));
            String module = main.getModule().isNamed() ? main.getModule().getName() : "";
            return JavaCommand.of(flags, module, main.getName(), arguments);
        }

        Site anySite() {
            return site(Certificate.Kind.ECDSA_P256);
        }

        private Site site(Certificate.Kind kind) {
            return Objects.requireNonNull(sites.get(kind));
        }

        HandshakeTreatment treatment(HandshakeKind kind) {
            Site site = site(kind.certificate());
            LoadProcess load = Objects.requireNonNull(loads.get(kind.version()));
            Fleet fleet =
                    fleets.computeIfAbsent(kind.certificate() + " " + kind.version(), key -> new Fleet(site, load));
            return new HandshakeTreatment(
                    kind, options.gateway().terminator(), fleet, load, site.certificate(), library, options.units());
        }

        @Override
        public void close() {
            fleets.values().forEach(Fleet::close);
            while (!begun.isEmpty()) {
                try {
                    begun.pop().close();
                } catch (Exception e) {
                    progress.println("could not be ended: " + e);
                }
            }
        }
    }
}
