package dev.sluice.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    private static final int EXPERIMENTS = 400;
    private static final int ROUNDS = 15;

    @Test
    void equalFiguresHaveAnIntervalWithoutWidth() {
        assertThat(Bootstrap.ofMedian(new double[] {3, 3, 3}, 0.95)).isEqualTo(new Interval(3, 3));
        assertThat(Bootstrap.ofRatio(new double[] {6}, new double[] {3, 3}, 0.95))
                .isEqualTo(new Interval(2, 2));
    }

    @Test
    void theSameFiguresHaveTheSameInterval() {
        double[] figures = {5, 1, 4, 2, 3};

        assertThat(Bootstrap.ofMedian(figures, 0.9)).isEqualTo(Bootstrap.ofMedian(figures, 0.9));
        assertThat(figures).containsExactly(5, 1, 4, 2, 3);
    }

    @Test
    void fewFiguresHaveAnIntervalOfAllOfThem() {
        assertThat(Bootstrap.ofMedian(new double[] {1, 2, 3}, 0.95)).isEqualTo(new Interval(1, 3));
    }

    /** Checks that the interval of 95 % holds the true median in about 95 of 100 experiments. */
    @Test
    void theIntervalHoldsTheMedianAsOftenAsItClaims() {
        Random random = new Random(7);
        int held = 0;
        for (int experiment = 0; experiment < EXPERIMENTS; experiment++) {
            double[] figures = random.doubles(ROUNDS).toArray();
            Interval interval = Bootstrap.ofMedian(figures, 0.95);
            held += interval.low() <= 0.5 && 0.5 <= interval.high() ? 1 : 0;
        }

        assertThat(held / (double) EXPERIMENTS).isBetween(0.9, 0.99);
    }
}
