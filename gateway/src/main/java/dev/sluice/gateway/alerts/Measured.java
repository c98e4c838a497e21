package dev.sluice.gateway.alerts;

/**
 * The value that an alert compares with its threshold.
 *
 * @param value NaN if too little has happened
 * @param subject names the measured thing if there are several of its kind, else empty
 */
record Measured(double value, String subject) {
    /** Nothing to measure, or too little. */
    static final Measured NOTHING = new Measured(Double.NaN, "");

    static Measured of(double value) {
        return new Measured(value, "");
    }
}
