package dev.sluice.gateway.collect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.ConfiguredGateway;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.GatewayConformance;
import dev.sluice.gateway.GatewayFixture;
import dev.sluice.gateway.alerts.AlertState;
import dev.sluice.gateway.alerts.AlertStatus;
import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSample;
import dev.sluice.testkit.Credential;
import dev.sluice.testkit.TestCertificates;
import dev.sluice.testkit.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a whole gateway's reaction to an alert: a line, a metric, a command; and none when all alerts are off. */
class GatewayAlertsTest extends GatewayConformance {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private String serving(String more) {
        Credential credential = TestCertificates.shared().server();
        return "listeners:\n  - certificates: [main]\ncertificates:\n  main: {chain: " + credential.chainFile()
                + ", key: " + credential.keyFile() + "}\n" + more;
    }

    private String watching() {
        return serving("alerts: {window: 1s, hold: 0s, clear: 0s, command: [./note, \"$HOME\"]}\n");
    }

    /** Writes down what it is told. */
    private Path writeCommand() throws IOException {
        Path noted = directory.resolve("noted");
        Path script = Files.writeString(
                directory.resolve("note"),
                "#!/bin/sh\necho \"$SLUICE_ALERT $SLUICE_ALERT_STATE $1\" >>" + noted + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return noted;
    }

    @Test
    void itIsLoggedShownCountedAndHandedToTheCommand() throws IOException {
        Path noted = writeCommand();
        ConfiguredGateway configured = ConfiguredGateway.start(fixture, transport, directory, watching());
        Gateway gateway = configured.gateway();
        awaitFiring(gateway, 0);

        gateway.reloadRefused();
        awaitLine(noted, "reload-failed firing $HOME");
        awaitFiring(gateway, 1);
        assertThat(gateway.alerts().alerts())
                .filteredOn(alert -> alert.state() == AlertState.FIRING)
                .extracting(AlertStatus::name)
                .containsExactly("reload-failed");
        assertThat(fixture.lines())
                .anyMatch(line -> line.startsWith("alert reload-failed fires")
                        && line.contains("the last reload of the configuration was rejected. First: "));

        configured.reload(watching());
        awaitLine(noted, "reload-failed ok $HOME");
        awaitFiring(gateway, 0);
        assertThat(fixture.lines()).anyMatch(line -> line.startsWith("alert reload-failed has cleared"));
    }

    @Test
    void aReloadTurnsThemOffAndOn() {
        ConfiguredGateway configured = ConfiguredGateway.start(fixture, transport, directory, serving(""));
        Gateway gateway = configured.gateway();
        assertThat(gateway.alerts().alerts()).isEmpty();
        assertThat(firing(gateway)).isEmpty();

        configured.reload(serving("alerts: {window: 1s, servers-down: off}\n"));
        awaitFiring(gateway, 0);
        assertThat(gateway.alerts().alerts())
                .extracting(AlertStatus::name)
                .contains("backend-down")
                .doesNotContain("servers-down");

        configured.reload(serving(""));
        assertThat(gateway.alerts().alerts()).isEmpty();
        assertThat(firing(gateway)).isEmpty();
    }

    private static List<MetricSample> firing(Gateway gateway) {
        return gateway.metrics().samples(Metric.ALERT_FIRING);
    }

    /** Waits until there are alerts, and as many of them fire. */
    private static void awaitFiring(Gateway gateway, int count) {
        Waiting.until(
                GatewayFixture.LIMIT,
                () -> !firing(gateway).isEmpty()
                        && firing(gateway).stream()
                                        .mapToDouble(MetricSample::value)
                                        .sum()
                                == count,
                () -> "not " + count + " firing: " + gateway.alerts().alerts());
    }

    private static void awaitLine(Path file, String line) {
        Waiting.until(GatewayFixture.LIMIT, () -> lines(file).contains(line), () -> line + " is not in " + lines(file));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
