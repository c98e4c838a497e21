package dev.sluice.gateway.alerts;

import dev.sluice.config.monitoring.AlertName;
import dev.sluice.config.monitoring.AlertName.Kind;
import dev.sluice.gateway.alerts.AlertTimer.Level;

/** The value beyond which an alert fires, and the margin by which it must be better to clear. */
record Threshold(AlertName alert, double value) {
    /** The share of the threshold by which a value must be better than it to be clearly better. */
    static final double MARGIN = 0.1;

    Level level(double measured) {
        if (Double.isNaN(measured)) {
            return Level.BETTER;
        }
        if (alert.firesAbove()) {
            if (measured > value) {
                return Level.BEYOND;
            }
            return measured <= clearing() ? Level.BETTER : Level.NEAR;
        }
        if (measured < value) {
            return Level.BEYOND;
        }
        return measured >= clearing() ? Level.BETTER : Level.NEAR;
    }

    /**
     * Returns the value from which on the measurement is clearly better. A ratio near 1 must get half of the way there;
     * whole numbers need no margin.
     */
    double clearing() {
        if (alert.kind() == Kind.NUMBER || alert.kind() == Kind.SWITCH) {
            return value;
        }
        if (alert.firesAbove()) {
            return value * (1 - MARGIN);
        }
        double better = value * (1 + MARGIN);
        return alert.kind() == Kind.RATIO ? Math.min(better, (value + 1) / 2) : better;
    }
}
