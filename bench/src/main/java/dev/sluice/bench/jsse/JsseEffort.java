package dev.sluice.bench.jsse;

import dev.sluice.bench.harness.Experiment.Plan;
import dev.sluice.bench.record.Effort;
import java.util.List;

/**
 * The effort of a run.
 *
 * @param records that of records
 * @param payloads payloads of records
 * @param https number of rounds over HTTPS
 * @param requests requests of a round
 * @param warmupRequests requests before the first round
 * @param connections number of rounds of many connections
 * @param connectionCount their number
 * @param messages messages of a round over all of them
 */
record JsseEffort(
        Effort records,
        List<Integer> payloads,
        Plan https,
        int requests,
        int warmupRequests,
        Plan connections,
        int connectionCount,
        int messages) {
    private static final List<Integer> PAYLOADS = List.of(128, 1024, 4096, 16_384);

    /** Returns the effort for reliable figures. */
    static JsseEffort full() {
        return new JsseEffort(
                new Effort(50, 500, new Plan(1, 21), 1_000, 0),
                PAYLOADS,
                new Plan(1, 11),
                40_000,
                200_000,
                new Plan(0, 3),
                10_000,
                100_000);
    }

    /** Returns the effort for a first estimate. */
    static JsseEffort quick() {
        return new JsseEffort(
                new Effort(50, 200, new Plan(1, 3), 100, 0),
                PAYLOADS,
                new Plan(1, 3),
                10_000,
                50_000,
                new Plan(0, 1),
                2_000,
                20_000);
    }

    JsseEffort withRounds(int rounds) {
        return new JsseEffort(
                records.withRounds(rounds),
                payloads,
                new Plan(https.warmups(), rounds),
                requests,
                warmupRequests,
                new Plan(connections.warmups(), rounds),
                connectionCount,
                messages);
    }

    JsseEffort withConnections(int count) {
        return new JsseEffort(records, payloads, https, requests, warmupRequests, connections, count, messages);
    }
}
