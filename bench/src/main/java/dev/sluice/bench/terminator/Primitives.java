package dev.sluice.bench.terminator;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.Output;
import dev.sluice.bench.process.Program;
import dev.sluice.bench.process.Site;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures of {@code openssl speed} for a handshake's public-key operations, in microseconds on the servers' core.
 *
 * @param rsaSign RSA with 2048 bits, the private operation
 * @param ecdsaSign ECDSA on P-256
 * @param x25519 one derivation
 */
record Primitives(double rsaSign, double ecdsaSign, double x25519) {
    private static final Program OPENSSL = new Program("openssl", "openssl");
    private static final double MICROS_PER_SECOND = 1e6;
    private static final List<String> SPEED =
            List.of("speed", "-seconds", "1", "-mr", "rsa2048", "ecdsap256", "ecdhx25519");

    static Primitives measure(Site site) throws InterruptedException {
        String openssl = OPENSSL.find()
                .orElseThrow(() -> new BenchException(OPENSSL.missing()))
                .toString();
        List<String> command = new ArrayList<>(List.of(openssl));
        command.addAll(SPEED);
        return parse(Output.of(site.cores().onServerCore(command), site.environment()));
    }

    /**
     * Parses the output: colon-separated fields with the kind, a number, the bits, then operations per second, private
     * ones first.
     */
    static Primitives parse(String said) {
        return new Primitives(micros(said, "+F2:", 3), micros(said, "+F4:", 3), micros(said, "+F5:", 3));
    }

    private static double micros(String said, String kind, int field) {
        return said.lines()
                .filter(line -> line.startsWith(kind))
                .findFirst()
                .map(line -> MICROS_PER_SECOND / Double.parseDouble(line.split(":", -1)[field]))
                .orElseThrow(() -> new BenchException("openssl speed did not report " + kind + ": " + said));
    }
}
