package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.transfer.TransferBenchmark;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench transfer} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "transfer",
        description = {
            "Measures secure channels and what moves over them beside the tools that people use, in parts:",
            "CHANNELS: blocks of 1, 4 and 16 MiB between two threads, beside plain sockets and the JDK's TLS;",
            "FILES: pulls of 10 MB, 100 MB, 1 GB and 100,000 files of 4 KiB, beside rsync over ssh, scp, croc, "
                    + "magic-wormhole, nc and cp;",
            "DELAY: a pull over a relay with 200 ms of round trip, with several windows;",
            "CALLS: requests and responses of 512 KiB, beside plain sockets, the JDK's TLS and gRPC;",
            "MOUNTS: sequential reads and writes and small files, beside sshfs.",
            "",
            "Every byte is compared. Every row has its own processes. Rounds are interleaved in balanced order; the "
                    + "results are medians and ratios within a round. Requires openssl(1) and two cores; MOUNTS also "
                    + "root, /dev/fuse, sshfs and sshd. A full run takes about an hour and 20 GB of disk."
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

    @Option(names = "--only", paramLabel = "PART", split = ",", description = "Parts to run: ${COMPLETION-CANDIDATES}.")
    private Set<TransferBenchmark.Part> parts = EnumSet.allOf(TransferBenchmark.Part.class);

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "Directory for the files to transfer, such as one on a tmpfs. Default: that of temporary files.")
    private @Nullable Path directory;

    @Option(names = "--chart", paramLabel = "FILE", description = "Draw the times of the pulls to FILE, an SVG.")
    private @Nullable Path chart;

    /** Creates the command; called by picocli. */
    public TransferCommand() {}

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        Optional<Path> libraries = Optional.ofNullable(openssl).map(Path::toAbsolutePath);
        TransferBenchmark.Options options = new TransferBenchmark.Options(
                quick, rounds(), libraries, json(), parts, Optional.ofNullable(directory), Optional.ofNullable(chart));
        new TransferBenchmark(options, style, out, System.err).run();
    }
}
