package dev.sluice.bench.echo;

import dev.sluice.bench.harness.Experiment.Plan;
import java.util.List;

/**
 * The effort of a run.
 *
 * @param connections concurrent connections
 * @param sizes message sizes in bytes
 * @param warmupMillis warm-up of every server after its start
 * @param roundMillis duration of every server's round
 * @param plan the number of rounds
 */
record EchoEffort(List<Integer> connections, List<Integer> sizes, int warmupMillis, int roundMillis, Plan plan) {
    /** Returns the effort for reliable figures; about six minutes. Six servers in balanced order need six rounds. */
    static EchoEffort full() {
        return new EchoEffort(
                List.of(1, 50, 150, 500, 2_000), List.of(64, 512, 4_096, 16_384), 3_000, 300, new Plan(1, 6));
    }

    /** Returns the effort for a first estimate; about a minute. */
    static EchoEffort quick() {
        return new EchoEffort(List.of(1, 50, 500), List.of(64, 512, 4_096), 1_500, 150, new Plan(1, 3));
    }

    EchoEffort withConnections(List<Integer> others) {
        return new EchoEffort(others, sizes, warmupMillis, roundMillis, plan);
    }

    EchoEffort withSizes(List<Integer> others) {
        return new EchoEffort(connections, others, warmupMillis, roundMillis, plan);
    }

    EchoEffort withRounds(int rounds) {
        return new EchoEffort(connections, sizes, warmupMillis, roundMillis, new Plan(plan.warmups(), rounds));
    }
}
