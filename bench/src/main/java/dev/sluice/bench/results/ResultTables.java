package dev.sluice.bench.results;

import dev.sluice.bench.harness.Interval;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Summary;
import dev.sluice.cost.figures.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of one suite as Markdown: for each experiment its finding, a table and its noise. */
final class ResultTables {
    private static final double PERCENT = 100;
    private static final String ABSENT = "–";

    private final ResultFile file;
    private final MarkdownText text = new MarkdownText();

    private ResultTables(ResultFile file) {
        this.file = file;
    }

    /**
     * Returns everything: origin, machine, verdict, and a table for each experiment.
     *
     * @param link the file of the results, from the page
     */
    static String all(ResultFile file, String link) {
        ResultTables tables = new ResultTables(file);
        tables.origin(link);
        tables.facts();
        file.verdict().ifPresent(tables::verdict);
        file.experiments().values().forEach(tables::headed);
        tables.absent();
        return tables.text.toString();
    }

    /**
     * Returns one table: of an experiment, or of the headline metrics of several.
     *
     * @param names the name of an experiment, in which {@code *} stands for any text
     * @param link the file of the results, from the page
     */
    static String some(ResultFile file, String names, String link) {
        ResultTables tables = new ResultTables(file);
        List<List<ResultRow>> experiments = tables.experiments(names);
        switch (experiments.size()) {
            case 0 -> tables.text.paragraph("Not measured by the published run.");
            case 1 -> tables.one(experiments.getFirst());
            default -> tables.several(experiments);
        }
        tables.origin(link);
        return tables.text.toString();
    }

    private List<List<ResultRow>> experiments(String names) {
        String pattern = names.replace(".", "\\.").replace("*", ".*");
        return file.experiments().entrySet().stream()
                .filter(experiment -> experiment.getKey().matches(pattern))
                .map(Map.Entry::getValue)
                .toList();
    }

    private void origin(String link) {
        text.paragraph("Measured on "
                + file.origin().date().toString().substring(0, "2000-01-01".length()) + " at commit `"
                + file.origin().commit() + "` on " + machine() + " by `"
                + file.origin().command() + "`; [all figures](" + link + ").");
    }

    private String machine() {
        return Stream.of("CPU", "kernel", "JDK")
                .map(file.facts()::get)
                .filter(Objects::nonNull)
                .collect(Collectors.joining(", "));
    }

    private void facts() {
        text.block("<details><summary>Machine and programs</summary>");
        text.block(new Report(Report.Style.MARKDOWN).facts(file.facts()));
        text.block("</details>");
    }

    private void verdict(ResultFile.Verdict verdict) {
        text.paragraph(verdict.holds() ? "Everything that is checked held." : "Failed:");
        verdict.faults().forEach(fault -> text.paragraph("- " + fault));
    }

    private void absent() {
        file.absent().forEach(absent -> text.paragraph("Left out: " + absent));
    }

    /** Appends an experiment under its heading. */
    private void headed(List<ResultRow> rows) {
        ExperimentTitle title = ExperimentTitle.of(rows.getFirst().title());
        text.block("### " + title.heading());
        if (!title.explanation().isEmpty()) {
            text.paragraph(title.explanation());
        }
        one(rows);
    }

    private void one(List<ResultRow> rows) {
        List<ResultRow> headline = headline(rows);
        text.paragraph(Finding.of(headline).sentence());
        Map<Metric, List<ResultRow>> metrics = new LinkedHashMap<>();
        rows.forEach(row -> metrics.computeIfAbsent(row.metric(), metric -> new ArrayList<>())
                .add(row));
        List<String> titles = new ArrayList<>(List.of(""));
        Map<String, List<String>> lines = new LinkedHashMap<>();
        rows.forEach(row -> lines.computeIfAbsent(row.who().name(), name -> new ArrayList<>(List.of(label(row)))));
        metrics.forEach((metric, of) -> columns(metric, of, titles, lines));
        text.table(titles, lines.values());
        text.paragraph(noise(headline));
    }

    /** Appends the columns of a metric to the titles and to the cells of each treatment. */
    private static void columns(
            Metric metric, List<ResultRow> rows, List<String> titles, Map<String, List<String>> lines) {
        boolean headline = rows.getFirst().headline();
        Optional<ResultRow> peer = reference(rows, Role.PEER).filter(row -> headline || metric.hasRatio());
        Optional<ResultRow> floor = reference(rows, Role.FLOOR).filter(row -> headline);
        titles.add(metric.title());
        if (headline) {
            titles.add("95 %");
        }
        peer.ifPresent(row -> titles.add("× best peer"));
        floor.ifPresent(row -> titles.add("× " + row.who().name()));
        lines.forEach((name, cells) -> {
            Optional<ResultRow> row =
                    rows.stream().filter(each -> each.who().name().equals(name)).findFirst();
            cells.add(row.map(each -> Numbers.of(each.median())).orElse(ABSENT));
            if (headline) {
                cells.add(row.map(each -> range(each.interval())).orElse(ABSENT));
            }
            Stream.of(peer, floor)
                    .flatMap(Optional::stream)
                    .forEach(reference ->
                            cells.add(row.map(each -> ratio(each, reference)).orElse(ABSENT)));
        });
    }

