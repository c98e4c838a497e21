package dev.sluice.bench.claims;

/**
 * A published figure or range, which holds when the measured value is within a factor of {@value #TOLERANCE} of it.
 *
 * @param least lower end
 * @param most upper end
 */
public record Claim(double least, double most) {
    private static final double TOLERANCE = 1.5;

    /** Returns the claim of one figure. */
    public static Claim of(double figure) {
        return new Claim(figure, figure);
    }

    /**
     * Returns the verdict for display.
     *
     * @param measured NaN if it was not measured
     */
    public String verdict(double measured) {
        if (Double.isNaN(measured)) {
            return "not measured";
        }
        boolean holds = measured <= most * TOLERANCE && measured >= least / TOLERANCE;
        return holds ? "yes" : measured < least ? "no: less" : "no: more";
    }
}
