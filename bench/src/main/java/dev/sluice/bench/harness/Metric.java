package dev.sluice.bench.harness;

/**
 * Something measured.
 *
 * @param key lower_snake_case with the unit at its end, the name in the JSON lines
 * @param title the column's title for people, with the unit
 * @param better which way is better
 * @param hasRatio whether tables show its ratio to the best peer's where it is not the headline, whose ratio they always
 *     show
 */
public record Metric(String key, String title, Better better, boolean hasRatio) {
    /** Which way is better. */
    public enum Better {
        /** A cost. */
        LOWER,
        /** A rate. */
        HIGHER
    }

    /** A cost: lower is better. */
    public static Metric cost(String key, String title) {
        return new Metric(key, title, Better.LOWER, false);
    }

    /** A rate: higher is better. */
    public static Metric rate(String key, String title) {
        return new Metric(key, title, Better.HIGHER, false);
    }

    /** The same, with its ratio to the best peer's beside it. */
    public Metric withRatio() {
        return new Metric(key, title, better, true);
    }
}
