package dev.sluice.cli.cost;

import dev.sluice.cli.command.ProgressBar;
import dev.sluice.config.json.Json;
import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.cost.measure.Effort;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.cost.measure.MeasuredHandshake;
import dev.sluice.cost.measure.Measurement;
import dev.sluice.cost.plan.Engine;
import dev.sluice.cost.plan.Load;
import dev.sluice.cost.plan.PlanModel;
import dev.sluice.cost.plan.ScrapedMetrics;
import dev.sluice.cost.report.PlanText;
import dev.sluice.tls.context.ProtocolVersion;
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

/** The {@code cost plan} command, which estimates the resources of a load. Exit code 0, or 2 on failure. */
@Command(
        name = "plan",
        description = {
            "Estimates the resources that a load needs on this machine: cores, memory, the dominant phase, and the "
                    + "effect of single configuration changes.",
            "",
            "Uses the figures of sluice cost; without them, measures quickly for ten seconds. The costs outside TLS "
                    + "(kernel, gateway) come from docs/benchmarks, scaled by this machine's loopback speed."
        },
        mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Open connections: ${DEFAULT-VALUE}.")
    private long connections;

    @Option(
            names = "--new",
            paramLabel = "N",
            defaultValue = "1000",
            description = "New connections per second: ${DEFAULT-VALUE}.")
    private double newPerSecond;

    @Option(
            names = "--resumption",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description = "Share of resumed handshakes, 0 to 1: ${DEFAULT-VALUE}.")
    private double resumption;

    @Option(
            names = "--down",
            paramLabel = "BYTES",
            defaultValue = "100M",
            description = "Bytes to clients per second, such as 500k, 100M, 2G: ${DEFAULT-VALUE}.")
    private String down = "";

    @Option(
            names = "--up",
            paramLabel = "BYTES",
            defaultValue = "10M",
            description = "Bytes from clients per second: ${DEFAULT-VALUE}.")
    private String up = "";

    @Option(
            names = "--record",
            paramLabel = "BYTES",
            defaultValue = "4096",
            description = "Average payload of a record, 1 to 16384: ${DEFAULT-VALUE}.")
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
            defaultValue = "" + MeasuredHandshake.USUAL_TICKETS,
            description = "Tickets after a full handshake, 0 to 8: ${DEFAULT-VALUE}.")
    private int tickets;

    @Option(names = "--post-quantum", description = "Use X25519MLKEM768 for the key exchange.")
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
            description = "direct (own record layer) or memory (libssl): ${DEFAULT-VALUE}.")
    private String engine = "";

    @Option(
            names = "--handshake-time",
            paramLabel = "SECONDS",
            defaultValue = "0.1",
            description = "Duration of a handshake, mostly the clients' round trip: ${DEFAULT-VALUE}.")
    private double handshakeSeconds;

    @Option(
            names = "--cached-sessions",
            paramLabel = "N",
            defaultValue = "0",
            description = "Sessions cached for resumption by id: ${DEFAULT-VALUE}, since Sluice uses tickets.")
    private long cachedSessions;

    @Option(
            names = "--metrics",
            paramLabel = "FILE|URL",
            description =
                    "Take the load from a gateway's metrics: a URL is scraped twice, a FILE counts from the gateway's "
                            + "start. They lack record sizes: see --record.")
    private @Nullable String metrics;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Interval between the two scrapes of a URL (10), or duration of a FILE's counters.")
    private @Nullable Double seconds;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Use the measurement in FILE (sluice cost --save FILE).")
    private @Nullable Path from;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        Load load = load();
        OptionalDouble measured = OptionalDouble.empty();
        if (metrics != null) {
            ScrapedMetrics gateway = MetricsSource.read(metrics, seconds);
            load = gateway.load(load);
            measured = gateway.measuredCores();
        }
        PlanText text = new PlanText(new PlanModel(profile()), load);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.document(text.json(measured)) : text.text(measured));
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
        System.err.println("sluice: no measurement in " + usual + "; measuring quickly for about ten seconds; use "
                + "sluice cost for better figures");
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
