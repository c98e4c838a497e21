package dev.sluice.gateway;

import static dev.sluice.gateway.TestCandidate.believed;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

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
        assertThat(queue.first()).isSameAs(resuming);
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
            slow.take(Objects.requireNonNull(slow.first()), now);
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
        for (int i = 0; i < 10_000; i++) {
            int what = random.nextInt(4);
            if (what < 2 && queue.size() < MOST) {
                TestCandidate candidate = offered(what == 0);
                (candidate.resumes ? resuming : full).add(candidate);
            } else if (what == 2 && queue.size() > 0) {
                List<TestCandidate> next = resuming.isEmpty() ? full : resuming;
                assertThat(queue.first()).isSameAs(next.getFirst());
                queue.take(next.removeFirst(), now);
            } else if (queue.size() > 0) {
                List<TestCandidate> some = resuming.isEmpty() ? full : resuming;
                TestCandidate leaving = some.remove(random.nextInt(some.size()));
                queue.remove(leaving);
                assertThat(leaving.isWaiting).isFalse();
            }
            assertThat(queue.size()).isEqualTo(resuming.size() + full.size());
        }
    }

    private TestCandidate offered(boolean resumes) {
        TestCandidate candidate = believed(resumes);
        assertThat(queue.offer(candidate, now)).isNull();
        assertThat(candidate.isWaiting).isTrue();
        return candidate;
    }

    private Candidate takeFirst() {
        Candidate first = Objects.requireNonNull(queue.first());
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
