package dev.sluice.gateway.alerts;

import dev.sluice.config.monitoring.AlertName;
import dev.sluice.config.monitoring.AlertName.Kind;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;

/** Values and thresholds as people read them. */
final class Wording {
    private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

    private Wording() {}

    /** One sentence without a full stop: what is measured, and how it stands to its threshold. */
    static String sentence(AlertName alert, AlertRule rule, Measured measured, double threshold) {
        if (Double.isNaN(measured.value())) {
            return "too few events to decide";
        }
        String told = rule.sentence()
                .replace("{}", value(alert.kind(), measured.value()))
                .replace("{of}", measured.subject());
        return alert.kind() == Kind.SWITCH ? told : told + " (threshold: " + bound(alert, threshold) + ')';
    }

    private static String bound(AlertName alert, double threshold) {
        return (alert.firesAbove() ? "more than " : "less than ") + value(alert.kind(), threshold);
    }

    /** A value with three digits; a duration in its two largest units. */
    static String value(Kind kind, double value) {
        return kind == Kind.DURATION ? duration(value) : number(value);
    }

    /** Formats a number for people: three digits, without exponent. */
    static String number(double value) {
        return rounded(value, THREE_DIGITS);
    }

    /** Formats a number for programs, with as many digits as carry information. */
    static String exact(double value) {
        return rounded(value, MathContext.DECIMAL32);
    }

    private static String rounded(double value, MathContext digits) {
        return Double.isFinite(value)
                ? new BigDecimal(value, digits).stripTrailingZeros().toPlainString()
                : "unknown";
    }

    private static String duration(double seconds) {
        if (seconds < 0) {
            return "-" + duration(-seconds);
        }
        Duration duration = Duration.ofMillis(Math.round(seconds * 1e3));
        if (duration.toDays() > 0) {
            return duration.toDays() + "d" + part(duration.toHoursPart(), "h");
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + "h" + part(duration.toMinutesPart(), "m");
        }
        if (duration.toMinutes() > 0) {
            return duration.toMinutes() + "m" + part(duration.toSecondsPart(), "s");
        }
        return number(seconds) + "s";
    }

    private static String part(int count, String unit) {
        return count == 0 ? "" : " " + count + unit;
    }

    /** The unit as {@link AlertStatus} names it. */
    static String unit(Kind kind) {
        return switch (kind) {
            case RATIO -> "ratio";
            case RATE -> "/s";
            case DURATION -> "s";
            case NUMBER, SWITCH -> "";
        };
    }
}
