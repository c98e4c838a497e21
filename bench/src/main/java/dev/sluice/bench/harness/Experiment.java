package dev.sluice.bench.harness;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One question, measured for several treatments.
 *
 * @param name lower-dashed name in results and options
 * @param title the question, for display
 * @param headline the primary metric, used for ratios
 * @param others additional metrics
 * @param treatments the participants
 * @param plan the number of rounds
 */
public record Experiment(
        String name,
        String title,
        Metric headline,
        List<Metric> others,
        List<? extends Treatment> treatments,
        Plan plan) {
    /**
     * The number of rounds.
     *
     * @param warmups discarded rounds
     * @param rounds counted rounds, at least 1
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

    /** Checks that names are unique and that every control's original participates. */
    public Experiment {
        others = List.copyOf(others);
        treatments = List.copyOf(treatments);
        Set<String> names = new HashSet<>();
        for (Treatment treatment : treatments) {
            if (!names.add(treatment.identity().name())) {
                throw new IllegalArgumentException(
                        "duplicate treatment name, name=" + treatment.identity().name());
            }
        }
        for (Treatment treatment : treatments) {
            String original = treatment.identity().original();
            if (original != null && !names.contains(original)) {
                throw new IllegalArgumentException("a control without its original, original=" + original);
            }
        }
    }

    /**
     * Returns this experiment with a control: the first treatment that is no floor is played twice in each round.
     * Unchanged if there is a control already.
     */
    public Experiment withControl() {
        if (treatments.stream().anyMatch(treatment -> treatment.identity().role() == Role.CONTROL)) {
            return this;
        }
        List<Treatment> more = new ArrayList<>(treatments);
        treatments.stream()
                .filter(treatment -> treatment.identity().role() != Role.FLOOR)
                .findFirst()
                .ifPresent(original -> more.add(new Again(original)));
        return new Experiment(name, title, headline, others, more, plan);
    }
}
