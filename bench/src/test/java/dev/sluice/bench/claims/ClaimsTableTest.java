package dev.sluice.bench.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cost.measure.Effort;
import dev.sluice.cost.measure.Measurement;
import dev.sluice.cost.measure.Progress;
import org.junit.jupiter.api.Test;

/** Published figures beside a measurement of this machine. */
final class ClaimsTableTest {
    @Test
    void printsARowForEachPublishedFigure() {
        String table = new ClaimsTable(new Measurement(Effort.ONCE, Progress.NONE).run()).markdown();

        assertThat(table)
                .contains("| Published | claimed | measured here | holds here |", "RSA-2048, the private operation");
    }
}
