package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.hostile.HostileKind;
import dev.sluice.bench.process.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What became of hostile clients of one kind.
 *
 * @param connections how many there were
 * @param attack what they told
 * @param before what the gateway held before they came
 * @param after what it held when they had gone
 * @param calm how long the witness's exchanges took without them
 * @param stormy how long they took with them
 */
record HostileRow(
        HostileKind kind,
        int connections,
        Answer attack,
        HostileFigures before,
        HostileFigures after,
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

    /** The kernel has up to so many buffers for receives on io_uring, more or fewer from one moment to the next. */
    static final int BUFFERS_ON_OFFER = 128;

    /** The scrape that counts them has a connection, and the JVM pollers of its threads; a leak shows in hundreds. */
    static final int DESCRIPTORS_OF_SCRAPES = 8;

    /** A kind of failure has so many lines in {@link #LOG_WINDOW_SECONDS}, and one that counts what was left out. */
    private static final int LOG_LINES_PER_WINDOW = 6;

    private static final int LOG_WINDOW_SECONDS = 10;
    private static final int LOGGED_KINDS_MAX = 8;

    /** When fewer than this come to do what they are to, in percent, little is proven. */
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

    /** What the gateway did not give back, or did not do; empty: nothing. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        atMost(faults, "client connections open", after.sessions(), before.sessions());
        atMost(faults, "backend connections open", after.backendConnections(), before.backendConnections());
        atMost(faults, "buffers in use", after.buffers(), before.buffers() + BUFFERS_ON_OFFER);
        atMost(faults, "descriptors open", after.descriptors(), before.descriptors() + DESCRIPTORS_OF_SCRAPES);
        after.handles().forEach((owner, count) -> {
            if (!isPool(owner)) {
                atMost(faults, owner + " held", count, before.handles().getOrDefault(owner, 0L));
            }
        });
        atMost(faults, "lines logged", logLines(), logLinesMax());
        atMost(faults, "connections not ended in time", (long) attack.number("unended"), 0);
        return faults;
    }

    /** Returns what weakens the proof, which is the machine's fault more likely than the gateway's; empty: nothing. */
    Optional<String> weakness() {
        long reached = (long) attack.number(kind.shakesHands() ? "handshakes" : "connected");
        return reached * PERCENT >= (long) connections * REACHED_LEAST_PERCENT
                ? Optional.empty()
                : Optional.of(kind.title() + ": only " + reached + " of " + connections
                        + " came to do what they were to;" + " the others were refused, or their handshake timed out");
    }

    private String remark() {
        String weak = weakness().isPresent() ? "WEAK" : "";
        return faults().isEmpty() ? weak : "FAILED";
    }

    /** What takes memory in chunks, as the need grows, and keeps it. */
    private static boolean isPool(String owner) {
        return owner.endsWith(" buffers") || owner.endsWith(", unused") || owner.endsWith(" transport");
    }

    private long logLinesMax() {
        long windows = 2 + (long) seconds() / LOG_WINDOW_SECONDS;
        return windows * LOG_LINES_PER_WINDOW * LOGGED_KINDS_MAX;
    }

    private void atMost(List<String> faults, String what, long count, long most) {
        if (count > most) {
            faults.add(kind.title() + ": " + what + ": " + count + ", at most " + most + " are right");
        }
    }

    /** Its cells under {@link #TITLES}. */
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

    /** The same for a file of results. */
    Sample sample() {
        Sample sample = Sample.of(Metric.cost("connections", ""), connections);
        for (Map.Entry<String, Double> figure : figures().entrySet()) {
            sample = sample.with(Metric.cost(figure.getKey(), ""), figure.getValue());
        }
        return sample;
    }

    private Map<String, Double> figures() {
        return Map.ofEntries(
                Map.entry("seconds", seconds()),
                Map.entry("resident_before_bytes", (double) before.resident()),
                Map.entry("resident_after_bytes", (double) after.resident()),
                Map.entry("descriptors_before", (double) before.descriptors()),
                Map.entry("descriptors_after", (double) after.descriptors()),
                Map.entry("buffers_before", (double) before.buffers()),
                Map.entry("buffers_after", (double) after.buffers()),
                Map.entry("sessions_after", (double) after.sessions()),
                Map.entry("log_lines", (double) logLines()),
                Map.entry("calm_p50_nanos", calm.number("p50")),
                Map.entry("calm_p99_nanos", calm.number("p99")),
                Map.entry("hostile_p50_nanos", stormy.number("p50")),
                Map.entry("hostile_p99_nanos", stormy.number("p99")),
                Map.entry("echo_count", stormy.number("count")),
                Map.entry("faults", (double) faults().size()));
    }

    private static String text(String format, Object value) {
        return String.format(Locale.ROOT, format, value);
    }
}
