package dev.sluice.cost.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Estimate;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests of the model against figures computed by hand. */
class PlanModelTest {
    private static final Offset<Double> EXACT = within(1e-9);

    /** A connection 100 µs, a handshake half as much again, a message 2 µs, a byte 0.5 ns. */
    private static final BaseCosts BASE = new BaseCosts(100, 1.5, 2, 0.5, 500, 1000, 50_000_000);

    private static final CostProfile PROFILE = profile(true);
    private static final PlanModel MODEL = new PlanModel(PROFILE, BASE);

    private static CostProfile profile(boolean postQuantum) {
        List<Figure> figures = new ArrayList<>();
        micros(figures, "asymmetric/rsa-2048/sign", 400);
        micros(figures, "asymmetric/rsa-3072/sign", 1400);
        micros(figures, "asymmetric/ecdsa-p256/sign", 20);
        micros(figures, "asymmetric/x25519/keygen", 30);
        micros(figures, "asymmetric/x25519/derive", 30);
        micros(figures, "handshake/tls13/rsa-2048/full/server", 600);
        micros(figures, "handshake/tls13/rsa-2048/full-1ticket/server", 590);
        micros(figures, "handshake/tls13/rsa-2048/resumed/server", 150);
        micros(figures, "handshake/tls13/rsa-3072/full/server", 1600);
        micros(figures, "handshake/tls13/rsa-3072/resumed/server", 150);
        micros(figures, "handshake/tls12/rsa-2048/full/server", 550);
        micros(figures, "handshake/tls12/rsa-2048/resumed/server", 40);
        micros(figures, "handshake/tls13/ecdsa-p256/full/server", 220);
        micros(figures, "handshake/tls13/ecdsa-p256/full-1ticket/server", 210);
        micros(figures, "handshake/tls13/ecdsa-p256/resumed/server", 150);
        if (postQuantum) {
            micros(figures, "asymmetric/x25519mlkem768/encapsulate", 90);
            micros(figures, "handshake/tls13/rsa-2048/full-pq/server", 640);
            micros(figures, "handshake/tls13/rsa-2048/resumed-pq/server", 190);
        }
        nanos(figures, "aead/aes-128-gcm/1024/seal", 300);
        nanos(figures, "aead/aes-128-gcm/1024/open", 320);
        nanos(figures, "aead/aes-128-gcm/2048/seal", 500);
        nanos(figures, "aead/aes-128-gcm/2048/open", 540);
        nanos(figures, "aead/aes-128-gcm/16384/seal", 3200);
        nanos(figures, "aead/aes-128-gcm/16384/open", 3300);
        bytes(figures, "memory/handshake/native", 70_000);
        bytes(figures, "memory/handshake/java", 300);
        bytes(figures, "memory/connection/direct/native", 600);
        bytes(figures, "memory/connection/direct/java", 400);
        bytes(figures, "memory/connection/memory/native", 48_000);
        bytes(figures, "memory/connection/memory/java", 500);
        bytes(figures, "resumption/cached-session/native", 1000);
        return new CostProfile(Map.of(), figures);
    }

    private static void micros(List<Figure> figures, String name, double value) {
        figures.add(new Figure(name, Figure.Unit.MICROSECONDS, Estimate.exactly(value)));
    }

    private static void nanos(List<Figure> figures, String name, double value) {
        figures.add(new Figure(name, Figure.Unit.NANOSECONDS, Estimate.exactly(value)));
    }

    private static void bytes(List<Figure> figures, String name, double value) {
        figures.add(new Figure(name, Figure.Unit.BYTES, Estimate.exactly(value)));
    }

    private static Load.Settings settings(ProtocolVersion version, KeyKind key, int tickets, boolean postQuantum) {
        return new Load.Settings(version, key, tickets, postQuantum, "aes-128-gcm", Engine.DIRECT, 0.1, 0);
    }

    private static Load load(double resumption, Load.Settings settings) {
        return new Load(10_000, 1_000, resumption, 1_024_000, 2_048_000, 1024, settings);
    }

    private static final Load RSA = load(0.75, settings(ProtocolVersion.TLS_1_3, KeyKind.RSA_2048, 2, false));

    /** Plans 250 full and 750 resumed handshakes per second; 1,000 records of 1 KiB down and 2,000 up. */
    @Test
    void addsTheCostsOfALoadsParts() {
        Plan plan = MODEL.plan(RSA);

        // 250 × (400 + 60) µs + 750 × 60 µs
        assertThat(plan.of(Plan.Work.ASYMMETRIC)).isCloseTo(0.160, EXACT);
        // 250 × 600 µs + 750 × 150 µs = 0.2625, less the above
        assertThat(plan.of(Plan.Work.DERIVATION)).isCloseTo(0.1025, EXACT);
        // 1,000 × 300 ns + 2,000 × 320 ns
        assertThat(plan.of(Plan.Work.RECORDS)).isCloseTo(0.00094, EXACT);
        // 1,000 × 100 µs + half of 0.2625
        assertThat(plan.of(Plan.Work.CONNECTIONS)).isCloseTo(0.23125, EXACT);
        // 3,000 × 2 µs + 3,072,000 × 0.5 ns
        assertThat(plan.of(Plan.Work.BYTES)).isCloseTo(0.007536, EXACT);
        assertThat(plan.totalCores()).isCloseTo(0.502226, EXACT);
        assertThat(plan.dominating()).isEqualTo(Plan.Work.CONNECTIONS);
    }

