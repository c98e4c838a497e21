package dev.sluice.bench;

import dev.sluice.bench.harness.Report;
import picocli.CommandLine.Option;

/** The option that selects the style of tables. */
final class StyleOption {
    @Option(names = "--markdown", description = "Print the tables as Markdown.")
    private boolean markdown;

    /** Returns the style. */
    Report.Style style() {
        return markdown ? Report.Style.MARKDOWN : Report.Style.TEXT;
    }
}
