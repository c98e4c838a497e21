package dev.sluice.bench.claims;

import dev.sluice.cost.figures.CostProfile;
import dev.sluice.cost.figures.Numbers;
import dev.sluice.cost.figures.TextTable;
import dev.sluice.cost.measure.KeyKind;
import dev.sluice.cost.measure.MeasuredHandshake;
import dev.sluice.tls.context.ProtocolVersion;
import java.util.OptionalDouble;

/** A table of commonly published TLS costs beside the measured ones, with the verdict of each {@link Claim}. */
public final class ClaimsTable {
    private static final double KIB = 1024;

    private final CostProfile profile;
    private final TextTable table = new TextTable("Published", "claimed", "measured here", "holds here");

    /** Creates the table of a measurement. */
    public ClaimsTable(CostProfile profile) {
        this.profile = profile;
    }

    /** Returns the table, under a line that names the machine. */
    public String markdown() {
        asymmetric();
        derivation();
        ciphers();
        memory();
        resumption();
        return profile.facts().getOrDefault("CPU", "") + "; " + profile.facts().getOrDefault("OpenSSL", "") + ".\n\n"
                + table.markdown();
    }

    private void asymmetric() {
        double rsa = sign(KeyKind.RSA_2048);
        double ecdsa = sign(KeyKind.ECDSA_P256);
        row("1: RSA-2048, the private operation, µs", 2_000, 2_500, rsa);
        row("1: RSA-3072, µs", 7_000, 7_000, sign(KeyKind.RSA_3072));
        row("1: RSA-4096, µs", 25_000, 25_000, sign(KeyKind.RSA_4096));
        row("1: ECDSA P-256, one signature, µs", 150, 150, ecdsa);
        row("1: RSA-2048 costs so many times ECDSA P-256", 10, 30, rsa / ecdsa);
        row("1: ECDSA P-256, one verification, µs", 50, 50, figure("asymmetric/ecdsa-p256/verify"));
        row("1: RSA-2048, one verification, µs", 50, 50, figure("asymmetric/rsa-2048/verify"));
        row(
                "1: key agreement on one side, µs",
                100,
                100,
                figure("asymmetric/x25519/keygen") + figure("asymmetric/x25519/derive"));
        row("1: ECDSA P-256 signatures per second and core", 50_000, 50_000, 1e6 / ecdsa);
        row("1: RSA-2048 private operations per second and core", 500, 500, 1e6 / rsa);
    }

    private void derivation() {
        row("2: key derivation, µs", 10, 10, figure("derivation/tls13-sha256"));
        row("2: chain validation, two certificates, µs", 50, 300, figure("chain/ecdsa-p256/2"));
    }

    private void ciphers() {
        double aes = figure("aead/aes-128-gcm/16384/seal") / 16_384;
        double chacha = figure("aead/chacha20-poly1305/16384/seal") / 16_384;
        row("3: AES-128-GCM with AES instructions, ns per byte", 1, 1.5, aes);
        row("3: ChaCha20-Poly1305 in software, ns per byte", 6, 15, chacha);
        row("3: AES-128-GCM, GB/s (openssl speed)", 5, 5, 1 / aes);
        row("3: ChaCha20-Poly1305, GB/s (openssl speed)", 1.5, 1.5, 1 / chacha);
        row("3: ChaCha20 costs so many times AES-128-GCM", 2.7, 2.7, chacha / aes);
    }

    private void memory() {
        row("4: a handshake in flight, KB", 48, 72, both("memory/handshake"));
        row("5: an established connection, libssl, KB", 12, 20, both("memory/connection/memory"));
        row("5: an established connection, our record layer, KB", 12, 20, both("memory/connection/direct"));
    }

    private void resumption() {
        row("6: a session in a server's cache, bytes", 256, 512, find("resumption/cached-session/native"));
        row("6: a session ticket, bytes", 256, 256, figure("resumption/tls13/ticket"));
        double full = handshake(ProtocolVersion.TLS_1_3, KeyKind.ECDSA_P256, false);
        double resumed = handshake(ProtocolVersion.TLS_1_3, KeyKind.ECDSA_P256, true);
        double rsaFull = handshake(ProtocolVersion.TLS_1_3, KeyKind.RSA_2048, false);
        double rsaResumed = handshake(ProtocolVersion.TLS_1_3, KeyKind.RSA_2048, true);
        double oldFull = handshake(ProtocolVersion.TLS_1_2, KeyKind.RSA_2048, false);
        double oldResumed = handshake(ProtocolVersion.TLS_1_2, KeyKind.RSA_2048, true);
        row("6: a full handshake with ECDSA at the server, TLS 1.3, µs", 250, 250, full);
        row("6: a resumed handshake at the server, TLS 1.3, µs", 50, 50, resumed);
        row("6: a resumed handshake at the server, TLS 1.2, µs", 50, 50, oldResumed);
        row("6: full with RSA costs so many times resumed, TLS 1.3", 40, 40, rsaFull / rsaResumed);
        row("6: full with RSA costs so many times resumed, TLS 1.2", 40, 40, oldFull / oldResumed);
        row("6: full with ECDSA costs so many times resumed, TLS 1.3", 8, 8, full / resumed);
        row(
                "6: nine in ten resume with RSA, CPU divided by, TLS 1.3",
                10,
                10,
                rsaFull / (0.1 * rsaFull + 0.9 * rsaResumed));
        row(
                "6: nine in ten resume with RSA, CPU divided by, TLS 1.2",
                10,
                10,
                oldFull / (0.1 * oldFull + 0.9 * oldResumed));
    }

    /**
     * Adds a row.
     *
     * @param measured NaN if it was not measured
     */
    private void row(String what, double least, double most, double measured) {
        String verdict = new Claim(least, most).verdict(measured);
        String claimed = least == most ? Numbers.of(least) : Numbers.of(least) + " – " + Numbers.of(most);
        table.row(what, claimed, Double.isNaN(measured) ? "–" : Numbers.of(measured), verdict);
    }

    private double sign(KeyKind kind) {
        return figure("asymmetric/" + kind.path() + "/sign");
    }

    private double handshake(ProtocolVersion version, KeyKind key, boolean resumed) {
        return figure(MeasuredHandshake.usual(version, key, resumed).path() + "/server");
    }

    private double both(String path) {
        return (find(path + "/native") + find(path + "/java")) / KIB;
    }

    private double figure(String name) {
        return profile.median(name);
    }

    private double find(String name) {
        OptionalDouble found = profile.find(name);
        return found.orElse(Double.NaN);
    }
}
