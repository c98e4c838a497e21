package dev.sluice.bench.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.Site;
import dev.sluice.testkit.ForeignProgram;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A round with some hundred connections, and the figures of a round. */
class IdleBenchmarkTest {
    private static final int CONNECTIONS = 300;
    private static final int KIB = 1024;

    @Test
    void connectionsRestAndMessagesPass() throws Exception {
        ForeignProgram.required("nginx", "nginx libnginx-mod-stream");
        ForeignProgram.required("openssl", "openssl");
        try (Site site = Site.create(Cores.choose(), Optional.empty())) {
            Sample sample = new RestTreatment(site, new RestingNginx(), CONNECTIONS, 1).round();

            assertThat(sample.value(RestTreatment.PROCESSES)).isEqualTo(1);
            assertThat(sample.value(RestTreatment.SERVER)).isPositive();
            assertThat(sample.value(RestTreatment.OPENED)).isPositive();
            assertThat(sample.value(RestTreatment.P99)).isGreaterThanOrEqualTo(sample.value(RestTreatment.P50));
        }
    }

    @Test
    void reportsConnectionsThatTheServerEnds() throws Exception {
        ForeignProgram.required("nginx", "nginx libnginx-mod-stream");
        ForeignProgram.required("openssl", "openssl");
        try (Site site = Site.create(Cores.choose(), Optional.empty());
                RestingHall hall = RestingHall.open(site, new RestingNginx(), CONNECTIONS)) {
            hall.fill(1);
            hall.requireAllOpen();
            hall.drain();

            assertThatThrownBy(hall::requireAllOpen)
                    .isInstanceOf(BenchException.class)
                    .hasMessageContaining("opened=300, resting=0");
        }
    }

    @Test
    void memoryIsTheGrowthPerConnection() {
        RestFigures few = new RestFigures(100, 1_000_000, 500_000, 0, 2_000_000, 100_000, 0.001, 50_000, 90_000);
        RestFigures all = new RestFigures(
                1_100,
                1_000_000 + 4_000 * KIB,
                500_000 + 1_000 * KIB,
                0,
                2_000_000 + 16_000 * KIB,
                100_000 + 500 * KIB,
                0.002,
                60_000,
                95_000);

        Sample sample = RestTreatment.sample(few, all);

        assertThat(sample.value(RestTreatment.SERVER)).isEqualTo(4);
        assertThat(sample.value(RestTreatment.HEAP)).isEqualTo(1);
        assertThat(sample.value(RestTreatment.KERNEL)).isEqualTo(16);
        assertThat(sample.value(RestTreatment.CROWD)).isEqualTo(0.5);
        assertThat(sample.value(RestTreatment.BUSY)).isEqualTo(0.2);
        assertThat(sample.value(RestTreatment.P50)).isEqualTo(60);
    }

    @Test
    void asManyServersAsTheDescriptorsDemand() {
        assertThat(RestingServer.connectionsMax(20_000)).isEqualTo(9_750);
        assertThat(RestingHall.shares(9_000, 9_750)).containsExactly(9_000);
        assertThat(RestingHall.shares(20_000, 9_750)).containsExactly(6_667, 6_667, 6_666);
        assertThat(RestingHall.shares(250_000, RestingServer.connectionsMax(1_048_576)))
                .containsExactly(250_000);
    }

    @Test
    void clientsHaveAsManyAddressesAsThePortsDemand() {
        assertThat(RestingCell.crowdsFor(9_000)).isEqualTo(1);
        assertThat(RestingCell.crowdsFor(250_000)).isEqualTo(13);
        assertThat(CrowdProcess.sourceOf(0)).isEqualTo("127.1.0.0");
        assertThat(CrowdProcess.sourceOf(300)).isEqualTo("127.1.1.44");
    }
}
