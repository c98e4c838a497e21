package dev.sluice.bench.terminator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment.Plan;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.Site;
import dev.sluice.testkit.ForeignProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every peer runs every phase, with little work: configurations are correct, and sessions really resume. */
class PeersTest {
    private static final Effort LITTLE = new Effort(0, 1, new Plan(0, 1), new Plan(0, 1), new Plan(0, 1), 100);

    static Stream<Terminator> peers() {
        return Stream.of(
                NginxTerminator.terminating(),
                NginxTerminator.relaying(),
                HaproxyTerminator.terminating(),
                HitchTerminator.terminating(),
                EnvoyTerminator.terminating());
    }

    @ParameterizedTest
    @MethodSource("peers")
    void everyPhaseRuns(Terminator terminator) throws Exception {
        require(terminator);
        try (Site site = Site.create(Cores.choose(), Optional.empty());
                LoadProcess load =
                        LoadProcess.start(loadCommand(), site.directory().resolve("load.log"));
                Fleet fleet = new Fleet(site, load)) {
            for (Phase phase :
                    List.of(Phase.DOWNLOAD, Phase.UPLOAD, Phase.HANDSHAKE, Phase.RESUMED, Phase.ECHO, Phase.ECHO_4K)) {
                LoadPhase work = LoadPhase.of(phase);
                Sample sample = new LoadTreatment(terminator, work, LITTLE, fleet, load).round();
                assertThat(sample.value(work.cost())).as(phase.toString()).isPositive();
                assertThat(sample.value(work.rate())).as(phase.toString()).isPositive();
            }
            HalfLoad rate = new HalfLoad(terminator.identity(), 2_000);
            Sample paced =
                    LatencyTreatment.of(terminator, rate, LITTLE, fleet, load).round();
            assertThat(paced.value(LatencyTreatment.P50)).isPositive();
            assertThat(paced.value(LatencyTreatment.P999)).isGreaterThanOrEqualTo(paced.value(LatencyTreatment.P50));
            Sample started = new StartupTreatment(terminator, fleet).round();
            assertThat(started.value(StartupTreatment.RESIDENT)).isPositive();
        }
    }

    @Test
    void measuresTheFirstHandshakes() throws Exception {
        Terminator terminator = NginxTerminator.terminating();
        require(terminator);
        try (Site site = Site.create(Cores.choose(), Optional.empty());
                LoadProcess load =
                        LoadProcess.start(loadCommand(), site.directory().resolve("load.log"));
                Fleet fleet = new Fleet(site, load)) {
            Sample cold = new ColdStartTreatment(terminator, LITTLE, fleet, load).round();
            for (Metric each : ColdStartTreatment.metrics()) {
                assertThat(cold.value(each)).as(each.key()).isPositive();
            }
        }
    }

    @Test
    void hitchReportsVersionAndOpenSsl() throws Exception {
        require(HitchTerminator.terminating());
        try (Site site = Site.create(Cores.choose(), Optional.empty())) {
            assertThat(HitchTerminator.terminating().version(site)).matches("[0-9.]+ on OpenSSL [0-9]+[.][0-9.]+");
        }
    }

    @Test
    void leavesNothingBehind() throws Exception {
        require(NginxTerminator.terminating());
        Path directory;
        Fleet.Member server;
        try (Site site = Site.create(Cores.choose(), Optional.empty());
                LoadProcess load =
                        LoadProcess.start(loadCommand(), site.directory().resolve("load.log"));
                Fleet fleet = new Fleet(site, load)) {
            directory = site.directory();
            server = fleet.running(NginxTerminator.terminating());
        }
        assertThat(server.process().alive()).isFalse();
        assertThat(directory).doesNotExist();
    }

    @Test
    void rejectsADirectoryWithoutOpenSsl(@TempDir Path empty) {
        assertThatThrownBy(() -> Site.create(Cores.choose(), Optional.of(empty)))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("no libssl.so.3 in " + empty);
    }

    @Test
    void aServerThatDiesWhileStartingReportsTheCause() throws Exception {
        require(HaproxyTerminator.terminating());
        try (Site site = Site.create(Cores.choose(), Optional.empty());
                LoadProcess load =
                        LoadProcess.start(loadCommand(), site.directory().resolve("load.log"));
                Fleet fleet = new Fleet(site, load)) {
            Files.delete(site.certificate().both());
            assertThatThrownBy(() -> fleet.running(HaproxyTerminator.terminating()))
                    .isInstanceOf(BenchException.class)
                    .hasMessageContaining("HAProxy ended with exit code 1")
                    .hasMessageContaining("both.pem");
        }
    }

    private static void require(Terminator terminator) {
        switch (terminator) {
            case HaproxyTerminator haproxy -> ForeignProgram.required("haproxy", "haproxy");
            case HitchTerminator hitch -> ForeignProgram.required("hitch", "hitch");
            case EnvoyTerminator envoy -> ForeignProgram.required("envoy", EnvoyTerminator.PACKAGES);
            default -> ForeignProgram.required("nginx", "nginx libnginx-mod-stream");
        }
        ForeignProgram.required("openssl", "openssl");
    }

    private static List<String> loadCommand() {
        return JavaCommand.of(List.of("-Xmx256m"), "dev.sluice.bench", LoadMain.class.getName(), List.of());
    }
}
