package dev.sluice.ffi.libc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.CProbe;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessClockTest {
    /** The JDK reads /proc, where user and system time are each rounded down to whole ticks. */
    private static final long TICK_NANOS = 10_000_000;

    /** The kernel's PID_MAX_LIMIT, which no process id reaches. */
    private static final int NO_PID = 1 << 22;

    @Test
    void structMatchesTheHeader() {
        Map<String, Long> c = new CProbe("time.h", "stddef.h")
                .ask("offsetof(struct timespec, tv_sec)")
                .ask("offsetof(struct timespec, tv_nsec)")
                .ask("sizeof(struct timespec)")
                .ask("sizeof(clockid_t)")
                .answers();
        assertThat(c.values())
                .containsExactly(
                        (long) Timespec.SECONDS_OFFSET, (long) Timespec.NANOS_OFFSET, (long) Timespec.BYTES, 4L);
    }

    @Test
    void ownTimeLiesBetweenTwoReadingsOfTheJdk() {
        long before = jdkCpuNanos();
        long ours = ProcessClock.cpuNanos((int) ProcessHandle.current().pid());
        long after = jdkCpuNanos();
        assertThat(ours).isBetween(before, after + 2 * TICK_NANOS);
    }

    @Test
    void rejectsAnUnknownProcess() {
        assertThat(ProcessClock.cpuNanos(NO_PID)).isNegative();
    }

    private static long jdkCpuNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }
}
