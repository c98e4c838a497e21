package dev.sluice.transfer.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The bandwidth limit on a clock of its own. */
final class BandwidthLimitTest {
    private final AtomicLong now = new AtomicLong(123);

    @Test
    void passesBytesAtTheRate() {
        BandwidthLimit limit = new BandwidthLimit(1_000_000, now::get, now::addAndGet);
        long start = now.get();
        for (int i = 0; i < 1000; i++) {
            limit.acquire(10_000);
        }
        long expected = TimeUnit.SECONDS.toNanos(10);
        assertThat(now.get() - start).isBetween(expected - expected / 50, expected);
    }

    @Test
    void creditsAPauseWithAShortBurstOnly() {
        BandwidthLimit limit = new BandwidthLimit(1_000_000, now::get, now::addAndGet);
        limit.acquire(1);
        now.addAndGet(TimeUnit.HOURS.toNanos(1));
        long start = now.get();
        for (int i = 0; i < 100; i++) {
            limit.acquire(10_000);
        }
        assertThat(now.get() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
    }

    @Test
    void neverWaitsWithoutALimit() {
        BandwidthLimit.NONE.acquire(Integer.MAX_VALUE);
        assertThat(now).hasValue(123);
    }
}
