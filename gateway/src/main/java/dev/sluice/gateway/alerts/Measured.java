package dev.sluice.gateway.alerts;

/**
 * What an alert goes by.
 *
 * @param value NaN: too little has happened to tell
 * @param subject whose value it is, where there are several of the kind; else empty
 */
record Measured(double value, String subject) {
    /** There is nothing to measure, or too little. */
    static final Measured NOTHING = new Measured(Double.NaN, "");

    static Measured of(double value) {
        return new Measured(value, "");
    }
}
