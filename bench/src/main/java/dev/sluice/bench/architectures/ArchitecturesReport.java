package dev.sluice.bench.architectures;

import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.harness.Table;
import dev.sluice.bench.record.NativeCosts;
import dev.sluice.bench.record.Operation;
import dev.sluice.bench.record.RecordTreatment;
import dev.sluice.bench.record.Row;
import dev.sluice.bench.record.Workload;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.tls.record.CipherSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results as text: a table for each operation and suite, with a row for each payload of each way. */
final class ArchitecturesReport {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Report.Style style;
    private final Measured measured;

    ArchitecturesReport(Report.Style style, Measured measured) {
        this.style = style;
        this.measured = measured;
    }

    /** Returns the published figures beside the measured ones. */
    String matrix() {
        return headed("Published and measured", new PublishedMatrix(measured).table());
    }

    /** Returns one operation with one suite. */
    String operation(Operation operation, CipherSuite suite) {
        List<String> titles = new ArrayList<>(List.of("", "ns per record", "± MAD", "records/s", "× JDK, direct"));
        if (operation != Operation.OPEN) { // sealing the record to open would count too
            titles.addAll(List.of("heap B/record", "collections, all rounds"));
        }
        Table table = new Table(titles);
        measured.results().forEach((workload, result) -> {
            if (workload.operation() == operation && workload.suite() == suite) {
                result.samples().keySet().forEach(who -> table.row(cells(workload, result, who)));
            }
        });
        return headed(suite.name() + ", " + operation.title(), table) + noise(operation, suite);
    }

    private static List<String> cells(Workload workload, ExperimentResult result, Identity who) {
        Summary nanos = result.summary(who, RecordTreatment.NANOS);
        List<String> cells = new ArrayList<>(List.of(
                Workload.size(workload.bytes()) + ", " + who.name(),
                Numbers.of(nanos.median()),
                Numbers.of(nanos.mad()),
                Numbers.of(NANOS_PER_SECOND / nanos.median()),
                result.samples().containsKey(Row.JDK_DIRECT.identity())
                        ? Numbers.of(
                                result.ratio(who, Row.JDK_DIRECT.identity()).median())
                        : "–"));
        if (workload.operation() != Operation.OPEN) {
            cells.add(String.format(
                    Locale.ROOT,
                    "%,.0f",
                    result.summary(who, RecordTreatment.HEAP).median()));
            cells.add(Numbers.of(Measured.collections(result, who)));
        }
        return cells;
    }

    private String noise(Operation operation, CipherSuite suite) {
        StringBuilder text = new StringBuilder();
        measured.results().forEach((workload, result) -> {
            if (workload.operation() == operation && workload.suite() == suite) {
                text.append(Workload.size(workload.bytes()))
                        .append(": ")
                        .append(result.noiseFloor()
                                .map(floor -> "the control is " + Numbers.of(floor.median()) + " of its original ("
                                        + Numbers.of(floor.min()) + " … " + Numbers.of(floor.max()) + ")")
                                .orElse("no control ran"))
                        .append("; others used ")
                        .append(String.format(
                                Locale.ROOT, "%.2f", result.foreignCpu().median()))
                        .append(" of a core.\n");
                result.failures()
                        .forEach((who, reason) -> text.append("Left out: ")
                                .append(who.name())
                                .append(": ")
                                .append(reason)
                                .append('\n'));
            }
        });
        return "\n" + text;
    }

    /** Returns what OpenSSL allocates per record sealed and opened. */
    String nativeCosts(NativeCosts costs) {
        return headed(
                "Native bytes and allocations of OpenSSL per record, seal + open", costs.table(Architecture.PAYLOADS));
    }

    private String headed(String title, Table table) {
        return style == Report.Style.MARKDOWN
                ? "### " + title + "\n\n" + table.markdown()
                : title + "\n\n" + table.text();
    }
}
