package dev.sluice.bench.terminator;

import dev.sluice.bench.load.Scenario;
import dev.sluice.bench.process.Certificate;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.cost.measure.MeasuredHandshake;
import dev.sluice.cost.plan.Engine;
import dev.sluice.cost.plan.Load;
import dev.sluice.tls.context.ProtocolVersion;

/** The loads that check the capacity model: full and resumed handshakes, small messages, bulk. */
enum PlannedLoad {
    FULL_RSA(
            "full handshakes, RSA-2048, TLS 1.3",
            Scenario.Kind.HANDSHAKE,
            Certificate.Kind.RSA_2048,
            ProtocolVersion.TLS_1_3,
            16,
            2_000),
    RESUMED_ECDSA(
            "resumed handshakes, ECDSA P-256, TLS 1.2",
            Scenario.Kind.RESUMED,
            Certificate.Kind.ECDSA_P256,
            ProtocolVersion.TLS_1_2,
            16,
            4_000),
    MESSAGES(
            "128 bytes there and back, 64 connections",
            Scenario.Kind.ECHO,
            Certificate.Kind.ECDSA_P256,
            ProtocolVersion.TLS_1_3,
            64,
            64_000),
    BULK(
            "bulk download, 8 connections",
            Scenario.Kind.DOWNLOAD,
            Certificate.Kind.ECDSA_P256,
            ProtocolVersion.TLS_1_3,
            8,
            1_000_000_000);

    private static final int MESSAGE_BYTES = 128;
    private static final double ROUND_TRIP_SECONDS = 0.01;

    private final String text;
    private final Scenario.Kind scenario;
    private final Certificate.Kind certificate;
    private final ProtocolVersion version;
    private final int connections;
    private final long units;

    PlannedLoad(
            String text,
            Scenario.Kind scenario,
            Certificate.Kind certificate,
            ProtocolVersion version,
            int connections,
            long units) {
        this.text = text;
        this.scenario = scenario;
        this.certificate = certificate;
        this.version = version;
        this.connections = connections;
        this.units = units;
    }

    String text() {
        return text;
    }

    Scenario.Kind scenario() {
        return scenario;
    }

    Certificate.Kind certificate() {
        return certificate;
    }

    ProtocolVersion version() {
        return version;
    }

    int connections() {
        return connections;
    }

    /** Returns the connections, round trips or bytes of a round. */
    long units() {
        return units;
    }

    /** Returns the load at a number of units per second. */
    Load at(double perSecond) {
        return switch (this) {
            case FULL_RSA -> load(perSecond, 0, 0, 0, MESSAGE_BYTES);
            case RESUMED_ECDSA -> load(perSecond, 1, 0, 0, MESSAGE_BYTES);
            case MESSAGES -> load(0, 0, perSecond * MESSAGE_BYTES, perSecond * MESSAGE_BYTES, MESSAGE_BYTES);
            case BULK -> load(0, 0, perSecond, 0, Load.MAX_RECORD_BYTES);
        };
    }

    private Load load(double newPerSecond, double resumption, double down, double up, double recordBytes) {
        KeyKind key = certificate == Certificate.Kind.RSA_2048 ? KeyKind.RSA_2048 : KeyKind.ECDSA_P256;
        Load.Settings settings = new Load.Settings(
                version,
                key,
                MeasuredHandshake.USUAL_TICKETS,
                false,
                "aes-128-gcm",
                Engine.DIRECT,
                ROUND_TRIP_SECONDS,
                0);
        return new Load(connections, newPerSecond, resumption, down, up, recordBytes, settings);
    }
}
