package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.Peer;
import dev.sluice.bench.terminator.StormBenchmark;
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

/** The {@code bench storm} command. Exit code 0 when it ran, 2 when it could not. */
@Command(
        name = "storm",
        description = {
            "Measures what a storm of handshakes does to the gateway, nginx and HAProxy: latency of established connections",
            "without and with it, how many of those who resume a session are served, and how soon the others are refused.",
            "",
            "Servers run on one core, the load on another, where the storm has the lowest priority. HAProxy takes part a second",
            "time with a limit on its handshakes (maxsslrate). A full run takes about three and a half minutes."
        },
        mixinStandardHelpOptions = true)
public final class StormCommand implements Callable<Integer> {
    /** The exit code for what the command line or the machine does not allow. */
    private static final int REFUSED = 2;

    private static final double TIMES_MAX = 100;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds.")
    private @Nullable Integer rounds;

    @Option(names = "--quick", description = "Fewer and shorter rounds: about a minute, for a first impression.")
    private boolean quick;

    @Option(
            names = "--times",
            paramLabel = "X",
            description = "How many times more come than the fastest can do; ${DEFAULT-VALUE} unless given.")
    private double times = 5;

    @Option(
            names = "--peers",
            paramLabel = "PEER",
            split = ",",
            description = "Only these servers: ${COMPLETION-CANDIDATES}.")
    private List<Peer> peers = List.of(Peer.SLUICE_EPOLL, Peer.SLUICE_IO_URING, Peer.NGINX, Peer.HAPROXY);

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3 for all servers; without it, the system's.")
    private @Nullable Path openssl;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every round to FILE, a JSON object per line.")
    private @Nullable Path json;

    @Option(names = "--chart", paramLabel = "FILE", description = "Draw the latencies to FILE, an SVG.")
    private @Nullable Path chart;

    @Option(names = "--markdown", description = "Print the tables as Markdown.")
    private boolean markdown;

    /** Made by picocli. */
    public StormCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (rounds != null && rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds must be at least 1, rounds=" + rounds);
        }
        if (!(times > 0 && times <= TIMES_MAX)) {
            throw new ParameterException(
                    spec.commandLine(), "--times must be above 0 and at most " + TIMES_MAX + ", times=" + times);
        }
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Report.Style style = markdown ? Report.Style.MARKDOWN : Report.Style.TEXT;
        try {
            new StormBenchmark(options(), style, out, System.err).run();
            return 0;
        } catch (BenchException e) {
            System.err.println("sluice bench: " + e.getMessage());
            return REFUSED;
        }
    }

    private StormBenchmark.Options options() {
        return new StormBenchmark.Options(
                quick,
                Optional.ofNullable(rounds),
                times,
                peers,
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                Optional.ofNullable(json),
                Optional.ofNullable(chart));
    }
}
