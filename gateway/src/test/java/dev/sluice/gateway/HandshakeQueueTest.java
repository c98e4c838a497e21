package dev.sluice.gateway;

import static dev.sluice.gateway.TestCandidate.believed;
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

/** Who waits, who goes first, and who need not even wait; by a clock that the test sets. */
final class HandshakeQueueTest {
    private static final long MILLI = 1_000_000;
    private static final long WAIT = 1000 * MILLI;
    private static final int MOST = 10;

    private final HandshakeQueue queue = new HandshakeQueue(MOST, 1, WAIT);
    private long now = Long.MAX_VALUE - 10 * MILLI;

    @Test
    void thoseWhoResumeGoFirstAndEachInOrder() {
        TestCandidate first = offered(false);
        TestCandidate second = offered(false);
        TestCandidate third = offered(true);
        TestCandidate fourth = offered(true);

        assertThat(takeAll()).containsExactly(third, fourth, first, second);
    }

    @Test
    void whoComesToAFullQueueIsRefusedUnlessItResumes() {
        List<TestCandidate> full = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            full.add(offered(false));
        }
        TestCandidate late = believed(false);
        TestCandidate resuming = believed(true);

        assertThat(queue.offer(late, now)).isSameAs(late);
        assertThat(queue.offer(resuming, now)).isSameAs(full.getLast());
        assertThat(queue.size()).isEqualTo(MOST);
        assertThat(queue.next(now)).isSameAs(resuming);
    }

    @Test
    void inAQueueOfThoseWhoResumeNobodyIsPushedOut() {
        for (int i = 0; i < MOST; i++) {
            offered(true);
        }
        TestCandidate resuming = believed(true);

        assertThat(queue.offer(resuming, now)).isSameAs(resuming);
    }

    @Test
    void whileBothWaitOneOfFourIsFull() {
        List<Candidate> full = List.of(offered(false), offered(false));
        List<Candidate> resuming = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            resuming.add(offered(true));
        }

        List<Candidate> expected = new ArrayList<>(resuming);
        expected.add(3, full.getFirst());
        expected.add(7, full.getLast());
        assertThat(takeAll()).containsExactlyElementsOf(expected);
    }

    @Test
    void resumedOnesThatBeginWhileNoFullOneWaitsDoNotCount() {
        for (int i = 0; i < 3; i++) {
            offered(true);
            takeFirst();
        }
        TestCandidate gone = offered(false);
        for (int i = 0; i < 3; i++) {
            offered(true);
            takeFirst();
        }
        queue.remove(gone);
        TestCandidate full = offered(false);
        TestCandidate resuming = offered(true);

        assertThat(takeAll()).containsExactly(resuming, full);
    }

    @Test
    void anOldFullOneIsOneOfTwo() {
        List<Candidate> full = List.of(offered(false), offered(false));
        now += WAIT / 2;
        List<Candidate> resuming = List.of(offered(true), offered(true), offered(true));
        assertThat(takeFirst()).isSameAs(resuming.getFirst());
        assertThat(queue.next(now)).as("at half of the time").isSameAs(resuming.get(1));
        now++;

        assertThat(takeAll()).containsExactly(full.getFirst(), resuming.get(1), full.getLast(), resuming.get(2));
    }

    @Test
    void fullOnesKeepAShareOfThePlaces() {
        List<Candidate> resuming = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            resuming.add(offered(true));
        }
        List<TestCandidate> full = List.of(believed(false), believed(false), believed(false));

        // A quarter of ten, rounded down.
        assertThat(queue.offer(full.get(0), now)).isSameAs(resuming.get(MOST - 1));
        assertThat(queue.offer(full.get(1), now)).isSameAs(resuming.get(MOST - 2));
        assertThat(queue.offer(full.get(2), now)).isSameAs(full.get(2));
        TestCandidate late = believed(true);
        assertThat(queue.offer(late, now)).as("pushes nobody out of these").isSameAs(late);
    }

    @Test
    void whoHasWaitedTooLongIsFoundWhereverItStands() {
        TestCandidate first = offered(false);
        now += WAIT / 2;
        TestCandidate resuming = offered(true);
        now += WAIT / 2;
        assertThat(queue.takeOverdue(now)).isNull();
        now++;
        assertThat(queue.takeOverdue(now)).isSameAs(first);
        assertThat(queue.takeOverdue(now)).isNull();
        now += WAIT;
        assertThat(queue.takeOverdue(now)).isSameAs(resuming);
        assertThat(queue.size()).isZero();
    }

    /** At 200 ms for each, five can be done in a second: the seventh need not wait. */
    @Test
    void nobodyIsLetWaitInVain() {
        for (int i = 0; i < 4; i++) {
            offered(false);
        }
        for (int i = 0; i < 3; i++) {
            now += 200 * MILLI;
            takeFirst();
            offered(false);
        }
        offered(false);
        offered(false);
        TestCandidate tooLate = believed(false);

        assertThat(queue.size()).isEqualTo(6);
        assertThat(queue.offer(tooLate, now)).isSameAs(tooLate);
        assertThat(queue.offer(believed(true), now))
                .as("one that resumes is before all of them")
                .isNull();
    }

    /** At 10 ms for each, one of four a full one: the fifth would have its turn after 160 ms, and may wait for 125. */
    @Test
    void thePaceOfFullOnesIsTheirOwn() {
        offered(true);
        offered(true);
        for (int i = 0; i < 4; i++) {
            offered(false);
        }
        for (int begun = 0; begun < 200; begun++) {
            now += 10 * MILLI;
            offered(takeFirst().resumes);
        }
        TestCandidate fifth = believed(false);

        assertThat(queue.offer(fifth, now)).isSameAs(fifth);
        assertThat(queue.offer(believed(true), now)).isNull();
    }

    /** RSA: a full one takes 2 ms, a resumed one a quarter of that. */
    @Test
    void inAStormOfFullOnesThoseWhoResumeAreServed() {
        SlowCore core = new SlowCore(2 * MILLI, MILLI / 2);
        core.run(Duration.ofSeconds(20), 2250, 250);

        assertThat(core.resuming.refused + core.resuming.late).isZero();
        assertThat(core.resuming.longestWaitNanos).isLessThan(50 * MILLI);
        // What resumed ones leave of 20 seconds is 17.5.
        assertThat(core.full.begun).isGreaterThan(8000);
        assertThat(core.full.late).as("waited in vain").isLessThan(core.full.begun / 100);
    }

    @Test
    void inAStormOfThoseWhoResumeFullOnesAreServed() {
        SlowCore core = new SlowCore(2 * MILLI, MILLI / 2);
        core.run(Duration.ofSeconds(20), 200, 10_000);

        assertThat(core.full.refused + core.full.late).isZero();
        assertThat(core.full.longestWaitNanos).isLessThan(100 * MILLI);
        // What full ones leave of 20 seconds is 12.
        assertThat(core.resuming.begun).isGreaterThan(22_000);
        assertThat(core.resuming.late).as("waited in vain").isZero();
    }

    /** RSA and ECDSA, by count and by what they cost. */
    @ParameterizedTest
    @CsvSource({"2000, 500", "650, 500", "1000, 1000"})
    void inAStormOfBothEachKeepsItsShare(long fullMicros, long resumedMicros) {
        SlowCore core = new SlowCore(fullMicros * 1000, resumedMicros * 1000);
        core.run(Duration.ofSeconds(20), 10_000, 10_000);

        assertThat(3.0 * core.full.begun).isCloseTo((double) core.resuming.begun, Percentage.withPercentage(20));
        assertThat(core.full.late + core.resuming.late).isLessThan(core.full.begun / 50);
    }

    @Test
    void inALastingStormTheQueueGetsShort() {
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

    /** As many clients as threads somewhere, each of which waits for its answer. */
    @Test
    void aShortQueueOnASlowMachineIsNoStormHoweverLongItLasts() {
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
    void aRushAfterARestIsJudgedAnew() {
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

    /** Against a model of two lists. */
    @Test
    void whateverHappensTheOrderHolds() {
        Random random = new Random(3);
        List<TestCandidate> resuming = new ArrayList<>();
        List<TestCandidate> full = new ArrayList<>();
        int inARow = 0;
        for (int i = 0; i < 10_000; i++) {
            inARow = full.isEmpty() ? 0 : inARow;
            int what = random.nextInt(4);
            if (what < 2 && queue.size() < MOST) {
                TestCandidate candidate = offered(what == 0);
                (candidate.resumes ? resuming : full).add(candidate);
            } else if (what == 2 && queue.size() > 0) {
                boolean fullsTurn = resuming.isEmpty() || (!full.isEmpty() && inARow >= 3);
                List<TestCandidate> next = fullsTurn ? full : resuming;
                assertThat(queue.next(now)).isSameAs(next.getFirst());
                queue.take(next.removeFirst(), now);
                inARow = fullsTurn ? 0 : inARow + 1;
            } else if (queue.size() > 0) {
                List<TestCandidate> some = resuming.isEmpty() ? full : resuming;
                TestCandidate leaving = some.remove(random.nextInt(some.size()));
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
                for (Candidate late = queue.takeOverdue(now); late != null; late = queue.takeOverdue(now)) {
                    kind(late).late++;
                }
                serve(queue.next(now));
            }
        }

        private void come(Kind kind, int perSecond) {
            while (kind.came * Duration.ofSeconds(1).toNanos() / perSecond <= now) {
                kind.came++;
                Candidate refused = queue.offer(believed(kind.resumes), now);
                if (refused != null) {
                    kind(refused).refused++;
                }
            }
        }

        private void serve(@Nullable Candidate next) {
            if (next == null) {
                now += MILLI / 10;
                return;
            }
            Kind kind = kind(next);
            kind.longestWaitNanos = Math.max(kind.longestWaitNanos, now - next.sinceNanos);
            queue.take(next, now);
            kind.begun++;
            now += kind.costNanos;
        }

        private Kind kind(Candidate candidate) {
            return candidate.resumes ? resuming : full;
        }
    }

    /** What came of the clients of one kind. */
    private static final class Kind {
        private final boolean resumes;
        private final long costNanos;
        private long came;
        private long begun;
        private long refused;
        private long late;
        private long longestWaitNanos;

        Kind(boolean resumes, long costNanos) {
            this.resumes = resumes;
            this.costNanos = costNanos;
        }

        @Override
        public String toString() {
            return "came=" + came + ", begun=" + begun + ", refused=" + refused + ", late=" + late + ", longest ms="
                    + longestWaitNanos / MILLI;
        }
    }

    private TestCandidate offered(boolean resumes) {
        TestCandidate candidate = believed(resumes);
        assertThat(queue.offer(candidate, now)).isNull();
        assertThat(candidate.isWaiting).isTrue();
        return candidate;
    }

    private Candidate takeFirst() {
        Candidate first = Objects.requireNonNull(queue.next(now));
        queue.take(first, now);
        return first;
    }

    private List<Candidate> takeAll() {
        List<Candidate> taken = new ArrayList<>();
        while (queue.size() > 0) {
            taken.add(takeFirst());
        }
        return taken;
    }
}
