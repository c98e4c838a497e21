package dev.sluice.bench.terminator;

import dev.sluice.bench.claims.Claim;
import dev.sluice.bench.harness.ExperimentResult;
import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Metric;
import dev.sluice.bench.harness.Report;
import dev.sluice.bench.harness.Role;
import dev.sluice.bench.harness.Table;
import dev.sluice.bench.process.Certificate;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.List;
import java.util.Locale;

/** A table of commonly published handshake costs beside the measured ones, with the verdict of each {@link Claim}. */
final class PublishedClaims {
    private final ExperimentResult result;
    private final Primitives primitives;

    PublishedClaims(ExperimentResult result, Primitives primitives) {
        this.result = result;
        this.primitives = primitives;
    }

    /** Returns the table, under its heading. */
    String table(Report.Style style) {
        Table table = new Table(List.of("Published", "claimed", "measured", "holds here"));
        row(table, "RSA-2048, the private operation, µs", 2_000, primitives.rsaSign());
        row(table, "ECDSA P-256, one signature, µs", 150, primitives.ecdsaSign());
        row(table, "X25519, one derivation, µs", 100, primitives.x25519());
        row(table, "RSA-2048 costs so many times ECDSA P-256", 13, primitives.rsaSign() / primitives.ecdsaSign());
        row(table, "full handshake, ECDSA, in the library, µs", 250, library(ecdsa(false)));
        row(table, "full handshake, RSA, in the library, µs", 2_000, library(rsa(false)));
        row(table, "resumed handshake in the library, µs", 50, library(ecdsa(true)));
        row(
                table,
                "full with RSA costs so many times resumed, in the library",
                40,
                library(rsa(false)) / library(rsa(true)));
        row(
                table,
                "full with ECDSA costs so many times resumed, TLS 1.3",
                8,
                library(ecdsa(false)) / library(ecdsa(true)));
        row(
                table,
                "the same for the whole connection through the gateway",
                8,
                gateway(ecdsa(false)) / gateway(ecdsa(true)));
        row(
                table,
                "all full with RSA for nine in ten resumed: CPU times",
                10,
                gateway(rsa(false)) / (0.1 * gateway(rsa(false)) + 0.9 * gateway(rsa(true))));
        String heading = "Published claims beside these figures; TLS 1.3";
        return style == Report.Style.MARKDOWN
                ? "### " + heading + "\n\n" + table.markdown()
                : heading + "\n\n" + table.text();
    }

    private static void row(Table table, String what, double claimed, double measured) {
        table.row(List.of(
                what, figure(claimed), figure(measured), Claim.of(claimed).verdict(measured)));
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < 20 ? "%,.1f" : "%,.0f", value);
    }

    private static HandshakeKind ecdsa(boolean resumed) {
        return new HandshakeKind(ProtocolVersion.TLS_1_3, Certificate.Kind.ECDSA_P256, resumed);
    }

    private static HandshakeKind rsa(boolean resumed) {
        return new HandshakeKind(ProtocolVersion.TLS_1_3, Certificate.Kind.RSA_2048, resumed);
    }

    private double library(HandshakeKind kind) {
        return median(kind, HandshakeTreatment.LIBRARY);
    }

    private double gateway(HandshakeKind kind) {
        return median(kind, HandshakeTreatment.GATEWAY);
    }

    private double median(HandshakeKind kind, Metric metric) {
        return result.summary(Identity.of(kind.toString(), Role.SUBJECT), metric)
                .median();
    }
}
