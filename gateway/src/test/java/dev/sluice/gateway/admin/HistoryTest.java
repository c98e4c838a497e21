package dev.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.json.Json;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests of the data kept for an hour, and of the series derived from metric snapshots. */
final class HistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final History history = new History();

    @Test
    void keepsTenMinutesBySecondsAndAnHourByTensOfSeconds() {
        for (int second = 0; second < 5_000; second++) {
            history.begin(START.plusSeconds(second));
            history.set(Series.FULL, second);
            assertThat(history.complete()).isEqualTo(second % 10 == 9);
        }

        Map<?, ?> written = parse(history);
        List<Object> fine = at(written, "fine", "full");
        List<Object> coarse = at(written, "coarse", "full");
        assertThat(fine).hasSize(600).startsWith(4_400).endsWith(4_999);
        assertThat(coarse).hasSize(360).startsWith(1_404.5).endsWith(4_994.5);
        assertThat(at(written, "coarse", "time"))
                .hasSize(360)
                .endsWith(START.plusSeconds(4_999).toEpochMilli());
    }

    @Test
    void whatIsNotKnownIsNullAndCountsForNoMean() {
        for (int second = 0; second < 10; second++) {
            history.begin(START.plusSeconds(second));
            history.set(Series.RESUMPTION, second == 3 ? 0.5 : Double.NaN);
            history.complete();
        }

        assertThat(at(parse(history), "fine", "resumption"))
                .containsOnly(null, 0.5)
                .hasSize(10);
        assertThat(at(parse(history), "coarse", "resumption")).isEqualTo(List.of(0.5));
        assertThat(history.recentMean(Series.RESUMPTION, 3)).isNaN();
    }

    @Test
    void ratesAreWhatCountersGrewByInTheTimeBetween() {
        Interval interval =
                interval(FakeGateway.snapshot(START, 100, 50), FakeGateway.snapshot(START.plusSeconds(2), 110, 90));

        assertThat(Series.FULL.over(interval)).isEqualTo(5);
        assertThat(Series.RESUMED.over(interval)).isEqualTo(20);
        assertThat(Series.FAILED.over(interval)).isEqualTo(2.5);
        assertThat(Series.CONNECTIONS.over(interval)).isEqualTo(7);
    }

    @Test
    void ratiosAreOfTheLastTenSamples() {
        MetricSnapshot before = FakeGateway.snapshot(START, 0, 0);
        for (int second = 1; second <= 12; second++) {
            // Nothing resumes in the first two seconds, three of four handshakes do in the next ten.
            int of = Math.max(0, second - 2);
            MetricSnapshot now = FakeGateway.snapshot(START.plusSeconds(second), second, 3.0 * of);
            sample(interval(before, now));
            before = now;
        }

        assertThat(history.last(Series.RESUMPTION)).isEqualTo(0.75);
        assertThat(history.last(Series.CRYPTO))
                .as("0.01 s a second, on two loops")
                .isEqualTo(0.005f);
    }

    @Test
    void clientsThatOfferNoTicketAreInNoRatio() {
        MetricSnapshot before = FakeGateway.snapshot(START, 0, 0, "none_offered");
        sample(interval(before, FakeGateway.snapshot(START.plusSeconds(1), 7, 0, "none_offered")));
        assertThat(history.last(Series.RESUMPTION)).isNaN();

        sample(interval(before, FakeGateway.snapshot(START.plusSeconds(1), 7, 3, "none_offered")));
        assertThat(history.last(Series.RESUMPTION)).isEqualTo(1);
    }

    @Test
    void aCounterThatWasResetHasGrownByNothing() {
        Interval interval =
                interval(FakeGateway.snapshot(START, 100, 0), FakeGateway.snapshot(START.plusSeconds(1), 3, 0));

        assertThat(Series.FULL.over(interval)).isZero();
    }

    @Test
    void withoutHandshakesThereIsNoRatio() {
        sample(interval(
                FakeGateway.snapshot(START, 0, 0), FakeGateway.snapshot(START.plus(Duration.ofSeconds(1)), 0, 0)));

        assertThat(history.last(Series.RESUMPTION)).isNaN();
    }

    private Interval interval(MetricSnapshot before, MetricSnapshot after) {
        return new Interval(before, after, history);
    }

    private void sample(Interval interval) {
        history.begin(interval.after().time());
        for (Series series : Series.values()) {
            history.set(series, series.over(interval));
        }
        history.complete();
    }

    private static Map<?, ?> parse(History history) {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(Json.of(history::writeTo));
    }

    private static List<Object> at(Map<?, ?> written, String track, String series) {
        Map<?, ?> values = (Map<?, ?>) Objects.requireNonNull(written.get(track));
        return new ArrayList<>((List<?>) Objects.requireNonNull(values.get(series)));
    }
}
