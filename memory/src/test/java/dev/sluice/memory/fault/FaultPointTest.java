package dev.sluice.memory.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FaultPointTest {
    private static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static void explode() {
        throw new Injected();
    }

    @Test
    void failsOnlyTheArmedCall() {
        try (FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.EVP, 2, thread -> true, FaultPointTest::explode)) {
            FaultPoint.EVP.reach();
            assertThat(armed.hasHit()).isFalse();
            assertThatThrownBy(FaultPoint.EVP::reach).isInstanceOf(Injected.class);
            FaultPoint.EVP.reach();

            assertThat(armed.calls()).isEqualTo(3);
            assertThat(armed.hasHit()).isTrue();
        }
    }

    @Test
    void countsWithoutFailing() {
        try (FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.POOL, 0, thread -> true, FaultPointTest::explode)) {
            FaultPoint.POOL.reach();
            FaultPoint.POOL.reach();

            assertThat(armed.calls()).isEqualTo(2);
            assertThat(armed.hasHit()).isFalse();
        }
    }

    @Test
    void ignoresOtherKindsAndThreads() {
        Thread self = Thread.currentThread();
        try (FaultPoint.Armed armed =
                FaultPoint.arm(FaultPoint.EVP, 1, thread -> !thread.equals(self), FaultPointTest::explode)) {
            assertThatCode(FaultPoint.EVP::reach).doesNotThrowAnyException();
            assertThatCode(FaultPoint.LIBSSL::reach).doesNotThrowAnyException();

            assertThat(armed.calls()).isZero();
        }
    }

    @Test
    void reportsACallThatFailsWithoutThrowing() {
        try (FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.POOL_EMPTY, 2, thread -> true, () -> {})) {
            assertThat(FaultPoint.POOL_EMPTY.fails()).isFalse();
            assertThat(FaultPoint.POOL_EMPTY.fails()).isTrue();
            assertThat(FaultPoint.POOL_EMPTY.fails()).isFalse();
            assertThat(armed.hasHit()).isTrue();
        }
    }

    @Test
    void failsNothingAfterDisarm() {
        FaultPoint.arm(FaultPoint.EVP, 1, thread -> true, FaultPointTest::explode)
                .close();

        assertThatCode(FaultPoint.EVP::reach).doesNotThrowAnyException();
        assertThat(FaultPoint.EVP.isArmed()).isFalse();
    }
}
