package dev.sluice.gateway.earlydata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.tls.context.EarlyDataOffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StrikeRegisterTest {
    private static final long WINDOW = StrikeRegister.WINDOW.toMillis();
    private static final int STRIKES = 1024;

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private final AtomicLong now = new AtomicLong(1_000_000_007);
    private final StrikeRegister register =
            new StrikeRegister(STRIKES, () -> Instant.ofEpochMilli(now.get()), new MallocAllocator());

    @AfterEach
    void close() {
        register.close();
    }

    private static EarlyDataOffer offer(long id) {
        Random binder = new Random(id);
        return new EarlyDataOffer(binder.nextLong(), binder.nextLong(), true);
    }

    private ReplayVerdict check(long id) {
        return register.check(offer(id));
    }

    private void open() {
        now.addAndGet(WINDOW);
    }

    @Test
    void rememberLongerThanLibsslTakesACopyForYoung() {
        // 10 s of difference in the ticket's age, measured in whole seconds by OpenSSL 3.0
        assertThat(StrikeRegister.WINDOW).isGreaterThan(Duration.ofSeconds(11));
    }

    @Test
    void turnsEverythingAwayForAWindowAfterItsStart() {
        assertThat(check(1)).isEqualTo(ReplayVerdict.STARTING);
        now.addAndGet(WINDOW - 1);
        assertThat(check(2)).isEqualTo(ReplayVerdict.STARTING);
        now.incrementAndGet();
        assertThat(check(3)).isEqualTo(ReplayVerdict.FRESH);
    }

    @Test
    void takesEachBinderOnce() {
        open();
        assertThat(check(1)).isEqualTo(ReplayVerdict.FRESH);
        assertThat(check(2)).isEqualTo(ReplayVerdict.FRESH);
        assertThat(check(1)).isEqualTo(ReplayVerdict.REPLAYED);
        now.addAndGet(WINDOW);
        assertThat(check(1)).isEqualTo(ReplayVerdict.REPLAYED);
        assertThat(check(2)).isEqualTo(ReplayVerdict.REPLAYED);
    }

    /** At whatever times, and across whatever pauses, against a map that never forgets. */
    @Test
    void nothingIsTakenTwiceWithinTheWindow() {
        open();
        Random random = new Random(42);
        Map<Long, Long> taken = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            now.addAndGet(random.nextInt(100) == 0 ? random.nextInt(10_000) : random.nextInt(30));
            long id = random.nextInt(3_000);
            Long before = taken.get(id);
            ReplayVerdict verdict = check(id);
            if (before != null && now.get() - before <= WINDOW) {
                assertThat(verdict).isEqualTo(ReplayVerdict.REPLAYED);
            } else if (verdict == ReplayVerdict.FRESH) {
                taken.put(id, now.get());
            }
        }
        assertThat(taken).hasSizeGreaterThan(2_000);
    }

    @Test
    void aTicketOfAnotherProcessIsTurnedAway() {
        open();
        EarlyDataOffer own = offer(1);
        assertThat(register.check(new EarlyDataOffer(own.binderStart(), own.binderNext(), false)))
                .isEqualTo(ReplayVerdict.FOREIGN_TICKET);
        assertThat(register.check(own)).isEqualTo(ReplayVerdict.FRESH);
    }

    @Test
    void aClockThatWasSetBackClosesItUntilItIsWhereItWas() {
        open();
        now.addAndGet(3_600_000);
        assertThat(check(1)).isEqualTo(ReplayVerdict.FRESH);
        now.addAndGet(-1_000);
        assertThat(check(2)).as("a small correction").isEqualTo(ReplayVerdict.FRESH);
        now.addAndGet(-1);
        assertThat(check(3)).isEqualTo(ReplayVerdict.CLOCK_SET_BACK);
        assertThat(check(1)).isEqualTo(ReplayVerdict.CLOCK_SET_BACK);
        now.addAndGet(1);
        assertThat(check(1)).isEqualTo(ReplayVerdict.REPLAYED);
    }

    @Test
    void whenItIsFullItTurnsAwayAndHasRoomAgainLater() {
        open();
        long id = 0;
        int fresh = 0;
        int full = 0;
        while (full < STRIKES) {
            ReplayVerdict verdict = check(id++);
            fresh += verdict == ReplayVerdict.FRESH ? 1 : 0;
            full += verdict == ReplayVerdict.REGISTER_FULL ? 1 : 0;
        }
        assertThat(fresh).isEqualTo(STRIKES);
        assertThat(check(0)).as("what it has, it knows").isEqualTo(ReplayVerdict.REPLAYED);

        now.addAndGet(StrikeRegister.PERIOD_MILLIS);
        assertThat(check(id)).isEqualTo(ReplayVerdict.FRESH);
        assertThat(check(0)).isEqualTo(ReplayVerdict.REPLAYED);
        now.addAndGet(10 * WINDOW);
        assertThat(check(0)).isEqualTo(ReplayVerdict.FRESH);
    }

    @Test
    void ofManyThreadsWithOneBinderOneIsFirst() throws Exception {
        open();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (long id = 0; id < 200; id++) {
                EarlyDataOffer same = offer(id);
                CountDownLatch together = new CountDownLatch(4);
                List<Future<ReplayVerdict>> verdicts = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    verdicts.add(threads.submit(() -> {
                        together.countDown();
                        together.await();
                        return register.check(same);
                    }));
                }
                int first = 0;
                for (Future<ReplayVerdict> verdict : verdicts) {
                    first += verdict.get() == ReplayVerdict.FRESH ? 1 : 0;
                }
                assertThat(first).isEqualTo(1);
            }
        }
    }

    @Test
    void theKeyThatMarksAFreeSlotIsAKeyToo() {
        try (StrikeTable table = new StrikeTable(4, new MallocAllocator())) {
            assertThat(table.contains(0)).isFalse();
            assertThat(table.add(0)).isTrue();
            assertThat(table.contains(0)).isTrue();
            assertThat(table.add(5)).isTrue();
            assertThat(table.add(5 + 16)).as("the same slot").isTrue();
            assertThat(table.add(5 + 32)).isTrue();
            assertThat(table.add(6)).as("full").isFalse();
            assertThat(table.contains(5 + 32)).isTrue();
            table.clear();
            assertThat(table.contains(5)).isFalse();
        }
    }

    @Test
    void afterItsCloseItTurnsAway() {
        open();
        assertThat(check(1)).isEqualTo(ReplayVerdict.FRESH);
        register.close();
        assertThat(check(2)).isNotEqualTo(ReplayVerdict.FRESH);
    }
}
