package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.transfer.TransferBenchmark;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench transfer} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "transfer",
        description = {
            "Measures secure channels: blocks of 1, 4 and 16 MiB from one thread to another of the same process, with",
            "AES-256-GCM, over loopback TCP and over a pair of Unix sockets. Every byte is received and compared. The",
            "same work runs over the plain socket, and over the JDK's SSLEngine and SSLSocket.",
            "",
            "Every row has its own process. Rounds are interleaved in balanced order; the results are medians and",
            "ratios within a round. Requires openssl(1) and two cores. A full run takes about four minutes."
        },
        mixinStandardHelpOptions = true)
public final class TransferCommand extends MeasuringCommand {
    @Option(names = "--quick", description = "Fewer and shorter rounds, for a first estimate.")
    private boolean quick;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3; without it, the system's.")
    private @Nullable Path openssl;

    /** Creates the command; called by picocli. */
    public TransferCommand() {}

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        Optional<Path> libraries = Optional.ofNullable(openssl).map(Path::toAbsolutePath);
        TransferBenchmark.Options options = new TransferBenchmark.Options(quick, rounds(), libraries, json());
        new TransferBenchmark(options, style, out, System.err).run();
    }
}
