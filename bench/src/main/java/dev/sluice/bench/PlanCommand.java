package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import dev.sluice.bench.terminator.PlanBenchmark;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench plan} command. Exit code 0 on success, 2 when it could not run. */
@Command(
        name = "plan",
        description = {
            "Compares the predictions of sluice cost plan with the gateway's actual use: full and resumed handshakes, "
                    + "small messages, bulk.",
            "",
            "Uses the figures of sluice cost, which must be from the same OpenSSL (SLUICE_OPENSSL), and measures them "
                    + "first where there are none. The gateway runs on one core, the load on another; rounds are "
                    + "interleaved. About two minutes."
        },
        mixinStandardHelpOptions = true)
final class PlanCommand extends OneGatewayCommand {
    @Option(names = "--from", paramLabel = "FILE", description = "Use the measurement in FILE.")
    private @Nullable Path from;

    @Override
    void measure(Report.Style style, PrintStream out) throws InterruptedException {
        new PlanBenchmark(options(), style, out, System.err).run();
    }

    private PlanBenchmark.Options options() {
        return new PlanBenchmark.Options(SavedProfile.saved(from), quick(), rounds(), gateway(), openssl(), json());
    }
}
