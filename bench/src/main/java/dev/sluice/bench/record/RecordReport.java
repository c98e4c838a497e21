package dev.sluice.bench.record;

import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** The record benchmark's results as text: a row for each path, two columns for each size. */
final class RecordReport {
    private final Report.Style style;

    RecordReport(Report.Style style) {
        this.style = style;
    }

    /**
     * Returns one operation with one cipher.
     *
     * @param allocations OpenSSL's allocations per record; empty to omit them
     */
    String bySize(Operation operation, Map<Integer, ExperimentResult> bySize, Map<Row, Double> allocations) {
        ExperimentResult any = bySize.values().iterator().next();
        String title = any.experiment().title();
        List<String> titles = sizeTitles(bySize);
        boolean heap = operation != Operation.OPEN; // sealing the record to open would count too
        if (heap) {
            titles.add("heap B/record");
        }
        if (!allocations.isEmpty()) {
            titles.add("native allocations/record");
        }
        Table table = new Table(titles);
        for (Identity who : participants(bySize)) {
            List<String> cells = sizeCells(bySize, who);
            if (heap) {
                cells.add(heapBytes(bySize, who));
            }
            allocations.entrySet().stream()
                    .filter(entry -> entry.getKey().identity().equals(who))
                    .forEach(entry -> cells.add(String.format(Locale.ROOT, "%.0f", entry.getValue())));
            table.row(cells);
        }
        return headed(title.substring(0, title.lastIndexOf(',')) + ": ns per record", table)
                + againstJdk(bySize)
                + noise(bySize);
    }

    /** Returns the cost of the JDK's engine in its best configuration, in multiples of the record layer. */
    private static String againstJdk(Map<Integer, ExperimentResult> bySize) {
        Identity ours = Row.CHANNEL.identity();
        Identity jdk = Row.JDK_HEAP.identity();
        StringJoiner ratios = new StringJoiner(", ");
        bySize.forEach((bytes, result) -> {
            if (result.samples().keySet().containsAll(List.of(ours, jdk))) {
                double median = result.ratio(jdk, ours).median();
                ratios.add(String.format(Locale.ROOT, "%.2f (%s)", median, Workload.size(bytes)));
            }
        });
        return ratios.length() == 0 ? "" : "\n" + jdk.name() + ", × " + ours.name() + ": " + ratios + ".\n";
    }

    /** Returns the results of two alternating connections. */
    String keySwitch(Map<Integer, ExperimentResult> bySize) {
        Table table = new Table(sizeTitles(bySize));
        participants(bySize).forEach(who -> table.row(sizeCells(bySize, who)));
        return headed("A key for every record, AES-128-GCM, seal + open: ns per record", table) + noise(bySize);
    }

    /** Returns the memory of idle connections. */
    String idle(Map<Row, IdleBytes> weights) {
        Table table = new Table(List.of("", "Java heap", "Sluice's native", "OpenSSL's", "bytes in total"));
        weights.forEach((row, bytes) -> table.row(List.of(
                row.name(), whole(bytes.heap()), whole(bytes.ledger()), whole(bytes.openssl()), whole(bytes.total()))));
        return headed("State of an idle connection after its handshake, one end: bytes", table);
    }

    private static List<String> sizeTitles(Map<Integer, ExperimentResult> bySize) {
        List<String> titles = new ArrayList<>(List.of(""));
        for (int bytes : bySize.keySet()) {
            titles.add(Workload.size(bytes));
            titles.add("× EVP");
        }
        return titles;
    }

    private static List<String> sizeCells(Map<Integer, ExperimentResult> bySize, Identity who) {
        List<String> cells = new ArrayList<>(List.of(who.name()));
        for (ExperimentResult result : bySize.values()) {
            boolean there = result.samples().containsKey(who);
            cells.add(there ? figure(result, who) : "–");
            cells.add(there ? ratio(result, who) : "–");
        }
        return cells;
    }

    private static String figure(ExperimentResult result, Identity who) {
        return String.format(
                Locale.ROOT, "%,.0f", result.summary(who, RecordTreatment.NANOS).median());
    }

    private static String ratio(ExperimentResult result, Identity who) {
        return String.format(
                Locale.ROOT, "%.2f", result.ratio(who, Row.EVP.identity()).median());
    }

    /** Returns the minimum over all sizes: JMH's own allocations in a round are spread over its records. */
    private static String heapBytes(Map<Integer, ExperimentResult> bySize, Identity who) {
        Metric heap = RecordTreatment.HEAP;
        double least = bySize.values().stream()
                .filter(result -> result.samples().containsKey(who))
                .mapToDouble(result -> result.summary(who, heap).median())
                .min()
                .orElse(Double.NaN);
        return whole(least);
    }

    /** Returns the participants in the order of the first size, including rows missing at some sizes. */
    private static List<Identity> participants(Map<Integer, ExperimentResult> bySize) {
        return bySize.values().iterator().next().experiment().treatments().stream()
                .map(treatment -> treatment.identity())
                .filter(who -> bySize.values().stream()
                        .anyMatch(result -> result.samples().containsKey(who)))
                .toList();
    }

    private static String noise(Map<Integer, ExperimentResult> bySize) {
        double foreign = bySize.values().stream()
                .mapToDouble(result -> result.foreignCpu().median())
                .max()
                .orElse(0);
        int rounds = bySize.values().iterator().next().experiment().plan().rounds();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%nMedians of %d rounds; ratios are medians of ratios within a round. Other processes used %.2f of a "
                        + "core meanwhile.%n",
                rounds,
                foreign));
        Map<String, String> failures = new TreeMap<>();
        bySize.values().forEach(result -> result.failures().forEach((who, why) -> failures.put(who.name(), why)));
        failures.forEach((name, why) ->
                text.append("Left out: ").append(name).append(": ").append(why).append('\n'));
        return text.toString();
    }

    private String headed(String title, Table table) {
        return style == Report.Style.MARKDOWN
                ? "### " + title + "\n\n" + table.markdown()
                : title + "\n\n" + table.text();
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
