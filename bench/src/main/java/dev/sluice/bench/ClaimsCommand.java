package dev.sluice.bench;

import dev.sluice.bench.claims.ClaimsTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench claims} command. Exit code 0 when the table was printed, 2 without a measurement. */
@Command(
        name = "claims",
        description = {
            "Prints, as Markdown, published figures of the cost of TLS beside those of this machine.",
            "",
            "Reads what sluice cost has measured; measures nothing itself."
        },
        mixinStandardHelpOptions = true)
final class ClaimsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--from", paramLabel = "FILE", description = "Read the figures from FILE, not the usual place.")
    private @Nullable Path from;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(new ClaimsTable(SavedProfile.read(from)).markdown());
        out.flush();
        return 0;
    }
}
