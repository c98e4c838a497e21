package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricPage;
import java.util.function.ToDoubleFunction;

/** Counters of a page that alerts go by, each summed over the series that matter. */
enum Tally {
    /** Handshakes that succeeded. */
    HANDSHAKES(page -> page.sum(Metric.TLS_HANDSHAKES.family())),
    /** Those with a signature of ours. */
    FULL(page -> page.sum(Metric.TLS_HANDSHAKES.family(), "kind", "full")),
    /** Full ones of clients that speak TLS 1.3, and so must be able to verify ECDSA with P-256 (RFC 8446, section 9.1). */
    FULL_TLS13(page -> Series.of(page, Metric.TLS_HANDSHAKES)
            .with("kind", "full"::equals)
            .with("version", Tally::isTls13)
            .sum()),
    /** Those of them that were signed with RSA all the same. */
    FULL_TLS13_RSA(page -> Series.of(page, Metric.TLS_HANDSHAKES)
            .with("kind", "full"::equals)
            .with("version", Tally::isTls13)
            .with("signature", signature -> signature.startsWith("rsa"))
            .sum()),
    /** Handshakes that agreed on ChaCha20. */
    CHACHA20(page -> Series.of(page, Metric.TLS_HANDSHAKES)
            .with("cipher", cipher -> cipher.contains("CHACHA20"))
            .sum()),
    /** Clients that put ChaCha20 first. */
    CHACHA20_WANTED(page -> page.sum(Metric.TLS_CLIENT_PREFERENCE.family(), "cipher", "chacha20")),
    /** Handshakes that failed. */
    FAILURES(page -> page.sum(Metric.TLS_HANDSHAKE_FAILURES.family())),
    /** Handshakes that failed by a fault of ours. */
    INTERNAL_FAILURES(page -> page.sum(Metric.TLS_HANDSHAKE_FAILURES.family(), "fault", "internal")),
    /** Seconds of processors' time that went to cryptography. */
    CRYPTO_SECONDS(page -> page.sum(Metric.TLS_CRYPTO_CPU.family())),
    /** Clients whose handshake was not let begin. */
    REFUSALS(page -> page.sum(Metric.ADMISSION_HANDSHAKES.family(), "result", "refused")),
    /** Receives that had to wait for a buffer. */
    BUFFER_SHORTAGES(page -> page.sum(Metric.LOOP_BUFFER_SHORTAGES.family())),
    /** Lines that the access log lost. */
    ACCESS_LOG_DROPS(page -> page.sum(Metric.ACCESS_LOG_DROPPED.family()));

    @SuppressWarnings("ImmutableEnumChecker") // none of them has a state
    private final ToDoubleFunction<MetricPage> sum;

    Tally(ToDoubleFunction<MetricPage> sum) {
        this.sum = sum;
    }

    private static boolean isTls13(String version) {
        return version.endsWith("1.3");
    }

    /** What it stands at on a page. */
    double on(MetricPage page) {
        return sum.applyAsDouble(page);
    }
}
