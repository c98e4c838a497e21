package dev.sluice.bench.record;

import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.ResultLog;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Table;
import dev.sluice.cost.figures.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The allocations of OpenSSL per record sealed and opened, as rows of results and as a table.
 *
 * @param costs by row and payload
 */
public record NativeCosts(Map<Row, Map<Integer, NativeCost>> costs) {
    private static final Metric BYTES = Metric.cost("native_bytes", "native B per record, OpenSSL's");
    private static final Metric ALLOCATIONS =
            Metric.cost("native_allocations", "native allocations per record, OpenSSL's");

    /**
     * Writes them as metrics of the experiments that seal and open.
     *
     * @param experiments returns the experiment of a payload, empty if it was not measured
     */
    public void log(ResultLog log, IntFunction<Optional<ExperimentResult>> experiments) {
        costs.forEach((row, byPayload) ->
                byPayload.forEach((payload, cost) -> experiments.apply(payload).ifPresent(result -> {
                    log.row(counted(result, row, BYTES, cost.bytes()));
                    log.row(counted(result, row, ALLOCATIONS, cost.allocations()));
                })));
    }

    private static ResultRow counted(ExperimentResult result, Row row, Metric metric, double value) {
        return new ResultRow(
                result.experiment().name(),
                result.experiment().title(),
                row.identity(),
                metric,
                false,
                Optional.empty(),
                List.of(value),
                new ResultRow.Noise(result.foreignCpu().median(), Optional.empty()));
    }

    /** Returns a table with a column for each payload. */
    public Table table(List<Integer> payloads) {
        List<String> titles = new ArrayList<>(List.of(""));
        payloads.forEach(payload -> titles.add(Workload.size(payload)));
        Table table = new Table(titles);
        costs.forEach((row, byPayload) -> {
            List<String> cells = new ArrayList<>(List.of(row.name()));
            byPayload
                    .values()
                    .forEach(cost -> cells.add(Numbers.of(cost.bytes()) + " in " + Numbers.of(cost.allocations())));
            table.row(cells);
        });
        return table;
    }
}
