package dev.sluice.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The results as text: one table per experiment, for a terminal or for a Markdown page. */
public final class Report {
    /** The table formats. */
    public enum Style {
        /** Aligned for a terminal. */
        TEXT,
        /** Markdown. */
        MARKDOWN
    }

    private final Style style;

    /**
     * Creates an instance.
     *
     * @param style the table format
     */
    public Report(Style style) {
        this.style = style;
    }

    /** Returns the facts about machine and programs. */
    public String facts(Map<String, String> facts) {
        if (style == Style.MARKDOWN) {
            Table table = new Table(List.of("what", "here"));
            facts.forEach((what, here) -> table.row(List.of(what, here)));
            return table.markdown().replace("---:", "---");
        }
        StringBuilder text = new StringBuilder();
        facts.forEach((what, here) -> text.append(String.format(Locale.ROOT, "%-22s %s%n", what, here)));
        return text.toString();
    }

    /** Returns a table under a title. */
    public String table(String title, Table table) {
        return (style == Style.MARKDOWN ? "### " : "") + title + "\n\n" + draw(table);
    }

    /** Returns one experiment: title, table, noise floor, failures. */
    public String experiment(ExperimentResult result) {
        Experiment experiment = result.experiment();
        StringBuilder text = new StringBuilder();
        text.append(style == Style.MARKDOWN ? "### " : "")
                .append(experiment.title())
                .append("\n\n");
        text.append(draw(table(result))).append('\n');
        text.append(noise(result)).append('\n');
        result.failures()
                .forEach((who, reason) -> text.append("Left out: ")
                        .append(who.name())
                        .append(": ")
                        .append(reason)
                        .append('\n'));
        return text.toString();
    }

    /**
     * Returns the added costs of treatments in one line.
     *
     * @param what the added part, such as "TLS"
     */
    public String added(String what, AddedCost added) {
        String entries = added.entries().stream()
                .map(entry -> entry.who().name() + " " + figure(entry.added())
                        + entry.share().map(share -> " (" + ratio(share) + ")").orElse(""))
                .collect(Collectors.joining("; "));
        return "What " + what + " adds to " + added.floor().name() + ", in "
                + added.metric().title()
                + " (in parentheses: multiples of what it adds for the peer to which it adds least): " + entries
                + ".\n";
    }

    private Table table(ExperimentResult result) {
        Experiment experiment = result.experiment();
        List<String> titles = new ArrayList<>();
        titles.add("");
        titles.add(experiment.headline().title());
        titles.add("± MAD");
        titles.add("× best peer");
        titles.add("min … max");
        result.floor().ifPresent(floor -> titles.add("× " + floor.name()));
        for (Metric metric : experiment.others()) {
            titles.add(metric.title());
            if (metric.hasRatio()) {
                titles.add("× best peer");
            }
        }
        Table table = new Table(titles);
        result.samples().keySet().forEach(who -> table.row(row(result, who)));
        return table;
    }

    private static List<String> row(ExperimentResult result, Identity who) {
        Experiment experiment = result.experiment();
        Summary headline = result.summary(who, experiment.headline());
        List<String> cells = new ArrayList<>();
        cells.add(who.role() == Role.FLOOR ? who.name() + " (floor)" : who.name());
        cells.add(figure(headline.median()));
        cells.add(figure(headline.mad()));
        cells.add(ratioToBest(result, who, experiment.headline()));
        cells.add(result.bestPeer().map(best -> range(result.ratio(who, best))).orElse(""));
        result.floor()
                .ifPresent(floor -> cells.add(ratio(result.ratio(who, floor).median())));
        for (Metric metric : experiment.others()) {
            cells.add(figure(result.summary(who, metric).median()));
            if (metric.hasRatio()) {
                cells.add(ratioToBest(result, who, metric));
            }
        }
        return cells;
    }

    private static String ratioToBest(ExperimentResult result, Identity who, Metric metric) {
        return result.bestPeer(metric)
                .map(best -> ratio(result.ratio(who, best, metric).median()))
                .orElse("");
    }

    private static String noise(ExperimentResult result) {
        int count = result.experiment().plan().rounds();
        String rounds = count == 1
                ? "One round."
                : "Medians of " + count + " rounds; ratios are medians of ratios within a round.";
        String control = result.noiseFloor()
                .map(floor -> " Noise floor, the same treatment against itself: " + ratio(floor.median()) + " ("
                        + range(floor) + ").")
                .orElse(" No control ran, so the noise floor is unknown.");
        String foreign = String.format(
                Locale.ROOT,
                " Others used %.2f of a core meanwhile (most: %.2f).",
                result.foreignCpu().median(),
                result.foreignCpu().max());
        return rounds + control + foreign;
    }

    private String draw(Table table) {
        return style == Style.MARKDOWN ? table.markdown() : table.text();
    }

    private static String range(Summary ratios) {
        return ratio(ratios.min()) + " … " + ratio(ratios.max());
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Returns a number with three significant digits, never in exponent form. */
    static String figure(double value) {
        double magnitude = Math.abs(value);
        if (magnitude >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (magnitude >= 10) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        return String.format(Locale.ROOT, magnitude >= 1 ? "%.2f" : "%.3f", value);
    }
}
