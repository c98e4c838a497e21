package dev.sluice.bench;

import dev.sluice.bench.architectures.ArchitecturesBenchmark;
import dev.sluice.bench.harness.Report;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench architectures} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "architectures",
        description = {
            "Repeats a published comparison of ways to run TLS in a JVM: the JDK's SSLEngine, Netty's tcnative in a "
                    + "pipeline, Conscrypt, and Sluice's engines over memory, on a socket, and with its own record "
                    + "layer. Each payload has a row of its own; the published figures stand beside it.",
            "",
            "The rows and processes are those of bench record, on ZGC with 256 MiB as published. Requires a C "
                    + "compiler and openssl(1). A full run takes about ten minutes."
        },
        mixinStandardHelpOptions = true)
final class ArchitecturesCommand extends MeasuringCommand {
    @Option(names = "--quick", description = "Fewer and shorter rounds, for a first estimate.")
    private boolean quick;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3 for Sluice's rows; without it, the system's.")
    private @Nullable Path openssl;

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new ArchitecturesBenchmark(options(), style, out, System.err).run();
    }

    private ArchitecturesBenchmark.Options options() {
        return new ArchitecturesBenchmark.Options(
                quick, rounds(), Optional.ofNullable(openssl).map(Path::toAbsolutePath), json());
    }
}