    /** Appends the headline metrics of experiments as one table, with a column for each experiment. */
    private void several(List<List<ResultRow>> experiments) {
        List<List<ResultRow>> columns =
                experiments.stream().map(ResultTables::headline).toList();
        List<String> names =
                columns.stream().map(rows -> rows.getFirst().title()).toList();
        int shared = sharedWords(names);
        Set<String> treatments = new LinkedHashSet<>();
        columns.forEach(rows -> rows.forEach(row -> treatments.add(row.who().name())));
        List<String> titles =
                new ArrayList<>(List.of(columns.getFirst().getFirst().metric().title()));
        Map<String, List<String>> lines = new LinkedHashMap<>();
        treatments.forEach(name -> lines.put(name, new ArrayList<>(List.of(name))));
        columns.forEach(rows -> column(rows, shared, titles, lines));
        text.table(titles, lines.values());
        text.paragraph(noise(columns.stream().flatMap(List::stream).toList()));
    }

    private static void column(List<ResultRow> rows, int shared, List<String> titles, Map<String, List<String>> lines) {
        Optional<ResultRow> reference = reference(rows, Role.FLOOR).or(() -> reference(rows, Role.PEER));
        titles.add(rows.getFirst().title().substring(shared));
        reference.ifPresent(row -> titles.add(row.who().role() == Role.FLOOR ? "× floor" : "× best peer"));
        lines.forEach((name, cells) -> {
            Optional<ResultRow> row =
                    rows.stream().filter(each -> each.who().name().equals(name)).findFirst();
            cells.add(row.map(each -> Numbers.of(each.median())).orElse(ABSENT));
            reference.ifPresent(
                    each -> cells.add(row.map(one -> ratio(one, each)).orElse(ABSENT)));
        });
    }

    /** Returns the length of the words with which all titles begin. */
    private static int sharedWords(List<String> titles) {
        String first = titles.getFirst();
        int shared = 0;
        for (int end = first.indexOf(' '); end >= 0; end = first.indexOf(' ', end + 1)) {
            String start = first.substring(0, end + 1);
            if (!titles.stream().allMatch(title -> title.startsWith(start))) {
                break;
            }
            shared = end + 1;
        }
        return shared;
    }

    private static List<ResultRow> headline(List<ResultRow> rows) {
        return rows.stream().filter(ResultRow::headline).toList();
    }

    /** Returns the row that ratios refer to: the best peer's, or the floor's. */
    static Optional<ResultRow> reference(List<ResultRow> rows, Role role) {
        return rows.stream()
                .filter(row -> role == Role.FLOOR
                        ? row.who().role() == Role.FLOOR
                        : row.peer().filter(row.who().name()::equals).isPresent())
                .findFirst();
    }

    private static String label(ResultRow row) {
        return row.who().name() + (row.who().role() == Role.FLOOR ? " (floor)" : "");
    }

    private static String ratio(ResultRow row, ResultRow reference) {
        return ratio(Summary.of(row.ratiosTo(reference)).median());
    }

    /** Returns a ratio as text. */
    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String range(Interval interval) {
        return Numbers.of(interval.low()) + " … " + Numbers.of(interval.high());
    }

    private static String noise(List<ResultRow> rows) {
        int rounds = rows.stream().mapToInt(row -> row.values().size()).min().orElse(0);
        String count = rounds == 1
                ? "One round."
                : "Medians of " + rounds + " rounds, with their bootstrap interval of 95 %; ratios are medians of "
                        + "ratios within a round.";
        boolean control = rows.stream().anyMatch(row -> row.noise().control().isPresent());
        double distance =
                rows.stream().mapToDouble(row -> row.noise().distance()).max().orElse(0);
        double foreign =
                rows.stream().mapToDouble(row -> row.noise().foreignCpu()).max().orElse(0);
        return count
                + (control
                        ? String.format(Locale.ROOT, " A control differed from itself by %.1f %%.", distance * PERCENT)
                        : " No control ran, so the noise is unknown.")
                + String.format(Locale.ROOT, " Other processes used %.2f of a core.", Math.max(0, foreign));
    }
}
