package dev.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetryTest {
    private long now = TimeUnit.DAYS.toNanos(1);
    private final Retry retry = new Retry("SIGHUP", "no such file", now);

    @Test
    void pausesGrowUpToAMinute() {
        for (long seconds : List.of(1, 2, 4, 8, 16, 32, 60, 60)) {
            now += TimeUnit.SECONDS.toNanos(seconds) - 1;
            assertThat(retry.isDue(now)).isFalse();
            now++;
            assertThat(retry.isDue(now)).as("after %d s", seconds).isTrue();
            assertThat(retry.failedAgain("no such file", now)).isFalse();
        }
    }

    @Test
    void logsAnotherProblem() {
        assertThat(retry.failedAgain("in use", now)).isTrue();
        assertThat(retry.failedAgain("in use", now)).isFalse();
    }

    @Test
    void knowsTheRemainingFiles() {
        retry.add(List.of(Path.of("a.pem"), Path.of("b.pem")));

        assertThat(retry.servedNow(List.of(Path.of("a.pem"), Path.of("c.pem")))).isFalse();
        assertThat(retry.files()).containsExactly(Path.of("b.pem"));
        assertThat(retry.servedNow(List.of(Path.of("b.pem")))).isTrue();
    }
}