    @Test
    void addsTheMemoryOfAllHolders() {
        Plan plan = MODEL.plan(RSA);

        assertThat(plan.of(Plan.Held.HANDSHAKES)).isCloseTo(100 * 70_300.0, EXACT);
        assertThat(plan.of(Plan.Held.CONNECTIONS)).isCloseTo(10_000 * 1_500.0, EXACT);
        assertThat(plan.of(Plan.Held.SESSIONS)).isZero();
        assertThat(plan.of(Plan.Held.SOCKETS)).isCloseTo(20_000_000, EXACT);
        assertThat(plan.totalBytes()).isCloseTo(7_030_000 + 15_000_000 + 20_000_000 + 50_000_000, EXACT);
    }

    @Test
    void resumptionWithTls12HasNoPublicKeyOperations() {
        Plan plan = MODEL.plan(load(1, settings(ProtocolVersion.TLS_1_2, KeyKind.RSA_2048, 2, false)));

        assertThat(plan.of(Plan.Work.ASYMMETRIC)).isZero();
        assertThat(plan.of(Plan.Work.DERIVATION)).isCloseTo(0.040, EXACT);
    }

    @Test
    void addsTicketsAndPostQuantumMeasuredSeparately() {
        Plan plan = MODEL.plan(load(0, settings(ProtocolVersion.TLS_1_3, KeyKind.RSA_3072, 1, true)));

        // 1,600, a ticket of 10 less, the exchange of 40 more
        assertThat(plan.of(Plan.Work.ASYMMETRIC) + plan.of(Plan.Work.DERIVATION))
                .isCloseTo(1.630, EXACT);
        assertThat(plan.of(Plan.Work.ASYMMETRIC)).isCloseTo(1.490, EXACT);
    }

    @Test
    void interpolatesAndExtrapolatesRecordSizes() {
        assertThat(MODEL.recordNanos(RSA.withRecordBytes(1536), "seal")).isCloseTo(400, EXACT);
        assertThat(MODEL.recordNanos(RSA.withRecordBytes(2048), "open")).isCloseTo(540, EXACT);
        assertThat(MODEL.recordNanos(RSA.withRecordBytes(16_384), "seal")).isCloseTo(3200, EXACT);
        assertThat(MODEL.recordNanos(RSA.withRecordBytes(512), "seal")).isCloseTo(200, EXACT);
        assertThat(MODEL.recordNanos(RSA.withRecordBytes(1), "seal")).isGreaterThanOrEqualTo(0);
    }

    @Test
    void eachLeverChangesOneSetting() {
        double before = MODEL.plan(RSA).totalCores();

        // Handshakes: 100 × 600 + 900 × 150 µs = 0.195 in place of 0.2625, each half as much again.
        assertThat(cores(Lever.RESUMPTION)).isCloseTo(before - 0.0675 * 1.5, EXACT);
        // 250 × (600 − 220) µs
        assertThat(cores(Lever.ECDSA)).isCloseTo(before - 0.095 * 1.5, EXACT);
        assertThat(cores(Lever.POST_QUANTUM)).isCloseTo(before + 0.040 * 1.5, EXACT);
        assertThat(cores(Lever.NO_RESUMPTION)).isCloseTo(before + 0.3375 * 1.5, EXACT);
        // Fewer records: 3,072,000 / 16,384 = 187.5 of 3,000; 62.5 × 3,200 ns + 125 × 3,300 ns
        assertThat(cores(Lever.BIGGER_RECORDS)).isCloseTo(before - (3000 - 187.5) * 2e-6 - 0.00094 + 0.0006125, EXACT);
        assertThat(Lever.TLS_1_3.pulled(MODEL, RSA)).isEmpty();
    }

    private static double cores(Lever lever) {
        return lever.pulled(MODEL, RSA).orElseThrow().totalCores();
    }

    @Test
    void reportsFiguresThatWereNotMeasured() {
        PlanModel old = new PlanModel(profile(false), BASE);
        Load hybrid = load(0, settings(ProtocolVersion.TLS_1_3, KeyKind.RSA_2048, 2, true));

        assertThat(Lever.POST_QUANTUM.pulled(old, RSA)).isEmpty();
        assertThatThrownBy(() -> old.plan(hybrid))
                .isInstanceOf(CostException.class)
                .hasMessageContaining("x25519mlkem768");
    }

    @Test
    void rejectsImpossibleLoads() {
        Load.Settings usual = RSA.settings();
        assertThatThrownBy(() -> RSA.withResumption(1.1))
                .isInstanceOf(CostException.class)
                .hasMessageContaining("0 to 1, not 1.1");
        assertThatThrownBy(() -> RSA.withRecordBytes(16_385)).hasMessageContaining("1 to 16384, not 16385");
        assertThatThrownBy(() -> new Load(-1, 0, 0, 0, 0, 1, usual)).hasMessageContaining("connections");
        assertThatThrownBy(() -> new Load(1, Double.NaN, 0, 0, 0, 1, usual)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> RSA.with(settings(ProtocolVersion.TLS_1_2, KeyKind.RSA_2048, 2, true)))
                .hasMessageContaining("TLS 1.2");
    }

    @Test
    void scalesToAnotherMachineByItsLoopback() {
        assertThat(BASE.scaled(2, 3)).isEqualTo(new BaseCosts(200, 1.5, 6, 1.5, 500, 1000, 50_000_000));
    }
}
