package dev.sluice.gateway.flight;

import org.jspecify.annotations.Nullable;

/**
 * The switch that shows whether a flight recording is active. Java Flight Recorder is not loaded to find that out, but
 * for one class, and not at the start; {@link #look()} is asked once a second. May be used from any thread.
 *
 * <pre>{@code
 * FlightEvents events = Flight.events();
 * if (events != null) {
 *     events.reloaded(...);
 * }
 * }</pre>
 */
public final class Flight {
    private static volatile @Nullable FlightEvents events;

    /** This JVM has no Flight Recorder. */
    private static volatile boolean impossible;

    private Flight() {}

    /** Returns the receiver of events; null as long as no recording was ever active. */
    public static @Nullable FlightEvents events() {
        return events;
    }

    /** Looks whether somebody has begun to record. */
    public static void look() {
        if (events == null && !impossible) {
            try {
                if (jdk.jfr.FlightRecorder.isInitialized()) {
                    events = new FlightEvents();
                }
            } catch (LinkageError absent) {
                impossible = true;
            }
        }
    }
}
