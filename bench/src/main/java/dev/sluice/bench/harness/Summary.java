package dev.sluice.bench.harness;

import java.util.Arrays;

/**
 * Summary statistics, robust against a disturbed round.
 *
 * @param median the median
 * @param mad median absolute deviation from the median, unscaled
 * @param min the minimum
 * @param max the maximum
 * @param count number of figures
 */
public record Summary(double median, double mad, double min, double max, int count) {
    /**
     * Summarizes figures.
     *
     * @param figures at least one; not modified
     */
    public static Summary of(double[] figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("no figures to summarize");
        }
        double median = median(figures);
        double[] deviations =
                Arrays.stream(figures).map(x -> Math.abs(x - median)).toArray();
        double min = Arrays.stream(figures).min().orElseThrow();
        double max = Arrays.stream(figures).max().orElseThrow();
        return new Summary(median, median(deviations), min, max, figures.length);
    }

    /**
     * Returns the ratios of figures from the same rounds. A slow round slows both sides, so its ratio is preserved.
     *
     * @param numerators one figure per round
     * @param denominators the other side's, same rounds, same order
     */
    static Summary ofPairedRatios(double[] numerators, double[] denominators) {
        if (numerators.length != denominators.length) {
            throw new IllegalArgumentException(
                    "unpaired rounds, numerators=" + numerators.length + ", denominators=" + denominators.length);
        }
        double[] ratios = new double[numerators.length];
        Arrays.setAll(ratios, i -> numerators[i] / denominators[i]);
        return of(ratios);
    }

    private static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
