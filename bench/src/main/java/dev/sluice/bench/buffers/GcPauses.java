package dev.sluice.bench.buffers;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pauses of a round in the log of the collector, and the most memory that was resident. */
final class GcPauses implements Observation {
    private static final Metric LONGEST = Metric.cost("longest_pause_ms", "longest pause, ms");
    private static final Metric COUNT = Metric.cost("pauses_per_second", "pauses/s");
    private static final Metric SHARE = Metric.cost("pause_ms_per_second", "paused ms/s");

    // [1.234s][gc] GC(15) Pause Young (Normal) (G1 Evacuation Pause) 24M->1M(512M) 1.234ms
    // [1.234s][gc,phases] GC(3) y: Pause Mark Start 0.012ms
    private static final Pattern PAUSE = Pattern.compile("Pause .*?(\\d+\\.\\d+)ms$", Pattern.MULTILINE);

    private final Path log;
    private final PeakMemory memory = new PeakMemory();
    private int seen;

    GcPauses(Path log) {
        this.log = log;
    }

    /** Returns the option that makes a JVM write its pauses to a file. */
    static String flag(Path log) {
        return "-Xlog:gc,gc+phases:file=" + log + ":uptime,tags:filecount=0";
    }

    /** Returns the durations of all pauses in a log, in milliseconds. */
    static List<Double> durations(String log) {
        List<Double> durations = new ArrayList<>();
        for (Matcher pause = PAUSE.matcher(log); pause.find(); ) {
            durations.add(Double.valueOf(pause.group(1)));
        }
        return durations;
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>(List.of(LONGEST, COUNT, SHARE));
        metrics.addAll(memory.metrics());
        return metrics;
    }

    @Override
    public void before() {
        seen = pauses().size();
    }

    @Override
    public Sample after(Sample sample, long pid, double seconds) {
        List<Double> all = pauses();
        List<Double> pauses = all.subList(seen, all.size());
        double total = pauses.stream().mapToDouble(Double::doubleValue).sum();
        double longest = pauses.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        return memory.after(
                sample.with(LONGEST, longest)
                        .with(COUNT, pauses.size() / seconds)
                        .with(SHARE, total / seconds),
                pid,
                seconds);
    }

    private List<Double> pauses() {
        try {
            return durations(Files.readString(log, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new BenchException("cannot read the log of the collector: " + e.getMessage(), e);
        }
    }
}
