package dev.sluice.bench.endurance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The events of a run, in order. Their number depends little on its length, except in runs of a few minutes, whose
 * events would follow each other too fast.
 *
 * @param seconds length of the run
 * @param entries in the order of time
 */
record Timetable(long seconds, List<Entry> entries) {
    private static final int MOMENTS = 120;
    private static final int RELOADS = 30;
    private static final int FAILURES = 20;
    private static final int ATTACKS = 19;

    /** The time of failure of a backend, as a part of the time between two failures. */
    private static final int FAILED_PART = 6;

    private static final long SECONDS_BETWEEN_MOMENTS = 2;
    private static final long SECONDS_BETWEEN_EVENTS = 6;

    /** A process warms up before it takes over, which takes many seconds on a busy machine. */
    private static final long SECONDS_FOR_TWO_RESTARTS = 300;

    /** After the second hot restart, and the time that its process takes to reach its usual memory. */
    private static final double JUDGED_FROM = 0.5;

    /**
     * An event at a time.
     *
     * @param second time since the start
     */
    record Entry(long second, Event event) {}

    Timetable {
        entries =
                entries.stream().sorted(Comparator.comparingLong(Entry::second)).toList();
    }

    /** Plans a run. */
    static Timetable of(long seconds) {
        List<Entry> entries = new ArrayList<>();
        every(entries, seconds, Math.max(SECONDS_BETWEEN_MOMENTS, seconds / MOMENTS), Event.MOMENT);
        every(entries, seconds, Math.max(SECONDS_BETWEEN_EVENTS, seconds / RELOADS), Event.RELOAD);
        every(entries, seconds, Math.max(SECONDS_BETWEEN_EVENTS, seconds / ATTACKS), Event.ATTACK);
        entries.add(new Entry(seconds / 6, Event.HOT_RESTART));
        if (seconds >= SECONDS_FOR_TWO_RESTARTS) {
            entries.add(new Entry(seconds / 3, Event.HOT_RESTART));
        }
        failures(entries, seconds);
        return new Timetable(seconds, entries);
    }

    private static void every(List<Entry> entries, long seconds, long period, Event event) {
        for (long second = period; second < seconds; second += period) {
            entries.add(new Entry(second, event));
        }
    }

    /** Each backend fails in turn, and returns long before the other fails. */
    private static void failures(List<Entry> entries, long seconds) {
        long period = Math.max(2 * SECONDS_BETWEEN_EVENTS, seconds / FAILURES);
        boolean first = true;
        for (long second = period; second + period / FAILED_PART < seconds; second += period) {
            entries.add(new Entry(second, first ? Event.FIRST_BACKEND_FAILS : Event.SECOND_BACKEND_FAILS));
            entries.add(new Entry(
                    second + period / FAILED_PART, first ? Event.FIRST_BACKEND_RETURNS : Event.SECOND_BACKEND_RETURNS));
            first = !first;
        }
    }

    /** Returns the second from which on memory is judged: the last process of the gateway has been at work for long. */
    long judgedFrom() {
        return Math.round(seconds * JUDGED_FROM);
    }

    /** Returns how often an event occurs. */
    long count(Event event) {
        return entries.stream().filter(entry -> entry.event == event).count();
    }
}
