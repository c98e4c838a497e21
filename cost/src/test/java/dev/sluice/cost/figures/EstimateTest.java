package dev.sluice.cost.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EstimateTest {
    /**
     * Checks ranks from tables of the sign test (two-sided, 5 %): the k-th of n rounds from either end, counted from 1.
     */
    @ParameterizedTest
    @CsvSource({"1,1", "5,1", "6,1", "8,1", "9,2", "11,2", "12,3", "15,4", "17,5", "20,6", "25,8", "30,10", "50,18"})
    void matchesTheSignTest(int rounds, int rank) {
        Estimate estimate = Estimate.of(IntStream.rangeClosed(1, rounds)
                .mapToDouble(i -> rounds + 1 - i)
                .toArray());

        assertThat(estimate.low()).isEqualTo(rank);
        assertThat(estimate.high()).isEqualTo(rounds + 1.0 - rank);
        assertThat(estimate.median()).isEqualTo((rounds + 1) / 2.0);
        assertThat(estimate.rounds()).isEqualTo(rounds);
    }

    @Test
    void oneOutlierDoesNotMoveTheMedian() {
        assertThat(Estimate.of(3, 1, 2, 1_000_000, 2).median()).isEqualTo(2);
    }

    @Test
    void constantRoundsHaveNoError() {
        assertThat(Estimate.exactly(7).relativeError()).isZero();
        assertThat(Estimate.of(0, 0, 0).relativeError()).isZero();
        assertThat(Estimate.of(1, 2, 3).times(2)).isEqualTo(new Estimate(4, 2, 6, 3));
    }

    @Test
    void rejectsAnEmptySetOfRounds() {
        assertThatThrownBy(Estimate::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rounds=0");
    }
}
