package dev.sluice.bench.results;

import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Table;
import dev.sluice.cost.figures.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Two runs compared: the rows of the same suite, experiment, treatment and metric are paired. A row has changed if the
 * bootstrap interval of the ratio of its medians lies beyond a threshold, which is at least as large as the distance of
 * either run's control from 1.
 */
public final class Comparison {
    /** The relative change up to which nothing is reported, unless another is given. */
    public static final double THRESHOLD = 0.03;

    private static final double PERCENT = 100;

    private final List<Change> changes;
    private final List<String> faults;
    private final List<String> notes;

    private boolean checked;

    private Comparison() {
        this.changes = new ArrayList<>();
        this.faults = new ArrayList<>();
        this.notes = new ArrayList<>();
    }

    /**
     * Compares two runs.
     *
     * @param before results by suite
     * @param after results by suite
     * @param threshold relative change up to which nothing is reported
     */
    public static Comparison of(Map<String, ResultFile> before, Map<String, ResultFile> after, double threshold) {
        Comparison comparison = new Comparison();
        before.forEach((suite, old) -> {
            ResultFile now = after.get(suite);
            if (now == null) {
                comparison.notes.add(suite + ": only in the first run");
            } else {
                comparison.add(old, now, threshold);
            }
        });
        after.keySet().stream()
                .filter(suite -> !before.containsKey(suite))
                .forEach(suite -> comparison.notes.add(suite + ": only in the second run"));
        return comparison;
    }

    private void add(ResultFile old, ResultFile now, double threshold) {
        String suite = now.origin().suite();
        machine(suite, old.facts(), now.facts());
        if (old.verdict().isPresent() && now.verdict().isPresent()) {
            checked = true;
            verdicts(suite, old.verdict().get(), now.verdict().get());
        }
        rows(suite, old.rows(), now.rows(), threshold);
    }

    private void verdicts(String suite, ResultFile.Verdict before, ResultFile.Verdict after) {
        after.faults().forEach(fault -> (before.holds() ? faults : notes).add(suite + ": " + fault));
    }

    private void machine(String suite, Map<String, String> before, Map<String, String> after) {
        for (String fact : List.of("CPU", "kernel", "JDK")) {
            String was = before.getOrDefault(fact, "unknown");
            String is = after.getOrDefault(fact, "unknown");
            if (!was.equals(is)) {
                notes.add(suite + ": another " + fact + ", so that figures differ without a change of Sluice: " + was
                        + "; then " + is);
            }
        }
    }

    private void rows(String suite, List<ResultRow> before, List<ResultRow> after, double threshold) {
        Map<List<String>, ResultRow> rows = new LinkedHashMap<>();
        before.forEach(row -> rows.put(key(row), row));
        for (ResultRow row : after) {
            ResultRow was = rows.remove(key(row));
            if (was == null) {
                notes.add(suite + ": only in the second run: " + name(row));
            } else {
                changes.add(Change.of(was, row, threshold));
            }
        }
        rows.values().forEach(row -> notes.add(suite + ": only in the first run: " + name(row)));
    }

    private static List<String> key(ResultRow row) {
        return List.of(row.experiment(), row.who().name(), row.metric().key());
    }

    private static String name(ResultRow row) {
        return row.experiment() + ", " + row.who().name() + ", " + row.metric().title();
    }

    /** Returns the changes of all paired rows. */
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    /** Returns true if the runs have no row and no checking suite in common. */
    public boolean isEmpty() {
        return changes.isEmpty() && !checked;
    }

    /** Returns the failures of checks that held in the first run. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns the judged rows that became worse. */
    public List<Change> regressions() {
        return changes.stream()
                .filter(change -> change.verdict() == Change.Verdict.WORSE
                        && change.after().judged())
                .toList();
    }

    /** Returns the comparison as text: the rows that changed, what was not compared, and a last line that decides. */
    public String text() {
        StringBuilder text = new StringBuilder();
        faults.forEach(fault -> text.append("Held before: ").append(fault).append('\n'));
        append(text, "Worse:", regressions().stream());
        append(
                text,
                "Better:",
                with(Change.Verdict.BETTER).filter(change -> change.after().judged()));
        append(
                text,
                "Changed beside that (peers, floors, and metrics without a verdict):",
                Stream.concat(with(Change.Verdict.WORSE), with(Change.Verdict.BETTER))
                        .filter(change -> !change.after().judged()));
        notes.forEach(note -> text.append(note).append('\n'));
        return text.append(drift()).append(summary()).toString();
    }

    private Stream<Change> with(Change.Verdict verdict) {
        return changes.stream().filter(change -> change.verdict() == verdict);
    }

    private static void append(StringBuilder text, String title, Stream<Change> changes) {
        Table table = new Table(List.of("", "before", "after", "change", "interval", "threshold"));
        List<Change> listed = changes.toList();
        for (Change change : listed) {
            table.row(List.of(
                    name(change.after()),
                    Numbers.of(change.before().median()),
                    Numbers.of(change.after().median()),
                    percent(change.ratio()),
                    percent(change.interval().low()) + " … "
                            + percent(change.interval().high()),
                    String.format(Locale.ROOT, "%.1f %%", change.threshold() * PERCENT)));
        }
        if (!listed.isEmpty()) {
            text.append(title).append('\n').append(table.text()).append('\n');
        }
    }

    /** States the change of what Sluice's sources cannot have touched: that of the machine, or of the peers. */
    private String drift() {
        double[] ratios = changes.stream()
                .filter(change -> change.after().headline())
                .filter(change -> change.after().who().role() == Role.PEER
                        || change.after().who().role() == Role.FLOOR)
                .mapToDouble(Change::ratio)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return ratios.length == 0
                ? ""
                : "Peers and floors changed by " + percent(ratios[ratios.length / 2]) + " (median of " + ratios.length
                        + " rows): the machine's part, or theirs.\n";
    }

    private String summary() {
        long undecided = count(Change.Verdict.UNDECIDED);
        String few = undecided == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", %d undecided (fewer than %d rounds, or no ratio; measure with --rounds %d or more)",
                        undecided,
                        Change.ROUNDS_MIN,
                        Change.ROUNDS_MIN);
        return String.format(
                Locale.ROOT,
                "Rows of Sluice: %d worse, %d better, %d without a change beyond noise%s.%n",
                count(Change.Verdict.WORSE),
                count(Change.Verdict.BETTER),
                count(Change.Verdict.SAME),
                few);
    }

    private long count(Change.Verdict verdict) {
        return with(verdict).filter(change -> change.after().judged()).count();
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * PERCENT);
    }
}
