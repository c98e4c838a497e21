package dev.sluice.gateway.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.CounterRegion;
import dev.sluice.gateway.metrics.Distribution;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CounterTableTest {
    private static final int ROWS_MAX = 3;
    private final CounterRegion region = new CounterRegion("table test", 100);

    @AfterEach
    void close() {
        region.close();
    }

    @Test
    void countsByLabelsInTheOrderInWhichTheyCame() {
        CounterTable table = new CounterTable(region, 10, 2, ROWS_MAX, 1);
        table.increment("timeout", "peer");
        table.increment("timeout", "environment");
        table.increment("timeout", new String("peer"));

        Map<List<String>, long[]> sum = CounterTable.sum(List.of(table));
        assertThat(sum.keySet()).containsExactly(List.of("timeout", "peer"), List.of("timeout", "environment"));
        assertThat(sum.get(List.of("timeout", "peer"))).containsExactly(2);
    }

    /** Checks that nothing is lost and nothing grows, however many labels peers invent. */
    @Test
    void whatFindsNoRowCountsAsOthers() {
        CounterTable table = new CounterTable(region, 0, 1, ROWS_MAX, 1);
        for (int i = 0; i < 50; i++) {
            table.increment("reason " + i);
        }
        table.increment("reason 1");

        Map<List<String>, long[]> sum = CounterTable.sum(List.of(table));
        assertThat(sum).hasSize(ROWS_MAX + 1);
        assertThat(sum.get(List.of("reason 1"))).containsExactly(2);
        assertThat(sum.get(List.of(CounterTable.OTHER))).containsExactly(47);
        assertThat(table.total()).isEqualTo(51);
    }

    @Test
    void rowsOfSeveralCountersAndOfSeveralTables() {
        CounterTable one = new CounterTable(region, 0, 2, ROWS_MAX, 2);
        CounterTable two = new CounterTable(region, CounterTable.slots(ROWS_MAX, 2), 2, ROWS_MAX, 2);
        one.incrementAt(0, "web", "a");
        one.incrementAt(1, "web", "a");
        two.incrementAt(1, "web", "a");
        two.incrementAt(0, "web", "b");

        Map<List<String>, long[]> sum = CounterTable.sum(List.of(one, two));
        assertThat(sum.get(List.of("web", "a"))).containsExactly(1, 2);
        assertThat(sum.get(List.of("web", "b"))).containsExactly(1, 0);
    }

    @Test
    void timesFallIntoTheBucketThatTheyDoNotExceed() {
        TimeHistogram.observe(region, 3, TimeUnit.MILLISECONDS.toNanos(1));
        TimeHistogram.observe(region, 3, TimeUnit.MILLISECONDS.toNanos(1) + 1);
        TimeHistogram.observe(region, 3, TimeUnit.SECONDS.toNanos(30));
        TimeHistogram.observe(region, 3, -1); // a clock that was set back
        long[] slots = IntStream.range(0, 3 + TimeHistogram.SLOTS)
                .mapToLong(region::get)
                .toArray();

        Distribution sum = TimeHistogram.distribution(slots, 3);
        assertThat(sum.count()).isEqualTo(4);
        assertThat(sum.sum()).isEqualTo(30.002000001);
        assertThat(bucket(sum, 0.00025)).isEqualTo(1);
        assertThat(bucket(sum, 0.001)).isEqualTo(1);
        assertThat(bucket(sum, 0.002)).isEqualTo(1);
        assertThat(sum.counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(3);
    }

    private static long bucket(Distribution distribution, double bound) {
        return distribution.counts().get(distribution.upperBounds().indexOf(bound));
    }
}
