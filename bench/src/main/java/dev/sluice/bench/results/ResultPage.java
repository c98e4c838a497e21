package dev.sluice.bench.results;

import dev.sluice.bench.harness.Interval;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.report.Bars;
import dev.sluice.cost.report.HtmlPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The results of several suites as one page: a plot for each experiment, with its finding, command and noise. */
public final class ResultPage {
    private static final List<String> MACHINE = List.of("CPU", "kernel", "JDK");
    private static final double PERCENT = 100;

    /** CPU of others, in cores, from which a machine is called busy. */
    private static final double BUSY = 0.25;

    private final HtmlPage page = new HtmlPage("Sluice: benchmarks");
    private final Map<String, String> questions;

    private ResultPage(Map<String, String> questions) {
        this.questions = questions;
    }

    /**
     * Returns the page.
     *
     * @param results the results of each suite, by its name
     * @param questions the question of each suite, by its name
     */
    public static String of(Map<String, ResultFile> results, Map<String, String> questions) {
        ResultPage report = new ResultPage(questions);
        report.begin(results);
        results.forEach(report::suite);
        return report.page.html();
    }

    private void begin(Map<String, ResultFile> results) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String fact : MACHINE) {
            facts.put(fact, distinct(results, file -> file.facts().getOrDefault(fact, "unknown")));
        }
        facts.put("commit", distinct(results, file -> file.origin().commit()));
        facts.put("measured", distinct(results, file -> date(file.origin().date())));
        page.facts(facts);
        page.links(results.keySet());
        page.element("p", score(results));
        page.element(
                "p",
                "Medians of rounds in balanced order; ± is half of the 95 % bootstrap interval. Bars are blue for"
                        + " Sluice, amber for peers and grey for floors, which do less than the task requires."
                        + " Ratios are medians of the ratios within a round, with their interval.");
    }

    /** Counts the findings beside peers, and names the experiments in which Sluice is behind. */
    private static String score(Map<String, ResultFile> results) {
        Map<Finding.Verdict, Integer> counts = new EnumMap<>(Finding.Verdict.class);
        StringJoiner behind = new StringJoiner(", ", " Behind in ", ".").setEmptyValue("");
        results.forEach((suite, file) -> file.experiments().values().forEach(rows -> {
            List<ResultRow> plotted = plotted(rows);
            Finding.Verdict verdict = Finding.of(plotted).verdict();
            counts.merge(verdict, 1, Integer::sum);
            if (verdict == Finding.Verdict.BEHIND) {
                behind.add(ExperimentTitle.of(plotted.getFirst().title()).heading() + " (" + suite + ")");
            }
        }));
        return String.format(
                Locale.ROOT,
                "Beside the best peer of an experiment Sluice is ahead in %d, behind in %d, without a difference beyond"
                        + " noise in %d; %d had one round, and %d no peer.%s",
                counts.getOrDefault(Finding.Verdict.AHEAD, 0),
                counts.getOrDefault(Finding.Verdict.BEHIND, 0),
                counts.getOrDefault(Finding.Verdict.EQUAL, 0),
                counts.getOrDefault(Finding.Verdict.UNDECIDED, 0),
                counts.getOrDefault(Finding.Verdict.WITHOUT_PEER, 0),
                behind);
    }

    private static List<ResultRow> plotted(List<ResultRow> rows) {
        List<ResultRow> headline = rows.stream().filter(ResultRow::headline).toList();
        return headline.isEmpty() ? rows : headline;
    }

    private static String distinct(Map<String, ResultFile> results, Function<ResultFile, String> of) {
        Set<String> texts = new LinkedHashSet<>();
        results.values().forEach(file -> texts.add(of.apply(file)));
        return texts.stream().sorted().collect(Collectors.joining("; "));
    }

    private static String date(Instant date) {
        return date.toString().substring(0, "2000-01-01".length());
    }

    private void suite(String name, ResultFile file) {
        page.section(name, questions.getOrDefault(file.origin().suite(), ""));
        page.element("pre", file.origin().command());
        file.verdict().ifPresent(this::verdict);
        page.cards(() -> file.experiments().values().forEach(this::experiment));
        file.absent().forEach(absent -> page.element("p", "Left out: " + absent));
        page.details("Conditions", () -> {
            Map<String, String> facts = new LinkedHashMap<>(file.facts());
            facts.put("commit", file.origin().commit());
            facts.put("started", file.origin().date().toString());
            page.facts(facts);
        });
    }

    private void verdict(ResultFile.Verdict verdict) {
        page.element("p", verdict.holds() ? "Everything that is checked held." : "Failed:");
        verdict.faults().forEach(fault -> page.element("p", fault));
    }

    private void experiment(List<ResultRow> rows) {
        List<ResultRow> plotted = plotted(rows);
        ExperimentTitle title = ExperimentTitle.of(plotted.getFirst().title());
        page.card(title.heading(), () -> {
            page.element("p", Finding.of(plotted).sentence());
            page.bars(bars(plotted));
            page.element("small", (title.explanation() + " " + conditions(plotted.getFirst())).strip());
            page.details("All metrics", () -> table(rows));
        });
    }

    private static Bars bars(List<ResultRow> rows) {
        Bars bars = new Bars();
        for (ResultRow row : rows) {
            if (row.who().role() != Role.CONTROL) {
                bars.bar(
                        row.who().name(),
                        row.median(),
                        estimate(row),
                        colour(row.who().role()));
            }
        }
        return bars;
    }

    private static Bars.Colour colour(Role role) {
        return switch (role) {
            case SUBJECT -> Bars.Colour.SUBJECT;
            case FLOOR -> Bars.Colour.BOUND;
            default -> Bars.Colour.PEER;
        };
    }

    private static String conditions(ResultRow row) {
        Metric metric = row.metric();
        int rounds = row.values().size();
        return "Bars: " + metric.title() + ", " + metric.better().name().toLowerCase(Locale.ROOT) + " is better; "
                + rounds + (rounds == 1 ? " round. " : " rounds. ") + noise(row.noise());
    }

    private static String noise(ResultRow.Noise noise) {
        String control = noise.control()
                .map(ratio -> String.format(
                        Locale.ROOT, "Noise: a treatment differed from itself by %.1f %%", noise.distance() * PERCENT))
                .orElse("Noise: unknown, no control ran");
        return control
                + String.format(
                        Locale.ROOT,
                        noise.foreignCpu() > BUSY
                                ? ". The machine was busy: others used %.2f of a core."
                                : "; others used %.2f of a core.",
                        Math.max(0, noise.foreignCpu()));
    }

    /** Appends a table of treatments by metrics. */
    private void table(List<ResultRow> rows) {
        Map<Metric, Integer> columns = new LinkedHashMap<>();
        rows.forEach(row -> columns.putIfAbsent(row.metric(), columns.size() + 1));
        Map<String, List<String>> lines = new LinkedHashMap<>();
        for (ResultRow row : rows) {
            List<String> cells = lines.computeIfAbsent(row.who().name(), name -> blank(name, columns.size()));
            cells.set(Optional.ofNullable(columns.get(row.metric())).orElseThrow(), estimate(row));
        }
        List<String> titles = new ArrayList<>(List.of(""));
        columns.keySet().forEach(metric -> titles.add(metric.title()));
        page.table(titles, List.copyOf(lines.values()));
    }

    private static List<String> blank(String name, int columns) {
        List<String> cells = new ArrayList<>(List.of(name));
        for (int column = 0; column < columns; column++) {
            cells.add("");
        }
        return cells;
    }

    private static String estimate(ResultRow row) {
        double median = row.median();
        Interval interval = row.interval();
        String error = median == 0 || row.values().size() == 1
                ? ""
                : String.format(
                        Locale.ROOT,
                        " ±%.0f %%",
                        Math.ceil((interval.high() - interval.low()) / 2 / Math.abs(median) * PERCENT));
        return Numbers.of(median) + error;
    }
}
