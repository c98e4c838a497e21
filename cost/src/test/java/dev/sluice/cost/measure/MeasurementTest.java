package dev.sluice.cost.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.json.Json;
import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.CostProfileFile;
import dev.sluice.cost.figures.Figure;
import dev.sluice.cost.plan.Engine;
import dev.sluice.cost.plan.Lever;
import dev.sluice.cost.plan.Load;
import dev.sluice.cost.plan.PlanModel;
import dev.sluice.cost.report.CostTables;
import dev.sluice.cost.report.PlanText;
import dev.sluice.ffi.openssl.raw.OpenSsl;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests with a shortest possible measurement of everything. Durations are not checked. */
class MeasurementTest {
    private static final List<String> TOLD = new ArrayList<>();
    private static final CostProfile[] MEASURED = new CostProfile[1];

    @BeforeAll
    static void measure() {
        MEASURED[0] = new Measurement(Effort.ONCE, (done, all, what) -> TOLD.add(done + "/" + all)).run();
    }

    private static CostProfile profile() {
        return MEASURED[0];
    }

    @Test
    void measuresAllSixPhases() {
        assertThat(profile().figures())
                .extracting(Figure::name)
                .contains(
                        "asymmetric/rsa-4096/sign",
                        "asymmetric/ed25519/verify",
                        "asymmetric/p256/derive",
                        "derivation/tls13-sha384",
                        "chain/rsa-2048/1",
                        "chain/ecdsa-p256/4",
                        "aead/aes-256-gcm/64/open",
                        "aead/chacha20-poly1305/16384/evp",
                        "memory/handshake/native",
                        "memory/lean-handshake/native",
                        "memory/connection/direct/java",
                        "memory/connection/memory/native",
                        "resumption/tls13/ticket",
                        "resumption/cached-session/native",
                        "loopback/connection",
                        "handshake/tls12/ecdsa-p384/resumed/client",
                        "handshake/tls13/ed25519/full/latency-p99",
                        "handshake/tls13/rsa-2048/resumed-1ticket/server");
    }

    @Test
    void measuresPostQuantumWhereSupported() {
        boolean there = OpenSsl.require().supportsGroup("X25519MLKEM768");

        assertThat(profile().has("asymmetric/x25519mlkem768/decapsulate")).isEqualTo(there);
        assertThat(profile().has("handshake/tls13/ecdsa-p256/full-pq/server")).isEqualTo(there);
    }

    @Test
    void timesArePositive() {
        assertThat(profile().under("asymmetric/"))
                .allSatisfy(figure ->
                        assertThat(figure.estimate().median()).as(figure.name()).isPositive());
        assertThat(profile().under("handshake/"))
                .allSatisfy(figure ->
                        assertThat(figure.estimate().median()).as(figure.name()).isPositive());
    }

    @Test
    void aLeanHandshakeInFlightTakesLessThanOneOfLibssl() {
        assertThat(profile().median("memory/lean-handshake/native"))
                .isPositive()
                .isLessThan(profile().median("memory/handshake/native") / 2);
    }

    @Test
    void sizesOfTicketsAndSessionsMatchTheirContents() {
        assertThat(profile().median("resumption/tls13/ticket")).isBetween(100.0, 1000.0);
        assertThat(profile().median("resumption/tls12/ticket")).isBetween(100.0, 1000.0);
        assertThat(profile().median("resumption/tls13/session"))
                .isGreaterThan(profile().median("resumption/tls13/ticket"));
    }

    @Test
    void progressReachesItsEnd() {
        String last = TOLD.getLast();

        assertThat(last).isEqualTo(last.split("/", -1)[1] + "/" + last.split("/", -1)[1]);
        assertThat(TOLD).doesNotHaveDuplicates();
    }

    @Test
    void readsAMeasurementFromItsFile() {
        CostProfile read = CostProfileFile.parse(CostProfileFile.text(profile()), "a file");

        assertThat(read.facts()).isEqualTo(profile().facts());
        assertThat(read.figures()).hasSameSizeAs(profile().figures());
        // Files have six digits.
        assertThat(read.figures())
                .allSatisfy(figure -> assertThat(figure.estimate().median())
                        .as(figure.name())
                        .isCloseTo(profile().median(figure.name()), Percentage.withPercentage(0.001)));
    }

    @Test
    void tablesHaveARowForEachFigure() {
        String tables = CostTables.of(profile());

        assertThat(tables)
                .contains("rsa-4096", "tls13-sha256", "chacha20-poly1305", "connection, direct engine", "tls12 ticket");
        assertThat(tables.lines().filter(line -> line.contains("aes-128-gcm"))).hasSize(AeadProbes.SIZES.size());
    }

    /** Checks that every certificate, version and engine has the figures that a plan needs. */
    @ParameterizedTest
    @EnumSource
    void canPlanForEveryCertificate(KeyKind key) {
        PlanModel model = new PlanModel(profile());
        for (ProtocolVersion version : ProtocolVersion.values()) {
            for (Engine engine : Engine.values()) {
                Load load = new Load(
                        1000,
                        100,
                        0.5,
                        1e6,
                        1e6,
                        1000,
                        new Load.Settings(version, key, 1, false, "aes-128-gcm", engine, 0.1, 0));
                assertThat(model.plan(load).totalCores()).isPositive();
                assertThat(Lever.values()).allSatisfy(lever -> lever.pulled(model, load));
                PlanText text = new PlanText(model, load);
                assertThat(text.text(OptionalDouble.of(1)))
                        .contains("dominating:", "measured:", "if no client could resume");
                assertThat(Json.document(text.json(OptionalDouble.empty()))).contains("\"levers\"", key.path());
            }
        }
    }
}
