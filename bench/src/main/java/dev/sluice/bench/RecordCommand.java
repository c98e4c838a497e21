package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.record.RecordBenchmark;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench record} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "record",
        description = {
            "Measures the cost of sealing and opening a TLS 1.3 record: Sluice's record layer and "
                    + "engines beside bare EVP calls and libssl in C, the JDK's SSLEngine, and Netty's over "
                    + "BoringSSL.",
            "",
            "Every row has its own process, all on one core; JMH measures those in Java. Rounds are "
                    + "interleaved in balanced order; the results are medians and ratios within a round. "
                    + "Requires a C compiler and openssl(1). A full run takes about six minutes."
        },
        mixinStandardHelpOptions = true)
final class RecordCommand extends MeasuringCommand {
    @Option(names = "--quick", description = "Fewer and shorter rounds, for a first estimate.")
    private boolean quick;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3 for all rows but the JDK's and Netty's;"
                    + " without it, the system's.")
    private @Nullable Path openssl;

    @Option(names = "--chart", paramLabel = "FILE", description = "Draw the ratios of AES-128-GCM to FILE, an SVG.")
    private @Nullable Path chart;

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new RecordBenchmark(options(), style, out, System.err).run();
    }

    private RecordBenchmark.Options options() {
        return new RecordBenchmark.Options(
                quick,
                rounds(),
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                json(),
                Optional.ofNullable(chart));
    }
}
