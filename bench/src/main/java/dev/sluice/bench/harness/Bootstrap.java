package dev.sluice.bench.harness;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * Confidence intervals by the percentile bootstrap: the rounds are drawn again with replacement, the statistic is
 * computed of each drawing, and the interval holds the given share of the results. The drawings are the same in each
 * call, so that equal figures have equal intervals.
 *
 * <p>With few rounds the interval spans nearly all of them, since nothing narrower can be said.
 */
public final class Bootstrap {
    private static final int RESAMPLES = 10_000;
    private static final long SEED = 18;

    private Bootstrap() {}

    /**
     * Returns the interval of a median.
     *
     * @param figures at least one; not modified
     * @param confidence share of the drawings inside of the interval, below 1
     */
    public static Interval ofMedian(double[] figures, double confidence) {
        double[] drawn = new double[figures.length];
        return interval(random -> median(draw(random, figures, drawn)), confidence);
    }

    /**
     * Returns the interval of the ratio of two medians, of rounds that do not belong together.
     *
     * @param numerators at least one figure; not modified
     * @param denominators at least one figure, of another run; not modified
     * @param confidence share of the drawings inside of the interval, below 1
     */
    public static Interval ofRatio(double[] numerators, double[] denominators, double confidence) {
        double[] above = new double[numerators.length];
        double[] below = new double[denominators.length];
        return interval(
                random -> median(draw(random, numerators, above)) / median(draw(random, denominators, below)),
                confidence);
    }

    private static Interval interval(ToDoubleFunction<SplittableRandom> statistic, double confidence) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] results = new double[RESAMPLES];
        Arrays.setAll(results, i -> statistic.applyAsDouble(random));
        Arrays.sort(results);
        int outside = (int) Math.round(RESAMPLES * (1 - confidence) / 2);
        return new Interval(results[outside], results[RESAMPLES - 1 - outside]);
    }

    private static double[] draw(SplittableRandom random, double[] figures, double[] drawn) {
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = figures[random.nextInt(figures.length)];
        }
        return drawn;
    }

    private static double median(double[] drawn) {
        Arrays.sort(drawn);
        int middle = drawn.length / 2;
        return drawn.length % 2 == 1 ? drawn[middle] : (drawn[middle - 1] + drawn[middle]) / 2;
    }
}
