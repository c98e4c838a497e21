package dev.sluice.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.doctor.audit.ServerCosts;
import org.junit.jupiter.api.Test;

/** Tests that the doctor finds the cost of a certificate's key in a measurement. */
class MeasuredCostsTest {
    private static final String MEASUREMENT = """
            {"format": "sluice-cost/1", "facts": {}, "figures": {
              "handshake/tls13/ecdsa-p256/full/server":
                {"unit": "us", "median": 150.5, "low": 150, "high": 151, "rounds": 9},
              "handshake/tls12/rsa-2048/resumed/server":
                {"unit": "us", "median": 40, "low": 39, "high": 41, "rounds": 9}}}
            """;

    private final ServerCosts costs = MeasuredCosts.of(CostProfileFile.parse(MEASUREMENT, "cost.json"), "cost.json");

    @Test
    void findsAFigureByVersionKeyAndKind() {
        assertThat(costs.micros(true, "EC 256", false)).hasValue(150.5);
        assertThat(costs.micros(false, "RSA 2048", true)).hasValue(40);
    }

    @Test
    void omitsFiguresThatWereNotMeasured() {
        assertThat(costs.micros(true, "EC 256", true)).isEmpty();
        assertThat(costs.micros(true, "RSA 1024", false)).isEmpty();
    }

    @Test
    void namesTheSourceOfItsFigures() {
        assertThat(costs.source()).contains("cost.json", "without sockets");
    }
}
