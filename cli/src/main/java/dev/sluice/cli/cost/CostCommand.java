package dev.sluice.cli.cost;

import dev.sluice.cli.command.ProgressBar;
import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.cost.measure.Effort;
import dev.sluice.cost.measure.Measurement;
import dev.sluice.cost.measure.SpeedComparison;
import dev.sluice.cost.plan.GatewayFigures;
import dev.sluice.cost.report.CostTables;
import dev.sluice.cost.report.HtmlReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code cost} command, which measures the cost of TLS on this machine. Exit code 0 on success, 2 on failure. */
@Command(
        name = "cost",
        description = {
            "Measures the cost of TLS on this machine with the OpenSSL in use: the six phases, and whole handshakes; "
                    + "about a minute.",
            "",
            "CPU time of one thread; medians of interleaved rounds with 95 %% intervals. The figures are saved in "
                    + "~/.cache/sluice/cost.json, where sluice cost plan, doctor and check find them. docs/cost.md "
                    + "explains them."
        },
        subcommands = PlanCommand.class,
        mixinStandardHelpOptions = true)
public final class CostCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--quick", description = "Fewer and shorter rounds: about ten seconds, for a first estimate.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Counted rounds of each probe, 1 to 1000.")
    private @Nullable Integer rounds;

    @Option(names = "--json", description = "Print the figures as JSON, in the format of the saved file.")
    private boolean json;

    @Option(names = "--report", paramLabel = "FILE", description = "Write a self-contained page with plots to FILE.")
    private @Nullable Path report;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Save the figures to FILE instead of ~/.cache/sluice/cost.json.")
    private @Nullable Path save;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "Show saved figures without measuring; \"last\" for the default file.")
    private @Nullable String from;

    @Option(
            names = "--compare-openssl-speed",
            description = "Measure signatures, key exchange and ciphers alternating with the program openssl speed.")
    private boolean compare;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (compare) {
            out.print(new SpeedComparison(quick).run());
        } else {
            show(profile(), out);
        }
        out.flush();
        return 0;
    }

    private CostProfile profile() {
        String kept = from;
        if (kept != null) {
            return CostProfileFile.read(kept.equals("last") ? CostProfileFile.usual() : Path.of(kept));
        }
        CostProfile profile = GatewayFigures.addedTo(new Measurement(effort(), ProgressBar.onTerminal()).run());
        CostProfileFile.write(profile, save == null ? CostProfileFile.usual() : save);
        return profile;
    }

    private Effort effort() {
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        Integer count = rounds;
        if (count == null) {
            return effort;
        }
        if (count < 1 || count > 1000) {
            throw new CostException("--rounds must be 1 to 1000, not " + count);
        }
        return effort.withRounds(count);
    }

    private void show(CostProfile profile, PrintWriter out) {
        if (json) {
            out.print(CostProfileFile.text(profile));
        } else {
            out.print(CostTables.of(profile));
            if (from == null) {
                out.println("\nsaved in " + (save == null ? CostProfileFile.usual() : save)
                        + "; estimate a load with: sluice cost plan");
            }
        }
        if (report != null) {
            write(report, HtmlReport.of(profile));
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CostException("cannot write " + file + ", cause: " + e + "; use another file", e);
        }
    }
}
