package dev.sluice.bench.harness;

/**
 * A confidence interval.
 *
 * @param low the lower end
 * @param high the upper end
 */
public record Interval(double low, double high) {}
