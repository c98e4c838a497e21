package dev.sluice.transfer.meet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long START = -5;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long DAY = Duration.ofDays(1).toNanos();

    @Test
    void permitsABurstOfOnePeriodAndThenTheRate() {
        TokenBucket bucket = TokenBucket.perSecond(1000, START);
        assertThat(bucket.take(1000, START)).isZero();
        assertThat(bucket.take(500, START)).isEqualTo(SECOND / 2);
        assertThat(bucket.take(0, START + SECOND / 4)).isEqualTo(SECOND / 4);
        assertThat(bucket.take(0, START + SECOND / 2)).isZero();
        assertThat(bucket.take(2000, START + 100 * SECOND)).isEqualTo(SECOND);
    }

    @Test
    void refusesWhereThereIsNoToken() {
        TokenBucket bucket = new TokenBucket(2, 60 * SECOND, START);
        assertThat(bucket.tryTake(START)).isTrue();
        assertThat(bucket.tryTake(START)).isTrue();
        assertThat(bucket.tryTake(START)).isFalse();
        assertThat(bucket.isFull(START)).isFalse();
        assertThat(bucket.tryTake(START + 30 * SECOND)).isTrue();
        assertThat(bucket.tryTake(START + 59 * SECOND)).isFalse();
        assertThat(bucket.isFull(START + 200 * SECOND)).isTrue();
    }

    @Test
    void bytesOfAnAccountStartAgainAfterADay() {
        RelayAccount account = new RelayAccount(new RelayLimits.Share(1, 1, 1L << 40, 100), 10, START);
        assertThat(account.charge(100, START)).isZero();
        assertThat(account.hasBytes(START)).isFalse();
        assertThat(account.charge(1, START)).isEqualTo(RelayAccount.USED_UP);
        assertThat(account.isAtRest(START + DAY - 1)).isFalse();
        assertThat(account.hasBytes(START + DAY)).isTrue();
        assertThat(account.isAtRest(START + DAY)).isTrue();
    }
}
