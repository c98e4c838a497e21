package dev.sluice.doctor.audit;

import java.util.Map;
import java.util.OptionalDouble;

/** The costs published in docs/benchmarks/handshakes.md. */
final class PublishedCosts implements ServerCosts {
    private static final Map<String, Double> MICROS = Map.of(
            "TLS_1_2 EC 256 full", 257.0,
            "TLS_1_2 EC 256 resumed", 130.0,
            "TLS_1_3 EC 256 full", 292.0,
            "TLS_1_3 EC 256 resumed", 260.0,
            "TLS_1_2 RSA 2048 full", 476.0,
            "TLS_1_2 RSA 2048 resumed", 137.0,
            "TLS_1_3 RSA 2048 full", 535.0,
            "TLS_1_3 RSA 2048 resumed", 255.0);

    @Override
    public OptionalDouble micros(boolean tls13, String key, boolean resumed) {
        Double micros = MICROS.get((tls13 ? "TLS_1_3 " : "TLS_1_2 ") + key + (resumed ? " resumed" : " full"));
        return micros == null ? OptionalDouble.empty() : OptionalDouble.of(micros);
    }

    @Override
    public String source() {
        return "docs/benchmarks/handshakes.md: Sluice on OpenSSL 3.5.8, another machine than this server's";
    }
}
