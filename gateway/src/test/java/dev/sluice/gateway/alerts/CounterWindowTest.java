package dev.sluice.gateway.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests of the recent increase of counters. */
class CounterWindowTest {
    private static final Offset<Double> EXACT = within(1e-9);

    private final CounterWindow window = new CounterWindow(Duration.ofSeconds(60));

    private void at(double seconds, double full, double resumed) {
        window.add(
                MetricLines.at(
                        Instant.EPOCH,
                        "sluice_tls_handshakes_total{kind=\"full\"} " + full,
                        "sluice_tls_handshakes_total{kind=\"resumed\"} " + resumed),
                (long) (seconds * 1e9));
    }

    @Test
    void whatWasThereBeforeTheFirstPageDoesNotCount() {
        at(0, 1000, 1000);
        assertThat(window.increase(Tally.FULL)).isZero();
        assertThat(window.rate(Tally.FULL)).isNaN();
        at(10, 1050, 1000);
        assertThat(window.increase(Tally.FULL)).isEqualTo(50, EXACT);
        assertThat(window.rate(Tally.FULL)).isEqualTo(5, EXACT);
    }

    @Test
    void whatIsOlderThanTheWindowIsForgotten() {
        at(0, 0, 0);
        at(1, 1000, 0);
        for (int second = 2; second <= 61; second++) {
            at(second, 1000, 0);
        }
        assertThat(window.increase(Tally.FULL)).isZero();
        at(62, 1060, 0);
        assertThat(window.rate(Tally.FULL)).isEqualTo(1, EXACT);
    }

    /** Long pauses, as of a machine that was stopped: what happened in them was in the window, or in a longer one. */
    @Test
    void aPauseLongerThanTheWindowCountsAsALongerOne() {
        at(0, 0, 0);
        at(600, 600, 0);
        assertThat(window.rate(Tally.FULL)).isEqualTo(1, EXACT);
    }

    @Test
    void aCounterThatBeginsAnewHasNotGoneUp() {
        at(0, 1000, 500);
        at(10, 1100, 500);
        at(20, 3, 500);
        assertThat(window.increase(Tally.FULL)).isEqualTo(100, EXACT);
        at(30, 13, 500);
        assertThat(window.increase(Tally.FULL)).isEqualTo(110, EXACT);
    }

    @Test
    void aShareNeedsAMinimum() {
        at(0, 0, 0);
        at(10, 30, 69);
        assertThat(window.share(Tally.FULL, 100, Tally.HANDSHAKES)).isNaN();
        at(11, 30, 70);
        assertThat(window.share(Tally.FULL, 100, Tally.HANDSHAKES)).isEqualTo(0.3, EXACT);
    }

    /** Nothing divided by nothing: no minimum is so small that this were a share. */
    @Test
    void nothingHasNoShares() {
        at(0, 5, 5);
        at(1, 5, 5);
        assertThat(window.share(Tally.FULL, 1, Tally.HANDSHAKES)).isNaN();
    }
}
