package dev.sluice.gateway.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.acme.AcmeStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderLimitTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int ROUNDS = 20;
    private static final int THREADS = 8;

    @TempDir
    Path directory = Path.of("");

    @Test
    void holdsForAllThatShareTheDirectory() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Instant now = NOW.plus(Duration.ofDays(round));

            List<Boolean> allowed = Together.run(THREADS, () -> new OrderLimit(files()).enter(5, now) == null);

            assertThat(allowed).filteredOn(each -> each).hasSize(5);
        }
    }

    @Test
    void countsNothingWhileAnotherCounts() throws Exception {
        OrderLimit limit = new OrderLimit(files(), Duration.ZERO);
        try (Lease other = files().lease("orders", Duration.ZERO)) {
            assertThat(other).isNotNull();
            assertThatThrownBy(() -> limit.enter(1, NOW))
                    .isInstanceOf(AcmeFailure.class)
                    .hasMessageContaining("orders.lock is locked by another order");
        }
        assertThat(limit.enter(1, NOW)).isNull();
        assertThat(limit.enter(1, NOW)).isEqualTo(NOW.plus(Duration.ofHours(1)));
    }

    private StateFiles files() {
        return new StateFiles(new AcmeStorage(directory, directory.resolve("seal.key")));
    }
}
