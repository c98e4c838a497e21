package dev.sluice.bench.harness;

import java.util.Arrays;

/**
 * Some figures in few: robust against the one round that a cron job spoiled.
 *
 * @param median the middle
 * @param mad median absolute deviation from the median, unscaled
 * @param min the least
 * @param max the most
 * @param count how many figures
 */
public record Summary(double median, double mad, double min, double max, int count) {
    /**
     * Sums up.
     *
     * @param figures at least one; left as they are
     */
    public static Summary of(double[] figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("no figures to sum up");
        }
        double median = median(figures);
        double[] deviations =
                Arrays.stream(figures).map(x -> Math.abs(x - median)).toArray();
        double min = Arrays.stream(figures).min().orElseThrow();
        double max = Arrays.stream(figures).max().orElseThrow();
        return new Summary(median, median(deviations), min, max, figures.length);
    }

    /**
     * The ratios of figures taken in the same rounds. A slow round slows both sides, so its ratio stays.
     *
     * @param numerators one figure per round
     * @param denominators the other side's, same rounds, same order
     */
    public static Summary ofPairedRatios(double[] numerators, double[] denominators) {
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
