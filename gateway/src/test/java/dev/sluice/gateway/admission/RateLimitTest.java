package dev.sluice.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** Limits per second, by a clock that the test sets. */
final class RateLimitTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000L;
    /** Near the end of what nanoTime may be, to see that it may wrap. */
    private static final long START = Math.subtractExact(Long.MAX_VALUE, SECOND / 2);

    @Test
    void aTenthOfASecondsShareComesAtOnceAndThenOneAfterTheOther() {
        RateLimit limit = new RateLimit(100, START);

        assertThat(taken(limit, START, 50)).isEqualTo(10);
        assertThat(taken(limit, START + 9 * MILLI, 50)).isZero();
        assertThat(taken(limit, START + 10 * MILLI, 50)).isEqualTo(1);
        assertThat(taken(limit, START + 50 * MILLI, 50)).isEqualTo(4);
    }

    @Test
    void overALongTimeItIsTheRate() {
        RateLimit limit = new RateLimit(250, START);
        int taken = 0;
        for (long now = START; now - START < 10 * SECOND; now += MILLI) {
            taken += taken(limit, now, 5);
        }
        assertThat(taken).isBetween(2500, 2525);
    }

    @Test
    void whatIsChargedIsMissingLater() {
        RateLimit limit = new RateLimit(100, START);
        for (int i = 0; i < 20; i++) {
            limit.charge(START);
        }

        assertThat(taken(limit, START + 100 * MILLI, 50)).isZero();
        assertThat(taken(limit, START + 200 * MILLI, 50)).isEqualTo(10);
    }

    @Test
    void eachAddressHasItsOwn() {
        AddressRates rates = new AddressRates(5, START);

        assertThat(taken(rates, 1, START, 50)).isEqualTo(5);
        assertThat(taken(rates, 2, START, 50)).isEqualTo(5);
        assertThat(taken(rates, 1, START + SECOND / 5, 50)).isEqualTo(1);
        assertThat(taken(rates, 1, START + 10 * SECOND, 50)).isEqualTo(5);
    }

    @Test
    void fewOfManyAddressesFallTogether() {
        AddressRates rates = new AddressRates(1, START);
        int refused = 0;
        for (long address = 0; address < 2_000; address++) {
            refused += rates.tryTake(address << 20, START) ? 0 : 1;
        }
        // 2000 * 1999 / 2 / 65536 = 30 pairs are to be expected.
        assertThat(refused).isLessThan(100);
    }

    @Test
    void anIpv6NetworkIsOneAndAnIpv4AddressIs() {
        assertThat(key("2001:db8:1:2::1")).isEqualTo(key("2001:db8:1:2:ffff:ffff:ffff:ffff"));
        assertThat(key("2001:db8:1:2::1")).isNotEqualTo(key("2001:db8:1:3::1"));
        assertThat(key("192.0.2.1")).isNotEqualTo(key("192.0.2.2"));
        assertThat(key("::ffff:192.0.2.1")).isEqualTo(key("192.0.2.1"));
        assertThat(key("::1")).isNotEqualTo(key("0.0.0.1"));
    }

    private static long key(String address) {
        return AddressKey.of(InetAddress.ofLiteral(address));
    }

    private static int taken(RateLimit limit, long now, int tries) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            taken += limit.tryTake(now) ? 1 : 0;
        }
        return taken;
    }

    private static int taken(AddressRates rates, long address, long now, int tries) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            taken += rates.tryTake(address, now) ? 1 : 0;
        }
        return taken;
    }
}
