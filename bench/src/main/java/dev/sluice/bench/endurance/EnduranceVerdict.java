package dev.sluice.bench.endurance;

import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.scrape.GatewayFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The verdict on a run: no honest connection broke, nothing is left of those that ended, memory did not grow. Latencies
 * are reported only, since other work on the machine moves them.
 */
final class EnduranceVerdict {
    /** The maximum growth of the median resident memory from the first to the last quarter of the judged time. */
    static final double RESIDENT_GROWTH_MIB_MAX = 16;

    /** Handles for a cipher, or for one more handshake at the same time; a leak shows in hundreds. */
    private static final long HANDLES_CACHED = 8;

    private static final int QUARTERS = 4;

    private final List<String> faults = new ArrayList<>();

    /** Judges the moments of a run. */
    EnduranceVerdict(Timetable timetable, List<Moment> moments) {
        atMost("honest connections broke", total(moments, "broken"), 0);
        atMost(
                "uncaught exceptions on event loops",
                moments.stream().mapToLong(this::uncaught).sum(),
                0);
        atMost(
                "reloads refused",
                moments.stream()
                        .mapToLong(moment -> reloads(moment, "refused"))
                        .max()
                        .orElse(0),
                0);
        if (timetable.count(Event.RELOAD) > 0 && reloads(moments.getLast(), "served") == 0) {
            faults.add("no reload was served");
        }
        if (total(moments, "messages") == 0 || total(moments, "visits") == 0 || total(moments, "echoed") == 0) {
            faults.add("the clients did nothing");
        }
        resident(moments.stream()
                .filter(moment -> moment.second() >= timetable.judgedFrom())
                .toList());
    }

    private static long total(List<Moment> moments, String name) {
        return moments.stream()
                .mapToLong(moment -> (long) moment.traffic().number(name))
                .sum();
    }

    private long uncaught(Moment moment) {
        return moment.page().sum("sluice_loop_uncaught_total");
    }

    private static long reloads(Moment moment, String result) {
        return moment.page().sums("sluice_config_reload_total", "result").getOrDefault(result, 0L);
    }

    private void resident(List<Moment> judged) {
        int quarter = judged.size() / QUARTERS;
        if (quarter == 0) {
            return; // a run of seconds
        }
        double first = median(judged.subList(0, quarter), Moment::resident);
        double last = median(judged.subList(judged.size() - quarter, judged.size()), Moment::resident);
        if (last - first > RESIDENT_GROWTH_MIB_MAX) {
            faults.add(String.format(
                    Locale.ROOT,
                    "resident memory grew from %.1f to %.1f MiB (allowed: %.1f more)",
                    first,
                    last,
                    RESIDENT_GROWTH_MIB_MAX));
        }
    }

    private static double median(List<Moment> moments, ToDoubleFunction<Moment> figure) {
        return Summary.of(moments.stream().mapToDouble(figure).toArray()).median();
    }

    private void atMost(String what, long count, long most) {
        if (count > most) {
            faults.add(what + ": " + count + ", at most " + most + " expected");
        }
    }

    /** Judges what hostile clients report. */
    void attacked(String kind, long unended) {
        atMost(kind + ": connections not ended in time", unended, 0);
    }

    /** Judges what the gateway holds when all clients have left, beside what it held before they came. */
    void left(GatewayFigures before, GatewayFigures after) {
        faults.addAll(after.leftovers(before, HANDLES_CACHED));
    }

    /** Adds other failures. */
    void add(List<String> others) {
        faults.addAll(others);
    }

    /** Returns the failures; empty for none. */
    List<String> faults() {
        return List.copyOf(faults);
    }
}
