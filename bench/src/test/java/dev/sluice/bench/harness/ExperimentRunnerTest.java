package dev.sluice.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExperimentRunnerTest {
    private static final Metric COST = Metric.cost("cost_seconds", "s");

    private final List<String> played = new ArrayList<>();
    private final StringWriter lines = new StringWriter();

    @Test
    void warmupsAreRunButNotCounted() throws InterruptedException {
        ExperimentResult result = run(2, 3, new Scripted("a", Role.SUBJECT, 100, 90, 1, 2, 3));

        assertThat(result.figures(Identity.of("a", Role.SUBJECT), COST)).containsExactly(1, 2, 3);
        assertThat(lines.toString().lines().filter(line -> line.contains("\"warmup\":true")))
                .hasSize(2);
    }

    @Test
    void interleavesRoundsInBalancedOrder() throws InterruptedException {
        run(0, 2, new Scripted("a", Role.PEER, 1, 1), new Scripted("b", Role.PEER, 1, 1));

        assertThat(played).containsExactly("start a", "start b", "a", "b", "b", "a", "stop a", "stop b");
    }

    @Test
    void takesRatiosToTheBestPeerWithinARound() throws InterruptedException {
        ExperimentResult result = run(
                0,
                3,
                new Scripted("ours", Role.SUBJECT, 1, 2, 3),
                new Scripted("fast", Role.PEER, 2, 4, 6),
                new Scripted("slow", Role.PEER, 9, 9, 9));

        Identity best = result.bestPeer().orElseThrow();
        assertThat(best.name()).isEqualTo("fast");
        assertThat(result.ratio(Identity.of("ours", Role.SUBJECT), best)).isEqualTo(new Summary(0.5, 0, 0.5, 0.5, 3));
    }

    @Test
    void controlGivesTheNoiseFloorAndIsNeverTheBestPeer() throws InterruptedException {
        ExperimentResult result = run(
                0,
                3,
                new Scripted("peer", Role.PEER, 10, 10, 10),
                new Scripted(Identity.controlOf("peer"), 5, 7.5, 2.5));

        assertThat(result.noiseFloor().orElseThrow()).isEqualTo(new Summary(0.5, 0.25, 0.25, 0.75, 3));
        assertThat(result.bestPeer().orElseThrow().name()).isEqualTo("peer");
    }

    @Test
    void reportsAFailedTreatmentAndContinues() throws InterruptedException {
        Scripted breaks = new Scripted("breaks", Role.PEER, 1); // Has nothing for the second round.
        ExperimentResult result = run(0, 3, breaks, new Scripted("lasts", Role.PEER, 1, 2, 3));

        assertThat(result.samples()).containsOnlyKeys(Identity.of("lasts", Role.PEER));
        assertThat(result.failures()).containsEntry(breaks.identity(), "script of breaks is over");
        assertThat(played).contains("stop breaks", "stop lasts");
        assertThat(lines.toString()).contains("{\"type\":\"failed\",\"experiment\":\"test\",\"treatment\":\"breaks\"");
    }

    @Test
    void writesALinePerRound() throws InterruptedException {
        run(0, 1, new Scripted("a \"quoted\"", Role.SUBJECT, 0.25));

        assertThat(lines.toString())
                .startsWith("{\"type\":\"round\",\"experiment\":\"test\",\"treatment\":\"a \\\"quoted\\\"\","
                        + "\"role\":\"subject\",\"round\":0,\"position\":0,\"warmup\":false,\"foreign_cpu\":0.0,"
                        + "\"metrics\":{\"cost_seconds\":0.25}}\n");
    }

    @Test
    void writesARowPerTreatmentAndMetric() throws InterruptedException {
        run(1, 3, new Scripted("ours", Role.SUBJECT, 9, 1, 2, 3), new Scripted("peer", Role.PEER, 9, 4, 5, 6));

        assertThat(lines.toString().lines().filter(line -> line.contains("\"type\":\"row\"")))
                .hasSize(2)
                .first()
                .isEqualTo("{\"type\":\"row\",\"experiment\":\"test\",\"title\":\"Test\",\"treatment\":\"ours\","
                        + "\"role\":\"subject\",\"original\":null,\"metric\":\"cost_seconds\",\"unit\":\"s\","
                        + "\"better\":\"lower\",\"headline\":true,\"has_ratio\":false,\"peer\":\"peer\","
                        + "\"values\":[1.0,2.0,3.0],\"median\":2.0,\"low\":1.0,\"high\":3.0,\"foreign_cpu\":0.0,"
                        + "\"control\":null}");
    }

    @Test
    void rejectsAnotherExperimentOfTheSameName() throws InterruptedException {
        ExperimentRunner runner = new ExperimentRunner(new ResultLog(lines), () -> 0, new Silent());
        runner.run(experiment(0, 1, new Scripted("a", Role.PEER, 1)));

        assertThatThrownBy(() -> runner.run(experiment(0, 1, new Scripted("b", Role.PEER, 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("an experiment runs twice, name=test");
    }

    @Test
    void writesTheConditionsWithoutTheUsersDirectory() {
        String file = System.getProperty("user.home") + "/lib";
        new ResultLog(lines).run(Instant.EPOCH, Map.of("OpenSSL from", file));

        assertThat(lines.toString())
                .isEqualTo(
                        "{\"type\":\"run\",\"started\":\"1970-01-01T00:00:00Z\",\"facts\":{\"OpenSSL from\":\"~/lib\"}}"
                                + "\n");
    }

    @Test
    void aControlIsAddedWhereThereIsNone() throws InterruptedException {
        Experiment experiment = experiment(
                        0, 1, new Scripted("floor", Role.FLOOR, 1), new Scripted("ours", Role.SUBJECT, 4, 5))
                .withControl();
        ExperimentResult result = new ExperimentRunner(new ResultLog(lines), () -> 0, new Silent()).run(experiment);

        assertThat(result.figures(Identity.controlOf("ours"), COST)).containsExactly(5);
        assertThat(result.noiseFloor().orElseThrow().median()).isEqualTo(1.25);
        assertThat(experiment.withControl()).isSameAs(experiment);
        assertThat(played)
                .containsExactly("start floor", "start ours", "floor", "ours", "ours", "stop floor", "stop ours");
    }

    @Test
    void rejectsDuplicateNamesAndControlsWithoutOriginal() {
        assertThatThrownBy(() -> experiment(0, 1, new Scripted("a", Role.PEER), new Scripted("a", Role.PEER)))
                .hasMessageContaining("name=a");
        assertThatThrownBy(() -> experiment(0, 1, new Scripted(Identity.controlOf("absent"))))
                .hasMessageContaining("original=absent");
    }

    private ExperimentResult run(int warmups, int rounds, Scripted... treatments) throws InterruptedException {
        return new ExperimentRunner(new ResultLog(lines), () -> 0, new Silent())
                .run(experiment(warmups, rounds, treatments));
    }

    private static Experiment experiment(int warmups, int rounds, Scripted... treatments) {
        return new Experiment(
                "test", "Test", COST, List.of(), List.of(treatments), new Experiment.Plan(warmups, rounds));
    }

    /** A treatment with scripted figures. */
    private final class Scripted implements Treatment {
        private final Identity identity;
        private final double[] figures;
        private int next;

        Scripted(String name, Role role, double... figures) {
            this(Identity.of(name, role), figures);
        }

        Scripted(Identity identity, double... figures) {
            this.identity = identity;
            this.figures = figures;
        }

        @Override
        public Identity identity() {
            return identity;
        }

        @Override
        public void start() {
            played.add("start " + identity.name());
        }

        @Override
        public Sample round() {
            if (next == figures.length) {
                throw new BenchException("script of " + identity.name() + " is over");
            }
            played.add(identity.name());
            return Sample.of(COST, figures[next++]);
        }

        @Override
        public void stop() {
            played.add("stop " + identity.name());
        }
    }

    private static final class Silent implements ExperimentRunner.Progress {
        @Override
        public void onRound(Experiment experiment, int round, boolean warmup) {}

        @Override
        public void onFailed(Experiment experiment, Identity who, String reason) {}
    }
}
