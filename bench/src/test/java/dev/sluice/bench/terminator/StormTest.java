package dev.sluice.bench.terminator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.harness.Experiment;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Sample;
import dev.sluice.bench.harness.Summary;
import dev.sluice.bench.load.LoadMain;
import dev.sluice.bench.load.LoadProcess;
import dev.sluice.bench.process.Answer;
import dev.sluice.bench.process.AskedProcess;
import dev.sluice.bench.process.Certificate;
import dev.sluice.bench.process.Cores;
import dev.sluice.bench.process.JavaCommand;
import dev.sluice.bench.process.Site;
import dev.sluice.bench.storm.StormMain;
import dev.sluice.testkit.ForeignProgram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of a storm at the peers, with little work, and of its figures. */
class StormTest {
    /** Clients give up after two seconds: few enough that a busy machine serves them by then. */
    private static final double PER_SECOND = 100;

    private static final long MILLIS = 300;

    static Stream<Terminator> peers() {
        return Stream.of(
                NginxTerminator.terminating(), HaproxyTerminator.terminating(), HaproxyTerminator.limited(10_000));
    }

    /** Runs far below any server's capacity: all clients are served, and resuming ones resume. */
    @ParameterizedTest
    @MethodSource("peers")
    void servesAllClientsFarBelowCapacity(Terminator terminator) throws Exception {
        ForeignProgram.required("nginx", "nginx libnginx-mod-stream");
        ForeignProgram.required("haproxy", "haproxy");
        ForeignProgram.required("openssl", "openssl");
        try (Site site = Site.create(Cores.choose(), Optional.empty());
                LoadProcess load = LoadProcess.start(
                        command(LoadMain.class), site.directory().resolve("load.log"));
                AskedProcess established = process(site, "established");
                AskedProcess storm = process(site, "storm");
                Fleet fleet = new Fleet(site, load)) {
            Sample sample =
                    new StormTreatment(terminator, PER_SECOND, MILLIS, site.cores(), fleet, established, storm).round();

            assertThat(sample.value(StormTreatment.CALM_P50)).isPositive();
            assertThat(sample.value(StormTreatment.STORM_P99))
                    .isGreaterThanOrEqualTo(sample.value(StormTreatment.STORM_P50));
            assertThat(sample.value(StormTreatment.RESUMED)).isGreaterThan(0.9);
            assertThat(sample.value(StormTreatment.FULL)).isGreaterThan(0.9);
        }
    }

    @Test
    void sharesReferToArrivedClients() {
        Sample sample = StormTreatment.sample(
                answer("p50", 100_000, "p99", 200_000, "p999", 300_000),
                answer("p50", 150_000, "p99", 500_000, "p999", 900_000),
                answer(
                        "begun",
                        1_000,
                        "nanos",
                        2e9,
                        "full_served",
                        90,
                        "full_refused",
                        700,
                        "full_lost",
                        110,
                        "resuming_served",
                        80,
                        "resuming_refused",
                        15,
                        "resuming_lost",
                        5,
                        "not_resumed",
                        10,
                        "refusal_p50",
                        1e6,
                        "refusal_p99",
                        4e6,
                        "resumed_p99",
                        8e6));

        assertThat(sample.value(StormTreatment.TIMES)).isEqualTo(2.5);
        assertThat(sample.value(StormTreatment.CALM_P99)).isEqualTo(200);
        assertThat(sample.value(StormTreatment.RESUMED)).isEqualTo(0.7);
        assertThat(sample.value(StormTreatment.FULL)).isEqualTo(0.1);
        assertThat(sample.value(StormTreatment.LOST)).isCloseTo(0.115, within(1e-9));
        assertThat(sample.value(StormTreatment.REFUSAL_P99)).isEqualTo(4);
        assertThat(sample.value(StormTreatment.SERVED)).isEqualTo(85);
        assertThat(sample.value(StormTreatment.COME)).isEqualTo(500);
    }

