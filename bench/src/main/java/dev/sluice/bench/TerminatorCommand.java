package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.Peer;
import dev.sluice.bench.terminator.Phase;
import dev.sluice.bench.terminator.TerminatorBenchmark;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench terminator} command. Exit code 0 when it ran, 2 when it could not. */
@Command(
        name = "terminator",
        description = {
            "Measures the gateway beside nginx (stream), HAProxy (tcp) and hitch: CPU seconds per GB, CPU time per handshake",
            "and per small message, latency at half load, memory per idle connection, start-up time.",
            "",
            "Servers run on one core, the load on another; rounds are interleaved in balanced order; medians and ratios",
            "within a round are shown. A full run takes about eight minutes."
        },
        mixinStandardHelpOptions = true)
public final class TerminatorCommand implements Callable<Integer> {
    /** The exit code for what the command line or the machine does not allow. */
    private static final int REFUSED = 2;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds in every phase.")
    private @Nullable Integer rounds;

    @Option(
            names = "--quick",
            description = "Fewer and shorter rounds: about a minute and a half, for a first impression.")
    private boolean quick;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3 for all servers; without it, the system's.")
    private @Nullable Path openssl;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every round to FILE, a JSON object per line.")
    private @Nullable Path json;

    @Option(
            names = "--only",
            paramLabel = "PHASE",
            split = ",",
            description =
                    "Only these phases: ${COMPLETION-CANDIDATES}. The rate for latency comes from echo, which is run"
                            + " for it.")
    private List<Phase> phases = List.of(Phase.values());

    @Option(
            names = "--peers",
            paramLabel = "PEER",
            split = ",",
            description = "Only these servers: ${COMPLETION-CANDIDATES}.")
    private List<Peer> peers = Peer.all();

    @Option(
            names = "--jdk-load",
            description = "Let the load generator use the JDK's TLS instead of Sluice's own client.")
    private boolean jdkLoad;

    @Option(names = "--markdown", description = "Print the tables as Markdown.")
    private boolean markdown;

    /** Made by picocli. */
    public TerminatorCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (rounds != null && rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds must be at least 1, rounds=" + rounds);
        }
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Report report = new Report(markdown ? Report.Style.MARKDOWN : Report.Style.TEXT);
        try {
            new TerminatorBenchmark(options(), new ConsoleListener(out, System.err, report)).run();
            return 0;
        } catch (BenchException e) {
            System.err.println("sluice bench: " + e.getMessage());
            return REFUSED;
        }
    }

    private TerminatorBenchmark.Options options() {
        return new TerminatorBenchmark.Options(
                quick,
                Optional.ofNullable(rounds),
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                Optional.ofNullable(json),
                phases,
                peers,
                jdkLoad);
    }
}
