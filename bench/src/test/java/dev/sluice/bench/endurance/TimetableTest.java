package dev.sluice.bench.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimetableTest {
    private static final long HOUR = 3_600;

    @Test
    void anHourHasEverythingManyTimes() {
        Timetable hour = Timetable.of(HOUR);

        assertThat(hour.count(Event.MOMENT)).isEqualTo(119);
        assertThat(hour.count(Event.RELOAD)).isEqualTo(29);
        assertThat(hour.count(Event.HOT_RESTART)).isEqualTo(2);
        assertThat(hour.count(Event.ATTACK)).isGreaterThanOrEqualTo(19);
        assertThat(hour.count(Event.FIRST_BACKEND_FAILS)).isEqualTo(10);
        assertThat(hour.count(Event.SECOND_BACKEND_FAILS)).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(longs = {60, 300, HOUR, 86_400})
    void eventsAreInOrderAndWithinTheRun(long seconds) {
        Timetable timetable = Timetable.of(seconds);

        assertThat(timetable.entries())
                .extracting(Timetable.Entry::second)
                .isSorted()
                .allMatch(second -> second > 0 && second < seconds);
    }

    /** Checks that there is always a backend that serves, so that no honest client is refused. */
    @ParameterizedTest
    @ValueSource(longs = {60, 300, HOUR, 86_400})
    void oneBackendFailsAtATimeAndReturns(long seconds) {
        List<Event> failures = Timetable.of(seconds).entries().stream()
                .map(Timetable.Entry::event)
                .filter(event -> event.name().endsWith("_FAILS") || event.name().endsWith("_RETURNS"))
                .toList();

        assertThat(failures).isNotEmpty().hasSize(failures.size() / 2 * 2);
        for (int i = 0; i < failures.size(); i += 2) {
            String first = failures.get(i).name();
            assertThat(first).endsWith("_FAILS");
            assertThat(failures.get(i + 1).name()).isEqualTo(first.replace("_FAILS", "_RETURNS"));
        }
    }

    /** Checks that the memory of the last process is judged, after it has been at work for some time. */
    @Test
    void memoryIsJudgedLongAfterTheLastHotRestart() {
        Timetable hour = Timetable.of(HOUR);

        long last = hour.entries().stream()
                .filter(entry -> entry.event() == Event.HOT_RESTART)
                .mapToLong(Timetable.Entry::second)
                .max()
                .orElseThrow();
        assertThat(hour.judgedFrom() - last).isGreaterThanOrEqualTo(HOUR / 6);
    }
}
