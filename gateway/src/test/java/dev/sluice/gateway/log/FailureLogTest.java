package dev.sluice.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tls.failure.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private final List<String> lines = new ArrayList<>();
    private long now = 1_000;
    private final FailureLog log = new FailureLog((level, line) -> lines.add(level + " " + line), () -> now);

    @Test
    void tellsThePeersFaultFromOursAndTheEnvironments() {
        log.report(Fault.PEER_MISBEHAVED, "a", "client 1", "m");
        log.report(Fault.PEER_INCOMPATIBLE, "b", "client 2", "m");
        log.report(Fault.ENVIRONMENT, "c", "client 3", "m");
        log.report(Fault.OURS, "d", "client 4", "m");

        assertThat(lines)
                .containsExactly(
                        "INFO client 1 a: m", "INFO client 2 b: m", "WARN client 3 c: m", "ERROR client 4 d: m");
    }

    @Test
    void writesAFewOfAKindAndTellsHowManyMoreThereWere() {
        for (int i = 0; i < 1000; i++) {
            log.report(Fault.PEER_MISBEHAVED, "flood", "client", "m");
        }
        log.report(Fault.PEER_MISBEHAVED, "other", "client", "m");
        assertThat(lines).hasSize(FailureLog.LINES_PER_WINDOW + 1);

        now += Duration.ofSeconds(FailureLog.WINDOW_SECONDS).toNanos();
        log.report(Fault.PEER_MISBEHAVED, "flood", "client", "m");

        assertThat(lines.subList(FailureLog.LINES_PER_WINDOW + 1, lines.size()))
                .containsExactly("INFO 995 more of flood in the last 10 s", "INFO client flood: m");
    }

    @Test
    void tellsWhatWasLeftOutEvenWhenNothingFollows() {
        for (int i = 0; i < 7; i++) {
            log.report(Fault.ENVIRONMENT, "flood", "client", "m");
        }
        log.flush();
        assertThat(lines).hasSize(FailureLog.LINES_PER_WINDOW);

        now += Duration.ofSeconds(12).toNanos();
        log.flush();
        log.flush();

        assertThat(lines.getLast()).isEqualTo("WARN 2 more of flood in the last 12 s");
        assertThat(lines).hasSize(FailureLog.LINES_PER_WINDOW + 1);
    }
}
