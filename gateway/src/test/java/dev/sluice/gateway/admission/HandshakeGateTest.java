package dev.sluice.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.model.HandshakeLimits;
import dev.sluice.gateway.Copies;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.gateway.outcome.LoopCounters;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.internal.Loop;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.SimulatedKernel;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of which handshakes begin, when, and which never do; on a loop in memory, by a clock that the test sets. */
final class HandshakeGateTest {
    private static final long MILLI = 1_000_000;
    private static final int TURNS_MAX = 10_000;

    private final SimulatedKernel kernel = new SimulatedKernel(new Chance(1), Faults.none(), 1000, 1000);
    private final Loop loop = Loop.driven(
            EventLoopConfig.defaults()
                    .withName("simulated")
                    .withBackend(Backend.EPOLL)
                    .withUncaughtHandler((where, what, thrown) -> {
                        throw new AssertionError(what, thrown);
                    }),
            kernel);
    private final LoopCounters counters = new LoopCounters("gate test");
    private long now = 1_000_000_000;

    @AfterEach
    void close() {
        loop.end();
        counters.close();
    }

    @Test
    void admitsAtOnceWhenTheLoopIsIdle() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT);
        List<TestPendingHandshake> clients = arrive(gate, 100, false);
        turnsUntil(gate::isEmpty);

        assertThat(clients).allMatch(client -> client.admitted);
        assertThat(handshakes("admitted")).isEqualTo(100);
        assertThat(handshakes("refused")).isZero();
    }

    @Test
    void admitsClientsWithATicketFirst() {
        HandshakeGate gate = gate(Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build());
        TestPendingHandshake first = arrive(gate, 1, false).getFirst();
        turnsUntil(() -> first.admitted);
        List<TestPendingHandshake> full = arrive(gate, 3, false);
        List<TestPendingHandshake> resuming = arrive(gate, 3, true);
        for (TestPendingHandshake next : resuming) {
            assertThat(full).noneMatch(client -> client.admitted);
            gate.handshakeOver();
            turnsUntil(() -> next.admitted);
        }
        gate.handshakeOver();
        turnsUntil(() -> full.getFirst().admitted);
        assertThat(full.get(1).admitted).isFalse();
    }

    @Test
    void limitsTheRateOfFullHandshakesAlone() {
        HandshakeGate gate =
                gate(Copies.of(HandshakeLimits.DEFAULT).perSecond(100).build());
        List<TestPendingHandshake> full = arrive(gate, 15, false);
        turnsUntil(() -> admitted(full) == 10);
        List<TestPendingHandshake> resuming = arrive(gate, 50, true);
        turnsUntil(() -> admitted(resuming) == 50);
        assertThat(admitted(full)).isEqualTo(10);

        now += 50 * MILLI;
        turnsUntil(() -> admitted(full) == 15);
    }

    /** A client that offered a ticket and did not resume is charged to the rate of full handshakes. */
    @Test
    void stopsPreferringTicketsThatDoNotResume() {
        HandshakeGate gate =
                gate(Copies.of(HandshakeLimits.DEFAULT).perSecond(100).build());
        List<TestPendingHandshake> pretenders = arrive(gate, 20, true);
        turnsUntil(() -> admitted(pretenders) == 20);
        pretenders.forEach(client -> gate.ticketOutcome(client.resumes, false));
        assertThat(counters.get(Metric.ADMISSION_TICKETS_REFUSED)).isEqualTo(20);
        TestPendingHandshake full = arrive(gate, 1, false).getFirst();
        run(20);
        assertThat(full.admitted).isFalse();

        pretenders.forEach(client -> gate.ticketOutcome(client.resumes, false));
        TestPendingHandshake another = arrive(gate, 1, true).getFirst();
        assertThat(another.resumes).as("believed after forty lies").isFalse();
        for (int i = 0; i < 40; i++) {
            gate.ticketOutcome(false, true);
        }
        assertThat(arrive(gate, 1, true).getFirst().resumes)
                .as("believed again")
                .isTrue();
    }

    @Test
    void refusesAfterTheLongestWait() {
        HandshakeGate gate =
                gate(Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build().withQueue(5, Duration.ofMillis(100)));
        List<TestPendingHandshake> clients = arrive(gate, 3, false);
        turnsUntil(() -> clients.getFirst().admitted);
        pass(100);
        assertThat(gate.isEmpty()).isFalse();
        pass(5);

        assertThat(clients.get(1).refusal()).isEqualTo("handshake_deadline");
        assertThat(clients.get(2).refusal()).isEqualTo("handshake_deadline");
        assertThat(handshakes("refused")).isEqualTo(2);
    }

    @Test
    void excludesStallsOfTheLoopFromTheWait() {
        HandshakeGate gate = gate(Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build());
        List<TestPendingHandshake> clients = arrive(gate, 3, false);
        turnsUntil(() -> clients.getFirst().admitted);
        pass(1000);
        now += 60_000 * MILLI;
        run(20);
        assertThat(clients).allMatch(client -> client.refused == null);

        gate.handshakeOver();
        turnsUntil(() -> clients.get(1).admitted);
        pass(1000);
        assertThat(clients.getLast().refusal()).isEqualTo("handshake_deadline");
    }

    @Test
    void refusesInTheEndWhenTheLoopAlwaysStalls() {
        HandshakeGate gate = gate(Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build());
        List<TestPendingHandshake> clients = arrive(gate, 2, false);
        turnsUntil(() -> clients.getFirst().admitted);
        for (int i = 0; i < 10; i++) {
            now += 10_000 * MILLI;
            run(20);
        }

        assertThat(clients.getLast().refusal()).isEqualTo("handshake_deadline");
    }

    /** Full handshakes do not use their share of the turns while their rate is used up. */
    @Test
    void admitsResumedHandshakesWhileFullOnesMeetTheirRate() {
        HandshakeGate gate =
                gate(Copies.of(HandshakeLimits.DEFAULT).perSecond(10).build());
        List<TestPendingHandshake> full = arrive(gate, 3, false);
        turnsUntil(() -> admitted(full) == 1);
        List<TestPendingHandshake> resuming = arrive(gate, 50, true);
        turnsUntil(() -> admitted(resuming) == 50);

        assertThat(admitted(full)).isEqualTo(1);
        now += 100 * MILLI;
        turnsUntil(() -> admitted(full) == 2);
    }

    @Test
    void refusesWithTheLimitThatFilledTheQueue() {
        assertThat(refusalOfTooMany(HandshakeLimits.DEFAULT.withQueue(2, Duration.ofSeconds(1)), false))
                .isEqualTo("handshake_capacity");
        assertThat(refusalOfTooMany(
                        Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build().withQueue(2, Duration.ofSeconds(1)),
                        true))
                .isEqualTo("handshake_limit");
        assertThat(refusalOfTooMany(
                        Copies.of(HandshakeLimits.DEFAULT).perSecond(1).build().withQueue(2, Duration.ofSeconds(1)),
                        true))
                .isEqualTo("handshake_rate");
    }

    private String refusalOfTooMany(HandshakeLimits limits, boolean meetingTheLimit) {
        HandshakeGate gate = gate(limits);
        arrive(gate, 2, false);
        if (meetingTheLimit) {
            run(20);
            arrive(gate, 1, false);
        }
        return arrive(gate, 1, false).getFirst().refusal();
    }

    @Test
    void refusesAnAddressOverItsRateBeforeQueueing() {
        HandshakeGate gate =
                gate(Copies.of(HandshakeLimits.DEFAULT).perAddressPerSecond(3).build());
        List<TestPendingHandshake> same = arrive(gate, 5, false);
        TestPendingHandshake other = new TestPendingHandshake(false, InetAddress.ofLiteral("2001:db8::1"));
        gate.arrived(other);
        turnsUntil(gate::isEmpty);

        assertThat(admitted(same)).isEqualTo(3);
        assertThat(same.getLast().refusal()).isEqualTo("handshake_address_rate");
        assertThat(other.admitted).isTrue();
    }

    @Test
    void admitsTheNextAfterAWaitingClientLeft() {
        HandshakeGate gate = gate(Copies.of(HandshakeLimits.DEFAULT).inFlight(1).build());
        List<TestPendingHandshake> clients = arrive(gate, 2, false);
        turnsUntil(() -> clients.getFirst().admitted);
        run(20);
        gate.left(clients.getLast());
        gate.left(clients.getLast());
        assertThat(gate.isEmpty()).isTrue();
        gate.handshakeOver();
        run(20);
        TestPendingHandshake next = arrive(gate, 1, false).getFirst();
        turnsUntil(() -> next.admitted);
    }

    /**
     * Clients that resume again and again keep a slow processor busy; clients without tickets are served beside them.
     */
    @Test
    void servesFullHandshakesWhileResumedOnesKeepTheProcessorBusy() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT);
        for (int i = 0; i < 16; i++) {
            comeAgainAndAgain(gate, true, new ClosedLoop(10 * MILLI));
        }
        ClosedLoop full = new ClosedLoop(20 * MILLI);
        for (int i = 0; i < 3; i++) {
            comeAgainAndAgain(gate, false, full);
        }
        long end = now + 60_000 * MILLI;
        turnsUntil(() -> now >= end);

        assertThat(handshakes("refused")).isZero();
        // One of four, of 50 ms together: 1,200 in a minute.
        assertThat(full.served).isGreaterThan(1000);
        assertThat(full.longestWaitNanos).isLessThan(300 * MILLI);
    }

    private void comeAgainAndAgain(HandshakeGate gate, boolean offeringTicket, ClosedLoop kind) {
        TestPendingHandshake client = new TestPendingHandshake(offeringTicket);
        long arrived = now;
        client.whenAdmitted = () -> {
            kind.served++;
            kind.longestWaitNanos = Math.max(kind.longestWaitNanos, now - arrived);
            now += kind.costNanos;
            gate.handshakeOver();
            comeAgainAndAgain(gate, offeringTicket, kind);
        };
        client.whenRefused = () -> comeAgainAndAgain(gate, offeringTicket, kind);
        gate.arrived(client);
    }

    /** Clients each of which comes again as soon as it has been served. */
    private static final class ClosedLoop {
        private final long costNanos;
        private int served;
        private long longestWaitNanos;

        ClosedLoop(long costNanos) {
            this.costNanos = costNanos;
        }
    }

    private HandshakeGate gate(HandshakeLimits limits) {
        return new HandshakeGate(loop, new Admission(1000, 0, limits, now), limits, counters, () -> now);
    }

    private static List<TestPendingHandshake> arrive(HandshakeGate gate, int count, boolean offeringTicket) {
        List<TestPendingHandshake> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestPendingHandshake client = new TestPendingHandshake(offeringTicket);
            clients.add(client);
            gate.arrived(client);
        }
        return clients;
    }

    private static long admitted(List<TestPendingHandshake> clients) {
        return clients.stream().filter(client -> client.admitted).count();
    }

    private void turnsUntil(BooleanSupplier reached) {
        kernel.endWhen(reached);
        for (int turns = 0; !reached.getAsBoolean(); turns++) {
            assertThat(turns).as("turns").isLessThan(TURNS_MAX);
            loop.turn();
        }
    }

    /** Time passes, and the loop turns meanwhile. */
    private void pass(int millis) {
        for (int left = millis; left > 0; left -= 5) {
            now += 5 * MILLI;
            run(20);
        }
    }

    private void run(int turns) {
        kernel.endWhen(() -> true);
        for (int i = 0; i < turns; i++) {
            loop.turn();
        }
    }

    private long handshakes(String result) {
        MetricSnapshot.Builder snapshot = new MetricSnapshot.Builder();
        LoopCounters.collect(List.of(counters), snapshot);
        return snapshot.build(Instant.EPOCH).count(Metric.ADMISSION_HANDSHAKES, "result", result);
    }
}
