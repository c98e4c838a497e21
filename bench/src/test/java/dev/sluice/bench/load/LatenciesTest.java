package dev.sluice.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatenciesTest {
    /** Checks the definition of the nearest rank: the least figure that is not exceeded by the given fraction. */
    @ParameterizedTest
    @CsvSource({
        "1, 0.5, 1",
        "1, 0.999, 1",
        "2, 0.5, 1",
        "3, 0.5, 2",
        "10, 0.99, 10",
        "100, 0.5, 50",
        "100, 0.99, 99",
        "100, 0.999, 100",
        "1000, 0.99, 990",
        "1000, 0.999, 999",
        "1001, 0.999, 1000",
        "40000, 0.999, 39960",
        "7, 1, 7"
    })
    void percentileIsAMeasuredFigure(int count, double part, long expected) {
        long[] sorted = LongStream.rangeClosed(1, count).toArray();
        assertThat(Latencies.percentile(sorted, part)).isEqualTo(expected);
    }

    @Test
    void acceptsUnsortedFigures() {
        long[] nanos = LongStream.rangeClosed(1, 1_000)
                .map(figure -> figure * 617 % 1_009)
                .toArray(); // 617 and 1009 are prime: 1,000 different figures in disorder
        long[] ordered = LongStream.of(nanos.clone()).sorted().toArray();
        Latencies latencies = Latencies.of(nanos, new long[] {5, 3, 4});
        assertThat(latencies).isEqualTo(new Latencies(ordered[499], ordered[989], ordered[998], 5));
    }

    @Test
    void parsesItsOwnWords() {
        Latencies latencies = new Latencies(1, 22, 333, 4);
        assertThat(Latencies.parse(LoadRequest.words("ok nanos=9 " + latencies.toWords())))
                .isEqualTo(latencies);
    }

    @Test
    void rejectsAnEmptySet() {
        assertThatThrownBy(() -> Latencies.percentile(new long[0], 0.5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void eventsAreEvenlySpacedWithoutDrift() {
        Pace pace = new Pace(1_000, 3);
        assertThat(pace.at(0)).isEqualTo(1_000);
        assertThat(pace.at(1)).isEqualTo(333_334_333);
        assertThat(pace.at(3_000_000)).isEqualTo(1_000 + 1_000_000_000_000_000L);
        assertThat(pace.isDue(1, 333_334_332)).isFalse();
        assertThat(pace.isDue(1, 333_334_333)).isTrue();
    }

    /** Checks an overflow of {@link System#nanoTime()}, whose origin is arbitrary. */
    @Test
    void toleratesAClockOverflow() {
        Pace pace = new Pace(Long.MAX_VALUE - 5, 1e9);
        assertThat(pace.isDue(10, Long.MAX_VALUE)).isFalse();
        assertThat(pace.isDue(10, Long.MIN_VALUE + 4)).isTrue();
    }

    @Test
    void rejectsARateOfZero() {
        assertThatThrownBy(() -> new Pace(0, 0)).hasMessageContaining("perSecond=0");
    }
}
