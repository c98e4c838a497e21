package dev.sluice.bench;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.record.RecordBenchmark;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench record} command. Exit code 0 when it ran, 2 when it could not. */
@Command(
        name = "record",
        description = {
            "Measures what it costs to seal and open a TLS 1.3 record: Sluice's record layer and engines beside bare EVP",
            "calls and libssl in C, the JDK's SSLEngine, and Netty's over BoringSSL.",
            "",
            "Every row has a process of its own, all on one core; JMH measures those in Java. Rounds are interleaved in",
            "balanced order; medians and ratios within a round are shown. Needs a C compiler and openssl(1). A full run",
            "takes about six minutes."
        },
        mixinStandardHelpOptions = true)
public final class RecordCommand implements Callable<Integer> {
    /** The exit code for what the command line or the machine does not allow. */
    private static final int REFUSED = 2;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds of every workload.")
    private @Nullable Integer rounds;

    @Option(names = "--quick", description = "Fewer and shorter rounds, for a first impression.")
    private boolean quick;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3 for all rows but the JDK's and Netty's;"
                    + " without it, the system's.")
    private @Nullable Path openssl;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every round to FILE, a JSON object per line.")
    private @Nullable Path json;

    @Option(names = "--chart", paramLabel = "FILE", description = "Draw the ratios of AES-128-GCM to FILE, an SVG.")
    private @Nullable Path chart;

    @Option(names = "--markdown", description = "Print the tables as Markdown.")
    private boolean markdown;

    /** Made by picocli. */
    public RecordCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (rounds != null && rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds must be at least 1, rounds=" + rounds);
        }
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Report.Style style = markdown ? Report.Style.MARKDOWN : Report.Style.TEXT;
        try {
            new RecordBenchmark(options(), style, out, System.err).run();
            return 0;
        } catch (BenchException e) {
            System.err.println("sluice bench: " + e.getMessage());
            return REFUSED;
        }
    }

    private RecordBenchmark.Options options() {
        return new RecordBenchmark.Options(
                quick,
                Optional.ofNullable(rounds),
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                Optional.ofNullable(json),
                Optional.ofNullable(chart));
    }
}
