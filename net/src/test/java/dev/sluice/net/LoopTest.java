package dev.sluice.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.net.LoopStatistics.Counter;
import dev.sluice.testkit.Waiting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tasks, timers and the life of a loop. */
@ParameterizedClass
@MethodSource("dev.sluice.net.Setups#all")
final class LoopTest extends ConformanceTest {
    private static final int THREADS = 8;
    private static final int TASKS_PER_THREAD = 5_000;

    @Test
    void saysWhatItRunsOnAndWhy() {
        assertThat(fixture.loop.backend()).isEqualTo(config.backend());
        assertThat(fixture.loop.backendReason()).isNotBlank();
        assertThat(fixture.loop.name()).isEqualTo(config.name());
        assertThat(fixture.loop.inLoop()).isFalse();
        assertThat(fixture.<Boolean>call(fixture.loop::inLoop)).isTrue();
    }

    @Test
    void tasksOfManyThreadsAllRunAndInEachThreadsOrder() throws InterruptedException {
        List<List<Integer>> seen = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(THREADS * TASKS_PER_THREAD);
        for (int t = 0; t < THREADS; t++) {
            List<Integer> mine = new ArrayList<>();
            seen.add(mine);
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < TASKS_PER_THREAD; i++) {
                    int number = i;
                    fixture.loop.execute(() -> {
                        mine.add(number);
                        all.countDown();
                    });
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(all.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        seen.forEach(numbers -> assertThat(numbers).isSorted().hasSize(TASKS_PER_THREAD));
    }

    @Test
    void aTaskAlwaysWakesASleepingLoop() {
        // Each call finds the loop asleep, or about to sleep: one lost wake-up would hang here.
        for (int i = 0; i < 5_000; i++) {
            int number = i;
            assertThat(fixture.<Integer>call(() -> number)).isEqualTo(number);
        }
    }

    @Test
    void tasksRunOrAreRefusedWhileTheLoopCloses() throws InterruptedException {
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger added = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                while (refused.get() == 0) {
                    try {
                        fixture.loop.execute(ran::incrementAndGet);
                        added.incrementAndGet();
                    } catch (RejectedExecutionException e) {
                        refused.incrementAndGet();
                    }
                }
            }));
        }
        Waiting.until(LIMIT, () -> ran.get() > 1_000, () -> ran + " ran");
        fixture.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(ran).hasValue(added.get());
        assertThatThrownBy(() -> fixture.loop.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining(config.name());
    }

    @Test
    void reportsWhatATaskThrows() {
        fixture.loop.execute(() -> {
            throw new IllegalArgumentException("thrown by a task");
        });
        fixture.run(() -> fixture.loop.schedule(0, () -> {
            throw new AssertionError("thrown by a timer");
        }));
        Waiting.until(LIMIT, () -> fixture.uncaught.size() == 2, () -> "uncaught: " + fixture.uncaught);
        assertThat(fixture.uncaught)
                .extracting(Throwable::getMessage)
                .contains("thrown by a task", "thrown by a timer");
        assertThat(fixture.loop.statistics().get(Counter.UNCAUGHT)).isEqualTo(2);
        fixture.uncaught.clear();
    }

    @Test
    void timersRunInTheOrderOfTheirTimes() {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        fixture.run(() -> {
            for (int delay : new int[] {30, 10, 20, 0, 40}) {
                fixture.loop.schedule(delay, () -> order.add(delay));
            }
        });
        Waiting.until(LIMIT, () -> order.size() == 5, order::toString);
        assertThat(order).containsExactly(0, 10, 20, 30, 40);
    }

    @Test
    void aCancelledTimerDoesNotRun() {
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<Void> later = new CompletableFuture<>();
        fixture.run(() -> {
            Timer cancelled = fixture.loop.schedule(5, ran::incrementAndGet);
            Timer cancelledByAnother = fixture.loop.schedule(20, ran::incrementAndGet);
            fixture.loop.schedule(10, cancelledByAnother::cancel);
            fixture.loop.schedule(40, () -> later.complete(null));
            cancelled.cancel();
            cancelled.cancel();
        });
        LoopFixture.await(later);
        assertThat(ran).hasValue(0);
    }

    @Test
    void theLoopsOwnPartsRefuseOtherThreads() {
        assertThatThrownBy(() -> fixture.loop.schedule(1, () -> {})).hasMessageContaining("execute()");
        assertThatThrownBy(() -> fixture.loop.listen(LoopFixture.ANY_PORT, ListenerOptions.defaults(), recorder()))
                .hasMessageContaining("execute()");
        assertThatThrownBy(() -> fixture.loop.connect(LoopFixture.ANY_PORT, 1, recorder()))
                .hasMessageContaining("execute()");
    }

    @Test
    void anIdleLoopDoesNotTurn() {
        fixture.run(() -> {});
        long before = fixture.<Long>call(() -> fixture.loop.statistics().get(Counter.TURNS));
        long after = fixture.<Long>call(() -> fixture.loop.statistics().get(Counter.TURNS));
        assertThat(after - before).isLessThan(10);
    }

    @Test
    void closeFromItsOwnThreadEndsIt() {
        fixture.run(fixture.loop::close);
        Waiting.until(LIMIT, this::refuses, () -> "the loop still takes tasks");
        fixture.close();
        fixture.close();
    }

    private boolean refuses() {
        try {
            fixture.loop.execute(() -> {});
            return false;
        } catch (RejectedExecutionException e) {
            return true;
        }
    }
}
