package dev.sluice.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GraceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Near the overflow of {@link System#nanoTime()}, which may begin anywhere. */
    private static final long START = Long.MAX_VALUE - SECOND;

    private final Grace grace = new Grace();

    @Test
    void timersInTimeDoNotWait() {
        assertThat(grace.holds(0, START)).isFalse();
        assertThat(grace.holds(SECOND - 1, START)).isFalse();
        assertThat(grace.millisLeft(START)).isZero();
    }

    @Test
    void afterAStandstillTheyWaitForASecondAndThenRunHoweverLateTheyAre() {
        assertThat(grace.holds(60 * SECOND, START)).isTrue();
        assertThat(grace.millisLeft(START)).isEqualTo(1_000);
        assertThat(grace.holds(61 * SECOND - 1, START + SECOND - 1)).isTrue();
        assertThat(grace.millisLeft(START + SECOND - 1)).isEqualTo(1);
        assertThat(grace.holds(61 * SECOND, START + SECOND)).isFalse();
        assertThat(grace.millisLeft(START + SECOND)).isZero();
    }

    @Test
    void anotherStandstillIsAnotherGrace() {
        assertThat(grace.holds(2 * SECOND, START)).isTrue();
        assertThat(grace.holds(3 * SECOND, START + SECOND)).isFalse();
        assertThat(grace.holds(2 * SECOND, START + 10 * SECOND)).isTrue();
    }

    /** Checks that timers run at last on a loop each of whose turns takes longer than a standstill. */
    @Test
    void timersOfALoopThatIsAlwaysLateRunInEachSecondTurn() {
        int held = 0;
        for (int turn = 0; turn < 10; turn++) {
            held += grace.holds(2 * SECOND, START + turn * (2 * SECOND)) ? 1 : 0;
        }
        assertThat(held).isEqualTo(5);
    }
}
