package dev.sluice.bench.results;

import dev.sluice.bench.harness.Bootstrap;
import dev.sluice.bench.harness.Interval;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.ResultRow;

/**
 * The change of one row from one run to another.
 *
 * @param before the row of the first run
 * @param after the same row of the second run
 * @param ratio ratio of the medians, after to before
 * @param interval of the ratio
 * @param threshold relative change up to which nothing is reported
 * @param verdict the decision
 */
public record Change(
        ResultRow before, ResultRow after, double ratio, Interval interval, double threshold, Verdict verdict) {
    /** The confidence of the ratio's interval: high, since hundreds of rows are compared at once. */
    static final double CONFIDENCE = 0.999;

    /** The least number of rounds of which anything is decided: of fewer, chance orders the runs too often. */
    static final int ROUNDS_MIN = 5;

    /** The decision about a row. */
    public enum Verdict {
        /** The whole interval lies on the bad side of the threshold. */
        WORSE,
        /** The whole interval lies on the good side of the threshold. */
        BETTER,
        /** The interval reaches into the threshold: no change beyond noise. */
        SAME,
        /** Too few rounds, or figures without a ratio. */
        UNDECIDED
    }

    /**
     * Compares a row.
     *
     * @param least relative change up to which nothing is reported on a machine without noise
     */
    static Change of(ResultRow before, ResultRow after, double least) {
        double threshold = Math.max(
                least, Math.max(before.noise().distance(), after.noise().distance()));
        double ratio = after.median() / before.median();
        Interval interval = Bootstrap.ofRatio(after.figures(), before.figures(), CONFIDENCE);
        return new Change(before, after, ratio, interval, threshold, verdict(before, after, interval, threshold));
    }

    private static Verdict verdict(ResultRow before, ResultRow after, Interval interval, double threshold) {
        if (Math.min(before.values().size(), after.values().size()) < ROUNDS_MIN) {
            return Verdict.UNDECIDED;
        }
        boolean cost = after.metric().better() == Metric.Better.LOWER;
        if (allZero(before)) {
            return fromZero(after, cost);
        }
        if (Double.isNaN(interval.low()) || Double.isNaN(interval.high())) {
            return Verdict.UNDECIDED;
        }
        // The bounds are reciprocal, so that a change and its way back have the same verdict.
        if (interval.low() > 1 + threshold) {
            return cost ? Verdict.WORSE : Verdict.BETTER;
        }
        if (interval.high() < 1 / (1 + threshold)) {
            return cost ? Verdict.BETTER : Verdict.WORSE;
        }
        return Verdict.SAME;
    }

    private static Verdict fromZero(ResultRow after, boolean cost) {
        if (allZero(after)) {
            return Verdict.SAME;
        }
        boolean always = after.values().stream().allMatch(value -> value > 0);
        return !always ? Verdict.UNDECIDED : cost ? Verdict.WORSE : Verdict.BETTER;
    }

    private static boolean allZero(ResultRow row) {
        return row.values().stream().allMatch(value -> value == 0);
    }
}
