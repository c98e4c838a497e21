package dev.sluice.cli.cost;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.cost.figures.JsonText;
import dev.sluice.cost.measure.Effort;
import dev.sluice.cost.measure.HandshakeKind;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.cost.measure.Measurement;
import dev.sluice.cost.plan.Engine;
import dev.sluice.cost.plan.GatewayMetrics;
import dev.sluice.cost.plan.Load;
import dev.sluice.cost.plan.PlanModel;
import dev.sluice.cost.report.PlanText;
import dev.sluice.tls.ProtocolVersion;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code cost plan} command: what a load will take. Exit code 0, or 2 when that cannot be told. */
@Command(
        name = "plan",
        description = {
            "Foresees what a load takes of a Sluice gateway on this machine: cores, memory, which phase dominates, and what"
                    + " one change of configuration at a time would do.",
            "",
            "Goes by what sluice cost has measured; where it has not, a quick measurement of ten seconds is made now. What is"
                    + " not TLS (the kernel, the gateway) goes by BENCHMARKS.md, brought to this machine by how fast its"
                    + " loopback is."
        },
        mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Open at once: ${DEFAULT-VALUE}.")
    private long connections;

    @Option(
            names = "--new",
            paramLabel = "N",
            defaultValue = "1000",
            description = "New ones each second: ${DEFAULT-VALUE}.")
    private double newPerSecond;

    @Option(
            names = "--resumption",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description = "The share of those that resume, 0 to 1: ${DEFAULT-VALUE}.")
    private double resumption;

    @Option(
            names = "--down",
            paramLabel = "BYTES",
            defaultValue = "100M",
            description = "Bytes to clients each second, as in 500k, 100M, 2G: ${DEFAULT-VALUE}.")
    private String down = "";

    @Option(
            names = "--up",
            paramLabel = "BYTES",
            defaultValue = "10M",
            description = "Bytes from clients each second: ${DEFAULT-VALUE}.")
    private String up = "";

    @Option(
            names = "--record",
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Payload of a record on average, 1 to 16384: ${DEFAULT-VALUE}.")
    private double record;

    @Option(
            names = "--certificate",
            paramLabel = "KIND",
            defaultValue = "ecdsa-p256",
            description = "rsa-2048, rsa-3072, rsa-4096, ecdsa-p256, ecdsa-p384 or ed25519: ${DEFAULT-VALUE}.")
    private String certificate = "";

    @Option(
            names = "--tls",
            paramLabel = "VERSION",
            defaultValue = "1.3",
            description = "1.2 or 1.3: ${DEFAULT-VALUE}.")
    private String tls = "";

    @Option(
            names = "--tickets",
            paramLabel = "N",
            defaultValue = "" + HandshakeKind.USUAL_TICKETS,
            description = "Tickets after a full handshake, 0 to 8: ${DEFAULT-VALUE}.")
    private int tickets;

    @Option(names = "--post-quantum", description = "The key exchange is X25519MLKEM768.")
    private boolean postQuantum;

    @Option(
            names = "--cipher",
            paramLabel = "NAME",
            defaultValue = "aes-128-gcm",
            description = "aes-128-gcm, aes-256-gcm or chacha20-poly1305: ${DEFAULT-VALUE}.")
    private String cipher = "";

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = "direct",
            description = "direct (our record layer) or memory (libssl): ${DEFAULT-VALUE}.")
    private String engine = "";

    @Option(
            names = "--handshake-time",
            paramLabel = "SECONDS",
            defaultValue = "0.1",
            description = "How long a handshake is in flight, mostly the clients' round trip: ${DEFAULT-VALUE}.")
    private double handshakeSeconds;

    @Option(
            names = "--cached-sessions",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Sessions that a server keeps for clients that resume by id: ${DEFAULT-VALUE}, as Sluice has tickets.")
    private long cachedSessions;

    @Option(
            names = "--metrics",
            paramLabel = "FILE|URL",
            description =
                    "Take the load from a gateway's metrics: a URL is asked twice, a FILE counts from the gateway's"
                            + " start. Record sizes are not in them: see --record.")
    private @Nullable String metrics;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description =
                    "Between the two times that a URL is asked (10); of a FILE, how long its counters have counted.")
    private @Nullable Double seconds;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Go by the measurement in FILE (sluice cost --save FILE).")
    private @Nullable Path from;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        Load load = load();
        OptionalDouble measured = OptionalDouble.empty();
        if (metrics != null) {
            GatewayMetrics gateway = MetricsSource.read(metrics, seconds);
            load = gateway.load(load);
            measured = gateway.measuredCores();
        }
        PlanText text = new PlanText(new PlanModel(profile()), load);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? JsonText.of(text.json(measured)) : text.text(measured));
        out.flush();
        return 0;
    }

    private CostProfile profile() {
        if (from != null) {
            return CostProfileFile.read(from);
        }
        Path usual = CostProfileFile.usual();
        if (Files.exists(usual)) {
            return CostProfileFile.read(usual);
        }
        System.err.println("sluice: no measurement in " + usual + "; measuring quickly, which takes about ten seconds;"
                + " sluice cost measures better");
        return new Measurement(Effort.QUICK, ProgressBar.onTerminal()).run();
    }

    private Load load() {
        require(tickets >= 0 && tickets <= 8, "--tickets must be 0 to 8, not " + tickets);
        require(connections >= 0, "--connections must be 0 or more, not " + connections);
        require(cachedSessions >= 0, "--cached-sessions must be 0 or more, not " + cachedSessions);
        require(
                List.of("aes-128-gcm", "aes-256-gcm", "chacha20-poly1305").contains(cipher),
                "--cipher must be aes-128-gcm, aes-256-gcm or chacha20-poly1305, not " + cipher);
        Load.Settings settings = new Load.Settings(
                version(), key(), tickets, postQuantum, cipher, engine(), handshakeSeconds, cachedSessions);
        return new Load(
                connections,
                newPerSecond,
                resumption,
                ByteCount.parse("--down", down),
                ByteCount.parse("--up", up),
                record,
                settings);
    }

    private ProtocolVersion version() {
        return switch (tls) {
            case "1.2" -> ProtocolVersion.TLS_1_2;
            case "1.3" -> ProtocolVersion.TLS_1_3;
            default -> throw new CostException("--tls must be 1.2 or 1.3, not " + tls);
        };
    }

    private KeyKind key() {
        return Arrays.stream(KeyKind.values())
                .filter(kind -> kind.path().equals(certificate))
                .findFirst()
                .orElseThrow(() -> new CostException("--certificate must be one of "
                        + Arrays.stream(KeyKind.values()).map(KeyKind::path).collect(Collectors.joining(", "))
                        + ", not " + certificate));
    }

    private Engine engine() {
        return Arrays.stream(Engine.values())
                .filter(each -> each.path().equals(engine))
                .findFirst()
                .orElseThrow(() -> new CostException("--engine must be direct or memory, not " + engine));
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new CostException(message);
        }
    }
}
