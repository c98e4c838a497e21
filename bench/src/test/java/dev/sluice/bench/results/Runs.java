package dev.sluice.bench.results;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Origin;
import dev.sluice.bench.harness.ResultRow;
import dev.sluice.bench.harness.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Synthetic results of a suite: figures with a noise of some percent, the same for the same seed. */
final class Runs {
    static final Metric COST = Metric.cost("cost_micros", "µs");
    static final Metric RATE = Metric.rate("per_second", "per s");
    static final Identity OURS = Identity.of("Sluice", Role.SUBJECT);
    static final Identity PEER = Identity.of("nginx", Role.PEER);

    private final Random random;
    private final double noise;
    private final int rounds;
    private final List<ResultRow> rows = new ArrayList<>();
    private double control = 1;

    Runs(long seed, double noise, int rounds) {
        this.random = new Random(seed);
        this.noise = noise;
        this.rounds = rounds;
    }

    /** Sets the ratio of the control of all rows that follow. */
    Runs control(double ratio) {
        control = ratio;
        return this;
    }

    /** Adds an experiment with one row. */
    Runs add(String experiment, Identity who, Metric metric, double mean) {
        List<Double> values = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            values.add(mean * Math.exp(noise * random.nextGaussian()));
        }
        ResultRow.Noise disturbed = new ResultRow.Noise(0.01, Optional.of(control));
        rows.add(new ResultRow(
                experiment, "What it costs", who, metric, true, Optional.of(PEER.name()), values, disturbed));
        return this;
    }

    Map<String, ResultFile> results() {
        return Map.of("echo", file());
    }

    ResultFile file() {
        return new ResultFile(
                new Origin("echo", "./sluice bench echo", "abc", Instant.EPOCH),
                Map.of("CPU", "one"),
                rows,
                List.of(),
                Optional.empty());
    }
}
