package dev.sluice.cost.figures;

import java.util.Arrays;

/**
 * The median of rounds, and between which of them it lies with a confidence of at least 95 %. The interval is one of order
 * statistics: it supposes nothing of how rounds are distributed. With fewer than six rounds no interval is that sure, and it
 * goes from the least to the greatest.
 *
 * @param median in the unit of the rounds
 * @param low the lower end
 * @param high the upper end
 * @param rounds how many there were
 */
public record Estimate(double median, double low, double high, int rounds) {
    /** The chance that the median lies below the interval, and again above it. */
    private static final double TAIL = 0.025;

    /**
     * Of at least one round.
     *
     * @throws IllegalArgumentException without a round
     */
    public static Estimate of(double... rounds) {
        if (rounds.length == 0) {
            throw new IllegalArgumentException("a median needs at least one round, rounds=0");
        }
        double[] sorted = rounds.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        int rank = rank(sorted.length);
        return new Estimate(median, sorted[rank], sorted[sorted.length - 1 - rank], sorted.length);
    }

    /** Of something that was not measured in rounds, or is the same each time. */
    public static Estimate exactly(double value) {
        return new Estimate(value, value, value, 1);
    }

    /** Half of the interval's width, as a share of the median; 0 for a median of 0. */
    public double relativeError() {
        return median == 0 ? 0 : (high - low) / 2 / Math.abs(median);
    }

    /** In another unit. */
    public Estimate times(double factor) {
        return new Estimate(median * factor, low * factor, high * factor, rounds);
    }

    /** With something that has no error added. */
    public Estimate plus(double value) {
        return new Estimate(median + value, low + value, high + value, rounds);
    }

    /**
     * How many rounds may be left out at each end: the greatest k such that fewer than k + 1 of n rounds lie below the
     * median with a probability of at most {@link #TAIL}, each doing so with one half.
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
