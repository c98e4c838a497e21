package dev.sluice.gateway.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.monitoring.AlertConfig;
import dev.sluice.config.monitoring.AlertName;
import dev.sluice.config.monitoring.AlertName.Kind;
import dev.sluice.config.yaml.Quantities;
import dev.sluice.testkit.ForeignProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules for Prometheus say the same as the gateway, and Prometheus's own tool agrees with them. */
class PrometheusRulesTest {
    /** The threshold is the last that an expression compares with. */
    private static final Pattern THRESHOLD = Pattern.compile("([<>]|==) (\\d+(?:\\.\\d+)?)$");

    /** Shares of too few handshakes tell nothing. */
    private static final Pattern MINIMUM = Pattern.compile(">= (\\d+)\\)");

    private static List<Map<?, ?>> rules() {
        List<Map<?, ?>> rules = new ArrayList<>();
        for (Object group : (List<?>) Objects.requireNonNull(
                MonitoringFiles.read(MonitoringFiles.RULES).get("groups"))) {
            ((List<?>) Objects.requireNonNull(((Map<?, ?>) group).get("rules")))
                    .forEach(rule -> rules.add((Map<?, ?>) rule));
        }
        return rules;
    }

    private static Map<?, ?> rule(AlertName alert) {
        return rules().stream()
                .filter(rule -> alert.key().equals(labels(rule).get("sluice_alert")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no rule with the label sluice_alert: " + alert.key()));
    }

    private static Map<?, ?> labels(Map<?, ?> rule) {
        return (Map<?, ?>) Objects.requireNonNull(rule.get("labels"));
    }

    private static String expression(Map<?, ?> rule) {
        return String.valueOf(rule.get("expr"));
    }

    @ParameterizedTest
    @EnumSource
    void eachAlertOfTheGatewayIsARuleWithTheSameThreshold(AlertName alert) {
        Map<?, ?> rule = rule(alert);
        AlertConfig config = AlertConfig.DEFAULT;

        assertThat(rule.get("alert")).isEqualTo(camelCase(alert));
        assertThat(rule.get("for")).isEqualTo(Quantities.text(config.hold()));
        assertThat(rule.get("keep_firing_for")).isEqualTo(Quantities.text(config.clear()));
        MatchResult threshold =
                THRESHOLD.matcher(expression(rule)).results().findFirst().orElseThrow();
        if (alert.kind() != Kind.SWITCH) {
            assertThat(threshold.group(1)).isEqualTo(alert.firesAbove() ? ">" : "<");
            assertThat(Double.parseDouble(threshold.group(2))).isEqualTo(alert.defaultThreshold());
        }
        if (alert.kind() == Kind.RATE) {
            assertThat(expression(rule)).contains("[" + Quantities.text(config.window()) + "]");
        }
    }

    @Test
    void sharesNeedAsManyHandshakesAsInTheGateway() {
        List<String> minimums = rules().stream()
                .map(PrometheusRulesTest::expression)
                .flatMap(expression -> MINIMUM.matcher(expression).results())
                .map(match -> match.group(1))
                .toList();

        assertThat(minimums).isNotEmpty().containsOnly(Integer.toString(AlertConfig.DEFAULT.minimumHandshakes()));
    }

    @Test
    void thereAreNoOtherRulesButTheOneThatHandsOnWhatTheGatewayTells() {
        List<String> known = new ArrayList<>(Arrays.stream(AlertName.values())
                .map(PrometheusRulesTest::camelCase)
                .toList());
        known.add("SluiceAlertFiring");

        assertThat(rules().stream().map(rule -> String.valueOf(rule.get("alert"))))
                .containsExactlyInAnyOrderElementsOf(known);
    }

    private static String camelCase(AlertName alert) {
        StringBuilder name = new StringBuilder("Sluice");
        for (String word : alert.key().split("-", -1)) {
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return name.toString();
    }

    @Test
    void expressionsNameOnlyWhatThePageOfMetricsHas() {
        assertThat(rules())
                .allSatisfy(rule ->
                        assertThat(MonitoringFiles.unknownIn(expression(rule))).isEmpty());
        assertThat(MonitoringFiles.unknownIn("sum by (colour) (sluice_tls_handshakes_total{shape=\"round\"})"))
                .hasSize(2);
        assertThat(MonitoringFiles.unknownIn("sluice_nothing_total")).hasSize(1);
    }

    /** And each rule leads there. */
    @ParameterizedTest
    @EnumSource
    void thePageExplainsEachAlert(AlertName alert) {
        assertThat(MonitoringFiles.text(MonitoringFiles.PAGE).lines()).contains("### " + alert.key());
        assertThat(String.valueOf(rule(alert).get("annotations"))).contains("docs/alerts.md#" + alert.key());
    }

    @Test
    void promtoolTakesTheRules() {
        promtool("check", "rules", MonitoringFiles.RULES);
    }

    /** Series in, alerts out: those that should fire, and no others. */
    @Test
    void promtoolFindsThatTheRulesDoWhatTheyShould() {
        promtool("test", "rules", MonitoringFiles.RULES_TEST);
    }

    private static void promtool(String verb, String what, Path file) {
        ForeignProgram.required("promtool", "prometheus")
                .command(verb, what, file.toString())
                .run()
                .expectSuccess();
    }
}
