package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.net.Timer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimersTest {
    private final Timers timers = new Timers();

    @Test
    void saysHowLongToWaitRoundedUp() {
        assertThat(timers.millisToNext(0)).isEqualTo(-1);
        timers.add(0, 5, () -> {});
        assertThat(timers.millisToNext(0)).isEqualTo(5);
        assertThat(timers.millisToNext(1)).isEqualTo(5);
        assertThat(timers.millisToNext(TimeUnit.MILLISECONDS.toNanos(4))).isEqualTo(1);
        assertThat(timers.pollDue(TimeUnit.MILLISECONDS.toNanos(5) - 1)).isNull();
        assertThat(timers.millisToNext(TimeUnit.MILLISECONDS.toNanos(5))).isZero();
        assertThat(timers.pollDue(TimeUnit.MILLISECONDS.toNanos(5))).isNotNull();
        assertThat(timers.size()).isZero();
    }

    @Test
    void survivesTheWrapOfTheClockAndAbsurdDelays() {
        long nearEnd = Long.MAX_VALUE - 10;
        timers.add(nearEnd, 1, () -> {});
        timers.add(nearEnd, Long.MAX_VALUE, () -> {});
        assertThat(timers.pollDue(nearEnd)).isNull();
        assertThat(timers.millisToNext(nearEnd)).isEqualTo(1);
        assertThat(timers.pollDue(nearEnd + TimeUnit.MILLISECONDS.toNanos(1))).isNotNull();
        assertThat(timers.pollDue(nearEnd + TimeUnit.DAYS.toNanos(365))).isNull();
    }

    /** Against a list that is sorted anew each time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void agreesWithASortedList(long seed) {
        Random random = new Random(seed);
        List<Expected> model = new ArrayList<>();
        List<Integer> fired = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 5_000; step++) {
            int choice = random.nextInt(10);
            if (choice < 5) {
                int number = step;
                int delay = random.nextInt(50);
                Timer timer = timers.add(now, delay, () -> fired.add(number));
                model.add(new Expected(now + TimeUnit.MILLISECONDS.toNanos(delay), number, timer));
            } else if (choice < 7 && !model.isEmpty()) {
                model.remove(random.nextInt(model.size())).timer.cancel();
            } else {
                now += TimeUnit.MILLISECONDS.toNanos(random.nextInt(10));
                fire(now);
                expire(model, now, expected);
            }
            assertThat(timers.size()).isEqualTo(model.size());
        }
        assertThat(fired).isEqualTo(expected).hasSizeGreaterThan(500);
    }

    private void fire(long now) {
        for (Runnable due = timers.pollDue(now); due != null; due = timers.pollDue(now)) {
            due.run();
        }
    }

    private static void expire(List<Expected> model, long now, List<Integer> expected) {
        model.stream()
                .filter(timer -> timer.deadline <= now)
                .sorted(Comparator.comparingLong(Expected::deadline).thenComparingInt(Expected::number))
                .forEach(timer -> expected.add(timer.number));
        model.removeIf(timer -> timer.deadline <= now);
    }

    private record Expected(long deadline, int number, Timer timer) {}
}
