package dev.sluice.gateway.alerts;

import java.time.Duration;

/**
 * The state of one alert. It fires after the value has been beyond the threshold for a time, and clears after the value
 * has been clearly better for a time, so that a value near the threshold does not make it flap.
 *
 * <p>Time is that of {@link System#nanoTime()}, unaffected by changes of the clock. Confined to one thread at a time.
 */
final class AlertTimer {
    private AlertState state = AlertState.OK;
    /** The time since which the value has been beyond its threshold, while pending; or clearly better, while firing. */
    private long sinceNanos;

    private boolean isClearlyBetter;

    /** The relation of a value to its threshold. */
    enum Level {
        /** It is beyond: what the alert is for. */
        BEYOND,
        /** Not beyond, but nearer than the margin. */
        NEAR,
        /** Clearly better, or nothing happens that it could tell of. */
        BETTER
    }

    AlertState state() {
        return state;
    }

    /**
     * Takes up a value.
     *
     * @param hold how long it must be beyond before the alert fires
     * @param clear how long it must be clearly better before the alert clears
     * @return whether the state is another one now
     */
    boolean update(Level level, long nanos, Duration hold, Duration clear) {
        AlertState before = state;
        state = switch (state) {
            case OK -> begun(level, nanos, hold);
            case PENDING -> held(level, nanos, hold);
            case FIRING -> cleared(level, nanos, clear);
        };
        return state != before;
    }

    private AlertState begun(Level level, long nanos, Duration hold) {
        if (level != Level.BEYOND) {
            return AlertState.OK;
        }
        sinceNanos = nanos;
        return held(level, nanos, hold);
    }

    private AlertState held(Level level, long nanos, Duration hold) {
        if (level != Level.BEYOND) {
            return AlertState.OK;
        }
        if (nanos - sinceNanos < hold.toNanos()) {
            return AlertState.PENDING;
        }
        isClearlyBetter = false;
        return AlertState.FIRING;
    }

    private AlertState cleared(Level level, long nanos, Duration clear) {
        if (level != Level.BETTER) {
            isClearlyBetter = false;
            return AlertState.FIRING;
        }
        if (!isClearlyBetter) {
            isClearlyBetter = true;
            sinceNanos = nanos;
        }
        return nanos - sinceNanos < clear.toNanos() ? AlertState.FIRING : AlertState.OK;
    }
}
