package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricPage;
import dev.sluice.tls.ResumptionMiss;
import java.util.function.ToDoubleFunction;

/** Counters of a page that alerts go by, each summed over the series that matter. */
enum Tally {
    /** Handshakes that succeeded. */
    HANDSHAKES(page -> page.sum(Metric.TLS_HANDSHAKES.family())),
    /** Those with a signature of ours. */
    FULL(page -> page.sum(Metric.TLS_HANDSHAKES.family(), "kind", "full")),
    /** Those that resumed a session. */
    RESUMED(page -> Series.of(page, Metric.TLS_HANDSHAKES)
            .with("kind", kind -> !kind.equals("full"))
            .sum()),
    /** Full ones whose client has offered a ticket, or has got none since tickets are off. */
    MISSED(page -> Series.of(page, Metric.TLS_RESUMPTION_MISSES)
            .with("reason", reason -> !reason.equals(ResumptionMiss.NONE_OFFERED.label()))
            .sum()),
    /** Full ones by why nothing was resumed. */
    MISS_NONE_OFFERED(page -> missed(page, ResumptionMiss.NONE_OFFERED)),
    /** Tickets are off. */
    MISS_TICKETS_OFF(page -> missed(page, ResumptionMiss.TICKETS_OFF)),
    /** Sealed with a key that is not known. */
    MISS_UNKNOWN_KEY(page -> missed(page, ResumptionMiss.UNKNOWN_KEY)),
    /** Older than they are kept. */
    MISS_EXPIRED(page -> missed(page, ResumptionMiss.EXPIRED)),
    /** Of another server name. */
    MISS_OTHER_HOST(page -> missed(page, ResumptionMiss.OTHER_HOST)),
    /** Of another certificate or client authentication. */
    MISS_OTHER_CONTEXT(page -> missed(page, ResumptionMiss.OTHER_CONTEXT)),
    /** Of another version of TLS. */
    MISS_OTHER_VERSION(page -> missed(page, ResumptionMiss.OTHER_VERSION)),
    /** Of a suite with another hash. */
    MISS_OTHER_SUITE(page -> missed(page, ResumptionMiss.OTHER_SUITE)),
    /** Changed on their way. */
    MISS_DAMAGED(page -> missed(page, ResumptionMiss.DAMAGED)),
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

    private static double missed(MetricPage page, ResumptionMiss reason) {
        return page.sum(Metric.TLS_RESUMPTION_MISSES.family(), "reason", reason.label());
    }

    /** What it stands at on a page. */
    double on(MetricPage page) {
        return sum.applyAsDouble(page);
    }
}
