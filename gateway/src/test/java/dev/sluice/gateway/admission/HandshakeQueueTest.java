package dev.sluice.gateway.admission;

import static dev.sluice.gateway.admission.TestPendingHandshake.believed;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of waiting clients, and the refusal of those that would wait in vain, by a clock that the test sets. */
final class HandshakeQueueTest {
    private static final long MILLI = 1_000_000;
    private static final long WAIT = 1000 * MILLI;
    private static final int MOST = 10;

    private HandshakeQueue queue = new HandshakeQueue(MOST, 1, WAIT);
    private long now = Long.MAX_VALUE - 10 * MILLI;

    @Test
    void putsResumingClientsFirstAndEachKindInOrder() {
        TestPendingHandshake first = offered(false);
        TestPendingHandshake second = offered(false);
        TestPendingHandshake third = offered(true);
        TestPendingHandshake fourth = offered(true);

        assertThat(takeAll()).containsExactly(third, fourth, first, second);
    }

    @Test
    void refusesWhenFullUnlessTheClientResumes() {
        List<TestPendingHandshake> full = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            full.add(offered(false));
        }
        TestPendingHandshake late = believed(false);
        TestPendingHandshake resuming = believed(true);

        assertThat(queue.offer(late, now)).isSameAs(late);
        assertThat(queue.offer(resuming, now)).isSameAs(full.getLast());
        assertThat(queue.size()).isEqualTo(MOST);
        assertThat(queue.next(now)).isSameAs(resuming);
    }

    @Test
    void evictsNobodyWhenAllResume() {
        for (int i = 0; i < MOST; i++) {
            offered(true);
        }
        TestPendingHandshake resuming = believed(true);

        assertThat(queue.offer(resuming, now)).isSameAs(resuming);
    }

    @Test
    void givesFullHandshakesOneTurnInFour() {
        List<PendingHandshake> full = List.of(offered(false), offered(false));
        List<PendingHandshake> resuming = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            resuming.add(offered(true));
        }

        List<PendingHandshake> expected = new ArrayList<>(resuming);
        expected.add(3, full.getFirst());
        expected.add(7, full.getLast());
        assertThat(takeAll()).containsExactlyElementsOf(expected);
    }

    @Test
    void countsTurnsOnlyWhileAFullHandshakeWaits() {
        for (int i = 0; i < 3; i++) {
            offered(true);
            takeFirst();
        }
        TestPendingHandshake gone = offered(false);
        for (int i = 0; i < 3; i++) {
            offered(true);
            takeFirst();
        }
        queue.remove(gone);
        TestPendingHandshake full = offered(false);
        TestPendingHandshake resuming = offered(true);

        assertThat(takeAll()).containsExactly(resuming, full);
    }

    @Test
    void givesOldFullHandshakesOneTurnInTwo() {
        List<PendingHandshake> full = List.of(offered(false), offered(false));
        now += WAIT / 2;
        List<PendingHandshake> resuming = List.of(offered(true), offered(true), offered(true));
        assertThat(takeFirst()).isSameAs(resuming.getFirst());
        assertThat(queue.next(now)).as("at half of the time").isSameAs(resuming.get(1));
        now++;

        assertThat(takeAll()).containsExactly(full.getFirst(), resuming.get(1), full.getLast(), resuming.get(2));
    }

    @Test
    void keepsAQuarterOfThePlacesForFullHandshakes() {
        List<PendingHandshake> resuming = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            resuming.add(offered(true));
        }
        List<TestPendingHandshake> full = List.of(believed(false), believed(false), believed(false));

        // A quarter of ten, rounded down.
        assertThat(queue.offer(full.get(0), now)).isSameAs(resuming.get(MOST - 1));
        assertThat(queue.offer(full.get(1), now)).isSameAs(resuming.get(MOST - 2));
        assertThat(queue.offer(full.get(2), now)).isSameAs(full.get(2));
        TestPendingHandshake late = believed(true);
        assertThat(queue.offer(late, now)).as("pushes nobody out of these").isSameAs(late);
    }

    @Test
    void findsOverdueClientsOfBothKinds() {
        TestPendingHandshake first = offered(false);
        now += WAIT / 2;
        TestPendingHandshake resuming = offered(true);
        now += WAIT / 2;
        assertThat(queue.takeOverdue(now)).isNull();
        now++;
        assertThat(queue.takeOverdue(now)).isSameAs(first);
        assertThat(queue.takeOverdue(now)).isNull();
        now += WAIT;
        assertThat(queue.takeOverdue(now)).isSameAs(resuming);
        assertThat(queue.size()).isZero();
    }

    /** At 200 ms for each, five fit into a second: the seventh is refused. */
    @Test
    void refusesAtOnceAClientThatWouldWaitTooLong() {
        queue = new HandshakeQueue(MOST, MOST, WAIT);
        for (int i = 0; i < 4; i++) {
            offered(false);
        }
        for (int i = 0; i <= HandshakeQueue.PACE_WINDOW; i++) {
            now += 200 * MILLI;
            takeFirst();
            offered(false);
        }
        offered(false);
        offered(false);
        TestPendingHandshake tooLate = believed(false);

        assertThat(queue.size()).isEqualTo(6);
        assertThat(queue.offer(tooLate, now)).isSameAs(tooLate);
        assertThat(queue.offer(believed(true), now))
                .as("one that resumes is before all of them")
                .isNull();
    }

    /** Simulates a gateway that has just started on a busy machine: its first handshakes take a fifth of a second. */
    @Test
    void predictsNothingByTheFirstSlowHandshakes() {
        for (int i = 0; i < 4; i++) {
            offered(false);
        }
        for (int i = 0; i < 3; i++) {
            now += 200 * MILLI;
            takeFirst();
        }
        while (queue.size() < MOST) {
            offered(false);
        }
    }

    /** At 10 ms for each, one of four a full one: the fifth would have its turn after 160 ms, and may wait for 125. */
    @Test
    void predictsTheWaitByThePaceOfTheKind() {
        offered(true);
        offered(true);
        for (int i = 0; i < 4; i++) {
            offered(false);
        }
        for (int turns = 0; turns < 200; turns++) {
            now += 10 * MILLI;
            offered(takeFirst().resumes);
        }
        TestPendingHandshake fifth = believed(false);

        assertThat(queue.offer(fifth, now)).isSameAs(fifth);
        assertThat(queue.offer(believed(true), now)).isNull();
    }

    /** RSA: a full one takes 2 ms, a resumed one a quarter of that. */
    @Test
    void servesResumingClientsInAStormOfFullHandshakes() {
        SlowCore core = new SlowCore(2 * MILLI, MILLI / 2);
        core.run(Duration.ofSeconds(20), 2250, 250);

        assertThat(core.resuming.refused + core.resuming.late).isZero();
        assertThat(core.resuming.longestWaitNanos).isLessThan(50 * MILLI);
        // What resumed ones leave of 20 seconds is 17.5.
        assertThat(core.full.admitted).isGreaterThan(8000);
        assertThat(core.full.late).as("waited in vain").isLessThan(core.full.admitted / 100);
    }

    @Test
    void servesFullHandshakesInAStormOfResumingClients() {
        SlowCore core = new SlowCore(2 * MILLI, MILLI / 2);
        core.run(Duration.ofSeconds(20), 200, 10_000);

        assertThat(core.full.refused + core.full.late).isZero();
        assertThat(core.full.longestWaitNanos).isLessThan(100 * MILLI);
        // What full ones leave of 20 seconds is 12.
        assertThat(core.resuming.admitted).isGreaterThan(22_000);
        assertThat(core.resuming.late).as("waited in vain").isZero();
    }

    /** RSA and ECDSA, by count and by what they cost. */
    @ParameterizedTest
    @CsvSource({"2000, 500", "650, 500", "1000, 1000"})
    void keepsTheSharesInAStormOfBothKinds(long fullMicros, long resumedMicros) {
        SlowCore core = new SlowCore(fullMicros * 1000, resumedMicros * 1000);
        core.run(Duration.ofSeconds(20), 10_000, 10_000);

        assertThat(3.0 * core.full.admitted).isCloseTo((double) core.resuming.admitted, Percentage.withPercentage(20));
        assertThat(core.full.late + core.resuming.late).isLessThan(core.full.admitted / 50);
    }

    @Test
    void shortensTheQueueInALastingStorm() {
        offered(false);
        for (int i = 0; i < 200; i++) {
            now += 10 * MILLI;
            while (queue.size() < MOST && queue.offer(believed(false), now) == null) {
                // Fills up.
            }
            takeFirst();
        }
        // An eighth of a second holds twelve of 10 ms, more than fit in; of 50 ms, two and the one at its turn.
        assertThat(queue.size()).isEqualTo(MOST - 1);
        for (int i = 0; i < 100; i++) {
            now += 50 * MILLI;
            queue.offer(believed(false), now);
            takeFirst();
        }
        assertThat(queue.size()).isBetween(2, 3);
    }

    /** Simulates as many clients as a caller has threads, each of which waits for its answer. */
    @Test
    void takesAShortQueueForNoStormHoweverLongItLasts() {
        HandshakeQueue slow = new HandshakeQueue(MOST, MOST, WAIT);
        for (int i = 0; i < 4; i++) {
            assertThat(slow.offer(believed(false), now)).isNull();
        }
        for (int i = 0; i < 100; i++) {
            now += 200 * MILLI;
            slow.take(Objects.requireNonNull(slow.next(now)), now);
            assertThat(slow.offer(believed(false), now)).isNull();
        }
    }

    @Test
    void forgetsThePaceWhenEmpty() {
        offered(false);
        offered(false);
        now += 900 * MILLI;
        takeFirst();
        offered(false);
        now += 900 * MILLI;
        takeFirst();
        takeFirst();
        assertThat(queue.size()).isZero();
        now += 5000 * MILLI;
        for (int i = 0; i < MOST; i++) {
            offered(false);
        }
    }

    /** Compared with a model of two lists. */
    @Test
    void keepsItsOrderUnderRandomOperations() {
        Random random = new Random(3);
        List<TestPendingHandshake> resuming = new ArrayList<>();
        List<TestPendingHandshake> full = new ArrayList<>();
        int inARow = 0;
        for (int i = 0; i < 10_000; i++) {
            inARow = full.isEmpty() ? 0 : inARow;
            int what = random.nextInt(4);
            if (what < 2 && queue.size() < MOST) {
                TestPendingHandshake client = offered(what == 0);
                (client.resumes ? resuming : full).add(client);
            } else if (what == 2 && queue.size() > 0) {
                boolean fullsTurn = resuming.isEmpty() || (!full.isEmpty() && inARow >= 3);
                List<TestPendingHandshake> next = fullsTurn ? full : resuming;
                assertThat(queue.next(now)).isSameAs(next.getFirst());
                queue.take(next.removeFirst(), now);
                inARow = fullsTurn ? 0 : inARow + 1;
            } else if (queue.size() > 0) {
                List<TestPendingHandshake> some = resuming.isEmpty() ? full : resuming;
                TestPendingHandshake leaving = some.remove(random.nextInt(some.size()));
                queue.remove(leaving);
                assertThat(leaving.isWaiting).isFalse();
            }
            assertThat(queue.size()).isEqualTo(resuming.size() + full.size());
        }
    }

    /** A processor that does one handshake behind the other, and clients that come at a steady rate. */
    private static final class SlowCore {
        private final HandshakeQueue queue = new HandshakeQueue(1024, 64, 2 * WAIT);
        private final Kind full;
        private final Kind resuming;
        private long now;

        SlowCore(long fullNanos, long resumedNanos) {
            full = new Kind(false, fullNanos);
            resuming = new Kind(true, resumedNanos);
        }

        void run(Duration time, int fullPerSecond, int resumingPerSecond) {
            long end = time.toNanos();
            while (now < end) {
                come(full, fullPerSecond);
                come(resuming, resumingPerSecond);
                for (PendingHandshake late = queue.takeOverdue(now); late != null; late = queue.takeOverdue(now)) {
                    kind(late).late++;
                }
                serve(queue.next(now));
            }
        }

        private void come(Kind kind, int perSecond) {
            while (kind.came * Duration.ofSeconds(1).toNanos() / perSecond <= now) {
                kind.came++;
                PendingHandshake refused = queue.offer(believed(kind.resumes), now);
                if (refused != null) {
                    kind(refused).refused++;
                }
            }
        }

        private void serve(@Nullable PendingHandshake next) {
            if (next == null) {
                now += MILLI / 10;
                return;
            }
            Kind kind = kind(next);
            kind.longestWaitNanos = Math.max(kind.longestWaitNanos, now - next.sinceNanos);
            queue.take(next, now);
            kind.admitted++;
            now += kind.costNanos;
        }

        private Kind kind(PendingHandshake client) {
            return client.resumes ? resuming : full;
        }
    }

    /** The results of the clients of one kind. */
    private static final class Kind {
        private final boolean resumes;
        private final long costNanos;
        private long came;
        private long admitted;
        private long refused;
        private long late;
        private long longestWaitNanos;

        Kind(boolean resumes, long costNanos) {
            this.resumes = resumes;
            this.costNanos = costNanos;
        }

        @Override
        public String toString() {
            return "came=" + came + ", admitted=" + admitted + ", refused=" + refused + ", late=" + late
                    + ", longest ms=" + longestWaitNanos / MILLI;
        }
    }

    private TestPendingHandshake offered(boolean resumes) {
        TestPendingHandshake client = believed(resumes);
        assertThat(queue.offer(client, now)).isNull();
        assertThat(client.isWaiting).isTrue();
        return client;
    }

    private PendingHandshake takeFirst() {
        PendingHandshake first = Objects.requireNonNull(queue.next(now));
        queue.take(first, now);
        return first;
    }

    private List<PendingHandshake> takeAll() {
        List<PendingHandshake> taken = new ArrayList<>();
        while (queue.size() > 0) {
            taken.add(takeFirst());
        }
        return taken;
    }
}
