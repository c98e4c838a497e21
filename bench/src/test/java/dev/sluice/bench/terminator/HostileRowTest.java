package dev.sluice.bench.terminator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.hostile.HostileKind;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.scrape.GatewayFigures;
import dev.sluice.bench.scrape.MetricsPage;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that distinguish the gateway's failures from acceptable effects. */
class HostileRowTest {
    private static final int CONNECTIONS = 1_000;
    private static final String PAGE = """
            HTTP/1.1 200 OK

            # HELP sluice_connections Client connections that are open now.
            sluice_connections 3
            sluice_loop_connections{loop="loop-0"} 5
            sluice_loop_connections{loop="loop-1"} 2
            sluice_loop_buffers_leased{loop="loop-0"} 130
            sluice_memory_handles{owner="connection keys"} 3
            sluice_memory_handles{owner="loop-0 buffers"} 9
            """;

    private final GatewayFigures before = GatewayFigures.of(new MetricsPage(PAGE), 100_000_000, 40, 7);

    @Test
    void parsesFiguresOfThePage() {
        assertThat(before)
                .isEqualTo(new GatewayFigures(
                        3, 4, 130, Map.of("connection keys", 3L, "loop-0 buffers", 9L), 100_000_000, 40, 7));
        assertThatThrownBy(() -> GatewayFigures.of(new MetricsPage("sluice_connections 3\n"), 0, 0, 0))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("sluice_loop_connections");
    }

    @Test
    void releasedResourcesAreNoFailure() {
        GatewayFigures grown = new GatewayFigures(
                3, 4, 200, Map.of("connection keys", 3L, "loop-0 buffers", 90L), 500_000_000, 40, 20);
        HostileRow row = row(grown, CONNECTIONS, 0);

        assertThat(row.faults()).isEmpty();
        assertThat(row.cells()).hasSameSizeAs(HostileRow.TITLES).contains("2.00", "3.00");
        assertThat(row.cells().getLast()).isEmpty();
    }

    @Test
    void namesResourcesThatWereNotReleased() {
        GatewayFigures leaked = new GatewayFigures(
                13, 14, 1_130, Map.of("connection keys", 13L, "SSL", 2L, "loop-0 buffers", 9L), 1, 60, 7_000);
        HostileRow row = row(leaked, 10, 2);

        assertThat(row.faults())
                .hasSize(8)
                .allMatch(fault -> fault.startsWith("bad-tag: "))
                .anyMatch(fault -> fault.contains("client connections open: 13, at most 3"))
                .anyMatch(fault -> fault.contains("buffers in use: 1130, at most 258"))
                .anyMatch(fault -> fault.contains("connection keys held: 13, at most 3"))
                .anyMatch(fault -> fault.contains("SSL held: 2, at most 0"));
        assertThat(row.cells().getLast()).isEqualTo("FAILED");
    }

    @Test
    void fewEffectiveClientsAreReportedAndNoFailure() {
        HostileRow row = row(before, 499, 0);

        assertThat(row.faults()).isEmpty();
        assertThat(row.weakness())
                .hasValueSatisfying(weakness -> assertThat(weakness).startsWith("bad-tag: only 499 of 1000"));
        assertThat(row.cells().getLast()).isEqualTo("WEAK");
        assertThat(row(before, 500, 0).weakness()).isEmpty();
    }

    private HostileRow row(GatewayFigures after, double handshakes, double unended) {
        return new HostileRow(
                HostileKind.BAD_TAG,
                CONNECTIONS,
                new Answer("ok", Map.of("nanos", 1e9, "connected", 1e3, "handshakes", handshakes, "unended", unended)),
                before,
                after,
                new Answer("ok", Map.of("p50", 1e7, "p99", 2e7, "count", 5.0)),
                new Answer("ok", Map.of("p50", 2e7, "p99", 6e7, "count", 5.0)));
    }
}
