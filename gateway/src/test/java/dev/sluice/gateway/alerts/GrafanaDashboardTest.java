package dev.sluice.gateway.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.ForeignProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The dashboard for Grafana can be imported, and shows only what there is. */
class GrafanaDashboardTest {
    private final Map<?, ?> dashboard = MonitoringFiles.read(MonitoringFiles.DASHBOARD);

    private List<Map<?, ?>> panels() {
        List<Map<?, ?>> panels = new ArrayList<>();
        ((List<?>) Objects.requireNonNull(dashboard.get("panels"))).forEach(panel -> panels.add((Map<?, ?>) panel));
        return panels;
    }

    /** The reader of these tests takes YAML, of which JSON is a part. */
    @Test
    void itIsJson() {
        ForeignProgram.required("python3", "python3")
                .command("-m", "json.tool", MonitoringFiles.DASHBOARD.toString(), "/dev/null")
                .run()
                .expectSuccess();
    }

    @Test
    void itHasWhatAnImportNeeds() {
        assertThat(dashboard.get("schemaVersion")).isInstanceOf(Integer.class);
        assertThat(dashboard.get("uid")).isEqualTo("sluice");
        assertThat(panels())
                .extracting(panel -> panel.get("id"))
                .doesNotHaveDuplicates()
                .doesNotContainNull();
        assertThat(panels()).extracting(panel -> panel.get("gridPos")).doesNotHaveDuplicates();
    }

    /** No Grafana has the one that we had. */
    @Test
    void theDatasourceIsAVariable() {
        assertThat(MonitoringFiles.textsUnder("uid", panels())).isNotEmpty().containsOnly("${datasource}");
        assertThat(MonitoringFiles.textsUnder("name", dashboard.get("templating")))
                .contains("datasource", "job", "instance");
    }

    @Test
    void expressionsNameOnlyWhatThePageOfMetricsHas() {
        List<String> expressions = new ArrayList<>(MonitoringFiles.textsUnder("expr", dashboard));
        expressions.addAll(MonitoringFiles.textsUnder("definition", dashboard));

        assertThat(expressions)
                .hasSizeGreaterThan(30)
                .allSatisfy(expression ->
                        assertThat(MonitoringFiles.unknownIn(expression)).isEmpty());
    }

    /** Checks with Prometheus's own parser that expressions can be evaluated; variables of Grafana are filled in. */
    @Test
    void expressionsAreWhatPrometheusTakes() {
        ForeignProgram promtool = ForeignProgram.required("promtool", "prometheus");
        StringBuilder rules = new StringBuilder("groups:\n  - name: panels\n    rules:\n");
        List<String> expressions = MonitoringFiles.textsUnder("expr", panels());
        for (int i = 0; i < expressions.size(); i++) {
            String expression =
                    expressions.get(i).replace("$__rate_interval", "1m").replace("'", "''");
            rules.append("      - {record: panel_")
                    .append(i)
                    .append(", expr: '")
                    .append(expression)
                    .append("'}\n");
        }

        promtool.command("check", "rules", "/dev/stdin")
                .input(rules.toString())
                .run()
                .expectSuccess();
    }
}
