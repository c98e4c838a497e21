package dev.sluice.bench.harness;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One question, asked of several treatments.
 *
 * @param name lower-dashed, the name in results and options
 * @param title the question, for people
 * @param headline the metric that decides; ratios are taken of it
 * @param others metrics shown beside it
 * @param treatments who takes part
 * @param plan how many rounds
 */
public record Experiment(
        String name,
        String title,
        Metric headline,
        List<Metric> others,
        List<? extends Treatment> treatments,
        Plan plan) {
    /**
     * How many rounds.
     *
     * @param warmups rounds that are run and thrown away
     * @param rounds rounds that count, at least 1
     */
    public record Plan(int warmups, int rounds) {
        /** Checks the ranges. */
        public Plan {
            if (warmups < 0 || rounds < 1) {
                throw new IllegalArgumentException(
                        "warmups must be >= 0 and rounds >= 1, warmups=" + warmups + ", rounds=" + rounds);
            }
        }
    }

    /** Checks that names are unique and that every control's original takes part. */
    public Experiment {
        others = List.copyOf(others);
        treatments = List.copyOf(treatments);
        Set<String> names = new HashSet<>();
        for (Treatment treatment : treatments) {
            if (!names.add(treatment.identity().name())) {
                throw new IllegalArgumentException("two treatments have one name, name="
                        + treatment.identity().name());
            }
        }
        for (Treatment treatment : treatments) {
            String original = treatment.identity().original();
            if (original != null && !names.contains(original)) {
                throw new IllegalArgumentException("a control without its original, original=" + original);
            }
        }
    }
}
