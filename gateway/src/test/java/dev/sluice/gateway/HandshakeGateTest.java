package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.GatewayStatistics.Counter;
import dev.sluice.gateway.config.HandshakeLimits;
import dev.sluice.net.EventLoop.Backend;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.internal.Loop;
import dev.sluice.simulator.Chance;
import dev.sluice.simulator.Faults;
import dev.sluice.simulator.SimulatedKernel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which handshakes begin, when, and which never do; on a loop in memory, by a clock that the test sets. */
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
    void aLoopThatHasTimeBeginsEachAtOnce() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT);
        List<TestCandidate> candidates = arrive(gate, 100, false);
        turnsUntil(gate::isEmpty);

        assertThat(candidates).allMatch(candidate -> candidate.begun);
        assertThat(counters.get(Counter.HANDSHAKES_ADMITTED)).isEqualTo(100);
        assertThat(counters.get(Counter.HANDSHAKES_REFUSED)).isZero();
    }

    @Test
    void thoseWithATicketGoFirst() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withInFlight(1));
        TestCandidate first = arrive(gate, 1, false).getFirst();
        turnsUntil(() -> first.begun);
        List<TestCandidate> full = arrive(gate, 3, false);
        List<TestCandidate> resuming = arrive(gate, 3, true);
        for (TestCandidate next : resuming) {
            assertThat(full).noneMatch(candidate -> candidate.begun);
            gate.handshakeOver();
            turnsUntil(() -> next.begun);
        }
        gate.handshakeOver();
        turnsUntil(() -> full.getFirst().begun);
        assertThat(full.get(1).begun).isFalse();
    }

    @Test
    void moreThanTheRateWaitAndThoseWhoResumeDoNotCount() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withPerSecond(100));
        List<TestCandidate> full = arrive(gate, 15, false);
        turnsUntil(() -> begun(full) == 10);
        List<TestCandidate> resuming = arrive(gate, 50, true);
        turnsUntil(() -> begun(resuming) == 50);
        assertThat(begun(full)).isEqualTo(10);

        now += 50 * MILLI;
        turnsUntil(() -> begun(full) == 15);
    }

    /** What offered a ticket and did not resume is taken off what full handshakes may come. */
    @Test
    void pretendersAreChargedForAndNoLongerBelieved() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withPerSecond(100));
        List<TestCandidate> pretenders = arrive(gate, 20, true);
        turnsUntil(() -> begun(pretenders) == 20);
        pretenders.forEach(candidate -> gate.ticketTold(candidate.resumes, false));
        assertThat(counters.get(Counter.TICKETS_REFUSED)).isEqualTo(20);
        TestCandidate full = arrive(gate, 1, false).getFirst();
        run(20);
        assertThat(full.begun).isFalse();

        pretenders.forEach(candidate -> gate.ticketTold(candidate.resumes, false));
        TestCandidate another = arrive(gate, 1, true).getFirst();
        assertThat(another.resumes).as("believed after forty lies").isFalse();
        for (int i = 0; i < 40; i++) {
            gate.ticketTold(false, true);
        }
        assertThat(arrive(gate, 1, true).getFirst().resumes)
                .as("believed again")
                .isTrue();
    }

    @Test
    void whoWaitsTooLongIsRefused() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withInFlight(1).withQueue(5, Duration.ofMillis(100)));
        List<TestCandidate> candidates = arrive(gate, 3, false);
        turnsUntil(() -> candidates.getFirst().begun);
        pass(100);
        assertThat(gate.isEmpty()).isFalse();
        pass(5);

        assertThat(candidates.get(1).refusal()).isEqualTo("handshake_deadline");
        assertThat(candidates.get(2).refusal()).isEqualTo("handshake_deadline");
        assertThat(counters.get(Counter.HANDSHAKES_REFUSED)).isEqualTo(2);
    }

    @Test
    void aStallOfTheLoopDoesNotCountAsWaiting() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withInFlight(1));
        List<TestCandidate> candidates = arrive(gate, 3, false);
        turnsUntil(() -> candidates.getFirst().begun);
        pass(1000);
        now += 60_000 * MILLI;
        run(20);
        assertThat(candidates).allMatch(candidate -> candidate.refused == null);

        gate.handshakeOver();
        turnsUntil(() -> candidates.get(1).begun);
        pass(1000);
        assertThat(candidates.getLast().refusal()).isEqualTo("handshake_deadline");
    }

    @Test
    void onALoopThatStallsAllTheTimeNobodyWaitsForEver() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withInFlight(1));
        List<TestCandidate> candidates = arrive(gate, 2, false);
        turnsUntil(() -> candidates.getFirst().begun);
        for (int i = 0; i < 10; i++) {
            now += 10_000 * MILLI;
            run(20);
        }

        assertThat(candidates.getLast().refusal()).isEqualTo("handshake_deadline");
    }

    /** Where the rate of full ones is used up, their share is of no use to them. */
    @Test
    void aFullOneThatMeetsItsRateDoesNotKeepOthersFromComing() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withPerSecond(10));
        List<TestCandidate> full = arrive(gate, 3, false);
        turnsUntil(() -> begun(full) == 1);
        List<TestCandidate> resuming = arrive(gate, 50, true);
        turnsUntil(() -> begun(resuming) == 50);

        assertThat(begun(full)).isEqualTo(1);
        now += 100 * MILLI;
        turnsUntil(() -> begun(full) == 2);
    }

    @Test
    void aFullQueueNamesTheLimitThatItIsFullFor() {
        assertThat(refusalOfTooMany(HandshakeLimits.DEFAULT.withQueue(2, Duration.ofSeconds(1)), false))
                .isEqualTo("handshake_capacity");
        assertThat(refusalOfTooMany(HandshakeLimits.DEFAULT.withInFlight(1).withQueue(2, Duration.ofSeconds(1)), true))
                .isEqualTo("handshake_limit");
        assertThat(refusalOfTooMany(HandshakeLimits.DEFAULT.withPerSecond(1).withQueue(2, Duration.ofSeconds(1)), true))
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
    void anAddressThatAsksTooOftenIsRefusedBeforeItWaits() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withPerAddressPerSecond(3));
        List<TestCandidate> same = arrive(gate, 5, false);
        TestCandidate other = new TestCandidate(false, InetAddress.ofLiteral("2001:db8::1"));
        gate.arrived(other);
        turnsUntil(gate::isEmpty);

        assertThat(begun(same)).isEqualTo(3);
        assertThat(same.getLast().refusal()).isEqualTo("handshake_address_rate");
        assertThat(other.begun).isTrue();
    }

    @Test
    void whoLeavesWhileALimitHoldsDoesNotKeepTheNextFromComing() {
        HandshakeGate gate = gate(HandshakeLimits.DEFAULT.withInFlight(1));
        List<TestCandidate> candidates = arrive(gate, 2, false);
        turnsUntil(() -> candidates.getFirst().begun);
        run(20);
        gate.left(candidates.getLast());
        gate.left(candidates.getLast());
        assertThat(gate.isEmpty()).isTrue();
        gate.handshakeOver();
        run(20);
        TestCandidate next = arrive(gate, 1, false).getFirst();
        turnsUntil(() -> next.begun);
    }

    /** Clients that resume again and again keep a slow processor busy; those without tickets are served beside them. */
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

        assertThat(counters.get(Counter.HANDSHAKES_REFUSED)).isZero();
        // One of four, of 50 ms together: 1,200 in a minute.
        assertThat(full.served).isGreaterThan(1000);
        assertThat(full.longestWaitNanos).isLessThan(300 * MILLI);
    }

    private void comeAgainAndAgain(HandshakeGate gate, boolean offeringTicket, ClosedLoop client) {
        TestCandidate candidate = new TestCandidate(offeringTicket);
        long arrived = now;
        candidate.whenBegun = () -> {
            client.served++;
            client.longestWaitNanos = Math.max(client.longestWaitNanos, now - arrived);
            now += client.costNanos;
            gate.handshakeOver();
            comeAgainAndAgain(gate, offeringTicket, client);
        };
        candidate.whenRefused = () -> comeAgainAndAgain(gate, offeringTicket, client);
        gate.arrived(candidate);
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

    private static List<TestCandidate> arrive(HandshakeGate gate, int count, boolean offeringTicket) {
        List<TestCandidate> candidates = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestCandidate candidate = new TestCandidate(offeringTicket);
            candidates.add(candidate);
            gate.arrived(candidate);
        }
        return candidates;
    }

    private static long begun(List<TestCandidate> candidates) {
        return candidates.stream().filter(candidate -> candidate.begun).count();
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
}
