package dev.sluice.gateway.alerts;

import static dev.sluice.gateway.alerts.AlertState.FIRING;
import static dev.sluice.gateway.alerts.AlertState.OK;
import static dev.sluice.gateway.alerts.AlertState.PENDING;
import static dev.sluice.gateway.alerts.AlertTimer.Level.BETTER;
import static dev.sluice.gateway.alerts.AlertTimer.Level.BEYOND;
import static dev.sluice.gateway.alerts.AlertTimer.Level.NEAR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.alerts.AlertTimer.Level;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hold time and hysteresis, by a clock of its own. */
class AlertTimerTest {
    private static final Duration HOLD = Duration.ofSeconds(30);
    private static final Duration CLEAR = Duration.ofSeconds(60);

    private final AlertTimer timer = new AlertTimer();
    private long origin;

    private AlertState at(int seconds, Level level) {
        timer.update(level, origin + seconds * 1_000_000_000L, HOLD, CLEAR);
        return timer.state();
    }

    @Test
    void itFiresWhenTheValueHasBeenBeyondForTheHoldTime() {
        assertThat(at(0, BETTER)).isEqualTo(OK);
        assertThat(at(1, BEYOND)).isEqualTo(PENDING);
        assertThat(at(30, BEYOND)).isEqualTo(PENDING);
        assertThat(at(31, BEYOND)).isEqualTo(FIRING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NEAR", "BETTER"})
    void whoeverIsNotBeyondOnceBeginsAnew(Level once) {
        at(0, BEYOND);
        assertThat(at(29, once)).isEqualTo(OK);
        assertThat(at(30, BEYOND)).isEqualTo(PENDING);
        assertThat(at(59, BEYOND)).isEqualTo(PENDING);
        assertThat(at(60, BEYOND)).isEqualTo(FIRING);
    }

    @Test
    void itClearsWhenTheValueHasBeenClearlyBetterForTheClearTime() {
        fire();
        assertThat(at(40, BETTER)).isEqualTo(FIRING);
        assertThat(at(99, BETTER)).isEqualTo(FIRING);
        assertThat(at(100, BETTER)).isEqualTo(OK);
    }

    /** A value that only just meets its threshold, or is beyond it now and then, does not make it flutter. */
    @ParameterizedTest
    @ValueSource(strings = {"NEAR", "BEYOND"})
    void whatIsNotClearlyBetterKeepsItFiring(Level level) {
        fire();
        at(40, BETTER);
        assertThat(at(90, level)).isEqualTo(FIRING);
        assertThat(at(100, BETTER)).isEqualTo(FIRING);
        assertThat(at(159, BETTER)).isEqualTo(FIRING);
        assertThat(at(160, BETTER)).isEqualTo(OK);
        assertThat(at(1000, NEAR)).isEqualTo(OK);
    }

    @Test
    void afterItHasClearedTheHoldTimeBeginsAnew() {
        fire();
        at(40, BETTER);
        at(100, BETTER);
        assertThat(at(101, BEYOND)).isEqualTo(PENDING);
        assertThat(at(131, BEYOND)).isEqualTo(FIRING);
    }

    @Test
    void withoutHoldAndClearTimesItFollowsTheValue() {
        assertThat(timer.update(BEYOND, 0, Duration.ZERO, Duration.ZERO)).isTrue();
        assertThat(timer.state()).isEqualTo(FIRING);
        assertThat(timer.update(BEYOND, 1, Duration.ZERO, Duration.ZERO)).isFalse();
        assertThat(timer.update(BETTER, 2, Duration.ZERO, Duration.ZERO)).isTrue();
        assertThat(timer.state()).isEqualTo(OK);
    }

    /** nanoTime may begin anywhere, and overflow. */
    @Test
    void theClockMayOverflow() {
        origin = Long.MAX_VALUE - 10_000_000_000L;
        fire();
        at(40, BETTER);
        assertThat(at(100, BETTER)).isEqualTo(OK);
    }

    private void fire() {
        at(0, BEYOND);
        assertThat(at(30, BEYOND)).isEqualTo(FIRING);
    }
}
