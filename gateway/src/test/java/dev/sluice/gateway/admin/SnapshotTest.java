package dev.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.json.Json;
import dev.sluice.gateway.metrics.MetricSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Tests of the data that the dashboard receives. */
final class SnapshotTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<?, ?> told = parse(new Snapshot(
            FakeGateway.snapshot(NOW, 100, 50),
            FakeGateway.snapshot(NOW.minusSeconds(60), 90, 50),
            new FakeGateway().alerts(),
            Administered.State.DRAINING));

    @Test
    void countersAreToldByLabelWithWhatTheLastMinuteBrought() {
        Map<?, ?> counts = (Map<?, ?>) Objects.requireNonNull(told.get("counts"));

        assertThat(counts.get("kinds"))
                .isEqualTo(List.of(
                        Map.of("name", "full", "recent", 10, "total", 100),
                        Map.of("name", "resumed", "recent", 0, "total", 50)));
        assertThat(counts.get("failures"))
                .isEqualTo(List.of(Map.of("name", "timeout", "detail", "peer", "recent", 5, "total", 50)));
        assertThat(counts.get("misses")).isEqualTo(List.of(Map.of("name", "unknown_key", "recent", 10, "total", 100)));
    }

    @Test
    void figuresOfOneThingStandInOneRow() {
        Map<?, ?> tables = (Map<?, ?>) Objects.requireNonNull(told.get("tables"));

        assertThat(tables.get("backends"))
                .isEqualTo(List.of(Map.of(
                        "labels", Map.of("backend", "web", "server", "127.0.0.1:8080"),
                        "figures", Map.of("up", 1, "handshakes_total.full", 3))));
    }

    @Test
    void alertsStateFiguresAndVersionsAreTold() {
        assertThat(told.get("state")).isEqualTo("draining");
        assertThat(told.get("alerts")).asString().contains("resumption-ratio", "firing", "Switch \"tickets\" on.");
        assertThat(told.get("figures")).isEqualTo(Map.of("sluice_connections", 7));
        assertThat(told.get("info")).isEqualTo(Map.of("sluice_build_info", Map.of("version", "0.1.0")));
    }

    /** A dashboard lists what happens; most reasons never do. */
    @Test
    void omitsCountsThatAreZero() {
        MetricSnapshot now = FakeGateway.snapshot(Instant.EPOCH, 10, 20);
        Map<?, ?> counts =
                (Map<?, ?>) Objects.requireNonNull(parse(new Snapshot(now, now, List.of(), Administered.State.SERVING))
                        .get("counts"));

        assertThat((List<?>) counts.get("misses"))
                .extracting(miss -> ((Map<?, ?>) miss).get("name"))
                .isEqualTo(List.of("unknown_key"));
    }

    private static Map<?, ?> parse(Snapshot snapshot) {
        String text = Json.of(json -> {
            json.writeStartObject();
            snapshot.writeTo(json, new History());
            json.writeEndObject();
        });
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }
}
