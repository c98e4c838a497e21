package dev.sluice.gateway.alerts;

import java.util.Locale;

/** The state of an alert. */
public enum AlertState {
    /** The value is within its threshold, or too few events to decide. */
    OK,
    /** The value is beyond its threshold, but has not been for the hold time. */
    PENDING,
    /** The value was beyond its threshold for the hold time, and has not been clearly better for as long since. */
    FIRING;

    /** The name as metrics, pages and environment variables have it: in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
