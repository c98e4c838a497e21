package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.hostile.HostileKind;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.scrape.GatewayFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The outcome of hostile clients of one kind.
 *
 * @param connections number of connections
 * @param attack the clients' report
 * @param before the gateway's figures before the attack
 * @param after the gateway's figures after the attack
 * @param calm the witness's times without the attack
 * @param stormy the witness's times during the attack
 */
record HostileRow(
        HostileKind kind,
        int connections,
        Answer attack,
        GatewayFigures before,
        GatewayFigures after,
        Answer calm,
        Answer stormy) {
    static final List<String> TITLES = List.of(
            "clients that",
            "connections",
            "s",
            "MiB before",
            "after",
            "descriptors before",
            "after",
            "buffers before",
            "after",
            "log lines",
            "echo calm p50 ms",
            "p99 ms",
            "× p50",
            "× p99",
            "");

    /** The primary metric: the growth of an honest client's 99th percentile. */
    static final Metric ECHO_P99 = Metric.cost("honest_p99_times", "p99 ×");

    /**
     * The maximum number of log lines per kind of failure in {@link #LOG_WINDOW_SECONDS}, including a summary of
     * suppressed ones.
     */
    private static final int LOG_LINES_PER_WINDOW = 6;

    private static final int LOG_WINDOW_SECONDS = 10;
    private static final int LOGGED_KINDS_MAX = 8;

    /** The minimum percentage of effective clients for a meaningful proof. */
    private static final int REACHED_LEAST_PERCENT = 50;

    private static final int PERCENT = 100;
    private static final double MIB = 1024.0 * 1024;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private double seconds() {
        return attack.number("nanos") / NANOS_PER_SECOND;
    }

    private double times(String percentile) {
        return stormy.number(percentile) / calm.number(percentile);
    }

    private long logLines() {
        return after.logLines() - before.logLines();
    }

    /** Returns the gateway's failures; empty for none. */
    List<String> faults() {
        List<String> faults = new ArrayList<>(after.leftovers(before, 0));
        atMost(faults, "lines logged", logLines(), logLinesMax());
        atMost(faults, "connections not ended in time", (long) attack.number("unended"), 0);
        return faults.stream().map(fault -> kind.title() + ": " + fault).toList();
    }

    /** Returns the weakness of the proof, more likely the machine's fault than the gateway's; empty for none. */
    Optional<String> weakness() {
        long reached = (long) attack.number(kind.shakesHands() ? "handshakes" : "connected");
        return reached * PERCENT >= (long) connections * REACHED_LEAST_PERCENT
                ? Optional.empty()
                : Optional.of(kind.title() + ": only " + reached + " of " + connections
                        + " clients were effective; the others were refused, or their handshake timed out");
    }

    private String remark() {
        String weak = weakness().isPresent() ? "WEAK" : "";
        return faults().isEmpty() ? weak : "FAILED";
    }

    private long logLinesMax() {
        long windows = 2 + (long) seconds() / LOG_WINDOW_SECONDS;
        return windows * LOG_LINES_PER_WINDOW * LOGGED_KINDS_MAX;
    }

    private static void atMost(List<String> faults, String what, long count, long most) {
        if (count > most) {
            faults.add(what + ": " + count + ", at most " + most + " expected");
        }
    }

    /** Returns its cells under {@link #TITLES}. */
    List<String> cells() {
        return List.of(
                kind.title(),
                text("%,d", connections),
                text("%.1f", seconds()),
                text("%.1f", before.resident() / MIB),
                text("%.1f", after.resident() / MIB),
                text("%d", before.descriptors()),
                text("%d", after.descriptors()),
                text("%d", before.buffers()),
                text("%d", after.buffers()),
                text("%d", logLines()),
                text("%.1f", calm.number("p50") / NANOS_PER_MILLI),
                text("%.1f", calm.number("p99") / NANOS_PER_MILLI),
                text("%.2f", times("p50")),
                text("%.2f", times("p99")),
                remark());
    }

    /** Returns the figures for the result log. */
    Sample sample() {
        return Sample.of(ECHO_P99, times("p99"))
                .with(Metric.cost("calm_p99_millis", "calm p99 ms"), calm.number("p99") / NANOS_PER_MILLI)
                .with(Metric.cost("hostile_p99_millis", "p99 ms"), stormy.number("p99") / NANOS_PER_MILLI)
                .with(Metric.cost("calm_p50_millis", "calm p50 ms"), calm.number("p50") / NANOS_PER_MILLI)
                .with(Metric.cost("hostile_p50_millis", "p50 ms"), stormy.number("p50") / NANOS_PER_MILLI)
                .with(Metric.rate("echo_count", "echoes"), stormy.number("count"))
                .with(Metric.rate("connections", "clients"), connections)
                .with(Metric.cost("seconds", "s"), seconds())
                .with(Metric.cost("resident_before_mib", "RSS MiB before"), before.resident() / MIB)
                .with(Metric.cost("resident_after_mib", "after"), after.resident() / MIB)
                .with(Metric.cost("descriptors_before", "descriptors before"), (double) before.descriptors())
                .with(Metric.cost("descriptors_after", "after"), (double) after.descriptors())
                .with(Metric.cost("buffers_before", "buffers before"), (double) before.buffers())
                .with(Metric.cost("buffers_after", "after"), (double) after.buffers())
                .with(Metric.cost("sessions_after", "sessions after"), (double) after.sessions())
                .with(Metric.cost("log_lines", "log lines"), (double) logLines())
                .with(Metric.cost("faults", "faults"), faults().size());
    }

    private static String text(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
