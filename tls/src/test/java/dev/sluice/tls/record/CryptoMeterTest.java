package dev.sluice.tls.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import dev.sluice.tls.record.CryptoMeter.Phase;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests of sampled record times against the true totals, with a clock that simulates the time of each record. */
class CryptoMeterTest {
    private static final int RECORDS = 2_000_000;
    private static final int BIG = 16_384;
    private static final int SMALL = 100;

    @RegisterExtension
    final NativeBalance<?> balance = NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private long now;

    @Test
    void estimatesRecordsOfOneSize() {
        assertThat(estimate(random -> SMALL, bytes -> 200)).isCloseTo(RECORDS * 200L, withinPercentage(1));
        assertThat(estimate(random -> BIG, bytes -> 3_000)).isCloseTo(RECORDS * 3_000L, withinPercentage(1));
    }

    /** Mixes in one percent of big records with two thirds of the time: far more per byte than the others. */
    @Test
    void estimatesFewBigRecordsAmongManySmallOnes() {
        IntUnaryOperator size = number -> number % 100 == 0 ? BIG : SMALL;
        long truth = RECORDS / 100 * 99L * 150 + RECORDS / 100 * 30_000L;

        assertThat(estimate(size, bytes -> bytes == BIG ? 30_000 : 150)).isCloseTo(truth, withinPercentage(10));
    }

    /** Alternates two sizes whose sum, overhead included, divides one sample interval exactly. */
    @Test
    void estimatesSizesInStepWithTheInterval() {
        IntUnaryOperator size = number -> number % 2 == 0 ? 1_024 : 5_120;
        long truth = RECORDS / 2 * (100L + 5_000L);

        assertThat(estimate(size, bytes -> bytes == 1_024 ? 100 : 5_000)).isCloseTo(truth, withinPercentage(3));
    }

    /** Simulates ciphers so slow, or so fast, that a record's size matters fully or not at all. */
    @Test
    void estimatesAnyWeightOfSizes() {
        Random random = new Random(7);
        int[] sizes = random.ints(RECORDS, 1, BIG).toArray();
        long bytes = Arrays.stream(sizes).asLongStream().sum();

        assertThat(estimate(number -> sizes[number], size -> 100)).isCloseTo(RECORDS * 100L, withinPercentage(5));
        assertThat(estimate(number -> sizes[number], size -> size)).isCloseTo(bytes, withinPercentage(5));
    }

    @Test
    void separatesSealingAndOpening() {
        try (CryptoMeter meter = new CryptoMeter(new MallocAllocator(), () -> now)) {
            open(meter, BIG, 100_000, 1_000);

            assertThat(meter.nanos(Phase.SEAL)).isZero();
            assertThat(meter.nanos(Phase.OPEN)).isCloseTo(100_000_000L, withinPercentage(3));
        }
    }

    @Test
    void keepsItsValuesAfterTheClose() {
        CryptoMeter meter = new CryptoMeter(new MallocAllocator(), () -> now);
        meter.add(Phase.DERIVE, 5);
        meter.close();

        assertThat(meter.nanos(Phase.DERIVE)).isEqualTo(5);
    }

    @Test
    void estimatesAllHandshakesFromSamples() {
        try (CryptoMeter meter = new CryptoMeter(new MallocAllocator(), () -> now)) {
            int first = 0;
            for (int i = 0; i < 64; i++) {
                first += meter.nextHandshake();
            }
            assertThat(first).isEqualTo(64);

            long weights = 0;
            for (int i = 0; i < 100_000; i++) {
                weights += meter.nextHandshake();
            }
            assertThat(weights).isCloseTo(100_000, withinPercentage(3));
        }
    }

    /** Checks the real clock: it advances while this thread works. */
    @Test
    void readsTheThreadsClock() {
        try (CryptoMeter meter = new CryptoMeter(new MallocAllocator())) {
            long begin = meter.begin();
            long sum = 0;
            for (int i = 0; i < 10_000_000; i++) {
                sum += Integer.hashCode(i * 31);
            }
            meter.add(Phase.ASYMMETRIC, meter.since(begin));

            assertThat(sum).isNotZero();
            assertThat(meter.nanos(Phase.ASYMMETRIC)).isPositive();
        }
    }

    /**
     * Returns the estimate for a sequence of records.
     *
     * @param size size of the record with a number
     */
    private long estimate(IntUnaryOperator size, IntUnaryOperator nanosOf) {
        try (CryptoMeter meter = new CryptoMeter(new MallocAllocator(), () -> now)) {
            for (int number = 0; number < RECORDS; number++) {
                int bytes = size.applyAsInt(number);
                boolean due = meter.isSealDue(bytes);
                long begin = due ? meter.begin() : 0;
                now += nanosOf.applyAsInt(bytes);
                if (due) {
                    meter.sealed(begin, bytes);
                }
            }
            return meter.nanos(Phase.SEAL);
        }
    }

    private void open(CryptoMeter meter, int bytes, int records, long nanos) {
        for (int number = 0; number < records; number++) {
            boolean due = meter.isOpenDue(bytes);
            long begin = due ? meter.begin() : 0;
            now += nanos;
            if (due) {
                meter.opened(begin, bytes);
            }
        }
    }
}
