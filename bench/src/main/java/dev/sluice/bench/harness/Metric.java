package dev.sluice.bench.harness;

/**
 * A measured quantity.
 *
 * @param key lower_snake_case name with a unit suffix, used in the JSON lines
 * @param title the column title, with the unit
 * @param better the better direction
 * @param hasRatio true to show its ratio to the best peer; always shown for the headline
 */
public record Metric(String key, String title, Better better, boolean hasRatio) {
    /** The better direction of a metric. */
    public enum Better {
        /** A cost. */
        LOWER,
        /** A rate. */
        HIGHER
    }

    /** Creates a cost: lower is better. */
    public static Metric cost(String key, String title) {
        return new Metric(key, title, Better.LOWER, false);
    }

    /** Creates a rate: higher is better. */
    public static Metric rate(String key, String title) {
        return new Metric(key, title, Better.HIGHER, false);
    }

    /** Returns the same metric with its ratio to the best peer's. */
    public Metric withRatio() {
        return new Metric(key, title, better, true);
    }
}