    @Test
    void chartHasTwoBarsForEach() {
        Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        samples.put(Identity.of("ours", Role.SUBJECT), List.of(noticed(100, 150)));
        samples.put(Identity.of("theirs", Role.PEER), List.of(noticed(120, 50_000)));
        Experiment experiment =
                new Experiment("storm", "Storm", StormTreatment.TIMES, List.of(), List.of(), new Experiment.Plan(0, 1));
        String svg = StormChart.svg(new ExperimentResult(experiment, samples, Map.of(), new Summary(0, 0, 0, 0, 1)));

        assertThat(svg).contains("ours", "theirs", "calm 100 µs", "storm 150 µs", "storm 50,000 µs (cut off)");
        assertThat(svg.split("<rect", -1)).hasSize(1 + 1 + 4);
    }

    private static Sample noticed(double calm, double storm) {
        return Sample.of(StormTreatment.TIMES, storm / calm)
                .with(StormTreatment.CALM_P99, calm)
                .with(StormTreatment.STORM_P99, storm)
                .with(StormTreatment.RESUMED, 1)
                .with(StormTreatment.LOST, 0);
    }

    @Test
    void parsesTheOutputOfOpensslSpeed() {
        Primitives primitives = Primitives.parse("""
                +DTP:2048:private:rsa:1
                +F2:2:2048:2000.000000:80000.0
                +F4:0:256:50000.0:16000.0
                +F5:0:253:40000.0:0.000025
                """);

        assertThat(primitives).isEqualTo(new Primitives(500, 20, 25));
        assertThatThrownBy(() -> Primitives.parse("+F2:2:2048:2000.0:80000.0\n"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("+F4:");
    }

    @Test
    void aClaimHoldsWithinItsTolerance() throws Exception {
        Map<Identity, List<Sample>> samples = new LinkedHashMap<>();
        for (HandshakeKind kind : HandshakeKind.all()) {
            boolean rsa = kind.certificate() == Certificate.Kind.RSA_2048;
            double library = kind.resumed() ? 100 : rsa ? 800 : 200;
            samples.put(
                    Identity.of(kind.toString(), Role.SUBJECT),
                    List.of(Sample.of(HandshakeTreatment.GATEWAY, library + 100)
                            .with(HandshakeTreatment.LIBRARY, library)));
        }
        Experiment experiment = new Experiment(
                "handshakes",
                "Handshakes",
                HandshakeTreatment.GATEWAY,
                List.of(),
                List.of(),
                new Experiment.Plan(0, 1));
        ExperimentResult result = new ExperimentResult(experiment, samples, Map.of(), new Summary(0, 0, 0, 0, 1));
        List<String> lines = new PublishedClaims(result, new Primitives(500, 20, 100))
                .table(Report.Style.MARKDOWN)
                .lines()
                .toList();

        assertThat(lines).contains("| RSA-2048, the private operation, µs | 2,000 | 500 | no: less |");
        assertThat(lines).contains("| full handshake, ECDSA, in the library, µs | 250 | 200 | yes |");
        assertThat(lines).contains("| resumed handshake in the library, µs | 50 | 100 | no: more |");
    }

    @Test
    void eightKindsOfHandshakeHaveEightNames() {
        assertThat(HandshakeKind.all())
                .hasSize(8)
                .extracting(HandshakeKind::toString)
                .doesNotHaveDuplicates();
    }

    private static Answer answer(Object... words) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            numbers.put((String) words[i], ((Number) words[i + 1]).doubleValue());
        }
        return new Answer("ok", numbers);
    }

    private static AskedProcess process(Site site, String name) {
        return AskedProcess.start(
                name, command(StormMain.class), Map.of(), site.directory().resolve(name + ".log"));
    }

    private static List<String> command(Class<?> main) {
        return JavaCommand.of(List.of("-Xmx256m"), "dev.sluice.bench", main.getName(), List.of());
    }
}
