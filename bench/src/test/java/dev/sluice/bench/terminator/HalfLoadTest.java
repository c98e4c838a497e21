package dev.sluice.bench.terminator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Summary;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HalfLoadTest {
    private static final Metric COST = Metric.cost("cost", "cost");
    private static final Metric RATE = Metric.rate("rate", "per s");
    private static final Identity OURS = Identity.of("ours", Role.SUBJECT);
    private static final Identity CHEAP = Identity.of("cheap", Role.PEER);
    private static final Identity FAST = Identity.of("fast", Role.PEER);
    private static final Identity FLOOR = Identity.of("plain", Role.FLOOR);

    private final Map<Identity, List<Sample>> samples = new LinkedHashMap<>();

    /** Checks that the fastest peer sets the rate: not the cheapest one, not ours, and not the floor. */
    @Test
    void isHalfOfTheMedianOfTheFastestPeer() {
        did(OURS, 900, 900, 900);
        did(CHEAP, 300, 310, 320);
        did(FAST, 380, 400, 9_000);
        did(FLOOR, 2_000, 2_000, 2_000);
        assertThat(HalfLoad.of(result(), RATE)).isEqualTo(new HalfLoad(FAST, 200));
    }

    @Test
    void withoutPeersItIsHalfOfTheSlowestOfOurs() {
        did(OURS, 900);
        did(Identity.of("ours, slow", Role.SUBJECT), 500);
        assertThat(HalfLoad.of(result(), RATE).perSecond()).isEqualTo(250);
    }

    @Test
    void withoutServersThereIsNone() {
        assertThatThrownBy(() -> HalfLoad.of(result(), RATE))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("no server survived echo");
    }

    @Test
    void latencyPhaseAddsTheEchoPhase() {
        assertThat(options(Phase.STARTUP, Phase.LATENCY).orderedPhases())
                .containsExactly(Phase.ECHO, Phase.LATENCY, Phase.STARTUP);
        assertThat(options(Phase.IDLE).orderedPhases()).containsExactly(Phase.IDLE);
    }

    private static TerminatorBenchmark.Options options(Phase... phases) {
        return new TerminatorBenchmark.Options(
                true,
                Optional.empty(),
                Optional.<Path>empty(),
                Optional.<Path>empty(),
                List.of(phases),
                List.of(),
                false);
    }

    private void did(Identity who, double... rates) {
        samples.put(
                who,
                Arrays.stream(rates)
                        .mapToObj(rate -> Sample.of(COST, 1 / rate).with(RATE, rate))
                        .toList());
    }

    private ExperimentResult result() {
        Experiment experiment =
                new Experiment("echo", "Echo", COST, List.of(RATE), List.of(), new Experiment.Plan(0, 3));
        return new ExperimentResult(experiment, samples, Map.of(), new Summary(0, 0, 0, 0, 3));
    }
}
