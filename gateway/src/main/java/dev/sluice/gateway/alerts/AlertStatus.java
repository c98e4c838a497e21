package dev.sluice.gateway.alerts;

import java.time.Instant;
import java.util.List;

/**
 * The status of one alert at one time. Immutable.
 *
 * @param name lower case with dashes, the same in metrics and rules files, such as {@code resumption-ratio}
 * @param state ok, pending or firing
 * @param value what was measured last, in {@code unit}; NaN while too few events to decide
 * @param threshold beyond which it fires: above or below, as {@code message} says
 * @param unit of both: {@code ratio}, {@code /s}, {@code s}, or empty for a number of things
 * @param since when it came into this state
 * @param message one sentence: what is measured, its value and its threshold
 * @param advice what to do first, the most useful first; each a sentence, with the line of configuration where there is
 *     one
 */
public record AlertStatus(
        String name,
        AlertState state,
        double value,
        double threshold,
        String unit,
        Instant since,
        String message,
        List<String> advice) {
    /** Copies the advice. */
    public AlertStatus {
        advice = List.copyOf(advice);
    }
}
