package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.jsse.JsseBenchmark;
import dev.sluice.bench.jsse.JssePart;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench jsse} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "jsse",
        description = {
            "Measures Sluice's provider of JSSE beside the JDK's, Netty's tcnative and Conscrypt: records wrapped and "
                    + "unwrapped by payload, with buffers on the heap and direct ones; requests over HTTPS to Netty "
                    + "with each; memory and CPU time of many blocking connections on virtual threads.",
            "",
            "Every treatment has its own process, on one core, with the load on another; rounds are interleaved in "
                    + "balanced order. Requires a C compiler and openssl(1). A full run takes about fifteen minutes, "
                    + "and 4 GB of memory."
        },
        mixinStandardHelpOptions = true)
final class JsseCommand extends MeasuringCommand {
    private static final int MOST_CONNECTIONS = 20_000;

    @Option(names = "--quick", description = "Fewer and shorter rounds, and 2,000 connections, for a first estimate.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "PART", split = ",", description = "Parts to run: ${COMPLETION-CANDIDATES}.")
    private Set<JssePart> parts = EnumSet.allOf(JssePart.class);

    @Option(names = "--connections", paramLabel = "N", description = "Number of blocking connections; 10,000 if unset.")
    private @Nullable Integer connections;

    @Option(
            names = "--openssl",
            paramLabel = "DIR",
            description = "Directory with libssl.so.3 and libcrypto.so.3 for Sluice; without it, the system's.")
    private @Nullable Path openssl;

    @Override
    void check() {
        if (connections != null && (connections < 10 || connections > MOST_CONNECTIONS)) {
            throw refused("--connections must be from 10 to " + MOST_CONNECTIONS + ", value=" + connections);
        }
    }

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new JsseBenchmark(options(), style, out, System.err).run();
    }

    private JsseBenchmark.Options options() {
        return new JsseBenchmark.Options(
                quick,
                parts,
                Optional.ofNullable(connections),
                rounds(),
                Optional.ofNullable(openssl).map(Path::toAbsolutePath),
                json());
    }
}
