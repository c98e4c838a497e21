package dev.sluice.cost.figures;

import java.util.Arrays;

/**
 * The median of rounds with a confidence interval of at least 95 %. The interval is based on order statistics and
 * assumes no distribution. With fewer than six rounds no interval has that confidence, and it spans all rounds.
 *
 * @param median in the unit of the rounds
 * @param low the lower end
 * @param high the upper end
 * @param rounds number of rounds
 */
public record Estimate(double median, double low, double high, int rounds) {
    /** The probability of a median below the interval, and likewise above it. */
    private static final double TAIL = 0.025;

    /**
     * Returns the estimate of at least one round.
     *
     * @throws IllegalArgumentException without a round
     */
    public static Estimate of(double... rounds) {
        if (rounds.length == 0) {
            throw new IllegalArgumentException("a median requires at least one round, rounds=0");
        }
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        int rank = rank(sorted.length);
        return new Estimate(median, sorted[rank], sorted[sorted.length - 1 - rank], sorted.length);
    }

    /** Returns the estimate of an exact value. */
    public static Estimate exactly(double value) {
        return new Estimate(value, value, value, 1);
    }

    /** Returns half of the interval's width, relative to the median; 0 for a median of 0. */
    double relativeError() {
        return median == 0 ? 0 : (high - low) / 2 / Math.abs(median);
    }

    /** Returns the estimate in another unit. */
    public Estimate times(double factor) {
        return new Estimate(median * factor, low * factor, high * factor, rounds);
    }

    /** Returns the sum of the estimate and an exact value. */
    public Estimate plus(double value) {
        return new Estimate(median + value, low + value, high + value, rounds);
    }

    /**
     * Returns the number of rounds to omit at each end: the greatest k such that, with a probability of at most {@link
     * #TAIL}, fewer than k + 1 of n rounds lie below the median, each doing so with probability one half.
     */
    private static int rank(int rounds) {
        double probability = Math.pow(0.5, rounds);
        double sum = probability;
        int left = 0;
        for (int k = 1; k <= rounds / 2 && sum <= TAIL; k++) {
            left = k - 1;
            probability *= (double) (rounds - k + 1) / k;
            sum += probability;
        }
        return left;
    }
}
