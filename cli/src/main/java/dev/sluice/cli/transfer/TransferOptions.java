package dev.sluice.cli.transfer;

import dev.sluice.cli.command.RefusedException;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.move.BandwidthLimit;
import dev.sluice.transfer.tree.FilterRule;
import dev.sluice.transfer.tree.Filters;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every transfer: own key, filters, bandwidth, form of the report. */
final class TransferOptions {
    @Mixin
    private final OwnKeyOption key = new OwnKeyOption();

    @Option(
            names = "--exclude",
            paramLabel = "PATTERN",
            description = "Do not transfer what matches; may be repeated. * and ? match within a name, ** across "
                    + "directories; a pattern with a slash starts at the top, one that ends with it matches "
                    + "directories only.")
    private List<String> excludes = new ArrayList<>();

    @Option(
            names = "--include",
            paramLabel = "PATTERN",
            description = "Transfer what matches even if --exclude matches, too; may be repeated.")
    private List<String> includes = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "SIZE",
            description = "Transfer at most this much per second, such as 10MiB.")
    private @Nullable String limit;

    @Option(
            names = {"-q", "--quiet"},
            description = "Report failures only.")
    private boolean quiet;

    @Option(names = "--json", description = "Write one line of JSON for each event to standard output.")
    private boolean json;

    /** Reads or creates the own key, which the caller closes. */
    OwnKey ownKey() {
        return key.open();
    }

    /** Returns whether there are rules. */
    boolean hasFilters() {
        return !includes.isEmpty() || !excludes.isEmpty();
    }

    /** Returns the rules: includes decide first. */
    Filters filters() {
        try {
            return new Filters(Stream.concat(rules(includes, FilterRule::include), rules(excludes, FilterRule::exclude))
                    .toList());
        } catch (IllegalArgumentException bad) {
            throw new RefusedException("filter rejected: " + bad.getMessage());
        }
    }

    private static Stream<FilterRule> rules(List<String> patterns, Function<String, FilterRule> rule) {
        return patterns.stream().map(rule);
    }

    /** Returns the bandwidth limit. */
    BandwidthLimit rateLimit() {
        if (limit == null) {
            return BandwidthLimit.NONE;
        }
        long bytes = Quantities.bytes(limit);
        if (bytes <= 0) {
            throw new RefusedException("--limit " + limit + " is no size; write it such as 500KiB or 10MiB");
        }
        return new BandwidthLimit(bytes);
    }

    /** Returns the report to the user. */
    TransferReport report(PrintWriter out, PrintWriter err) {
        if (quiet && json) {
            throw new RefusedException("--quiet and --json exclude each other; use one");
        }
        TransferReport.Form form =
                json ? TransferReport.Form.JSON : quiet ? TransferReport.Form.QUIET : TransferReport.Form.TEXT;
        return new TransferReport(form, out, err);
    }
}
