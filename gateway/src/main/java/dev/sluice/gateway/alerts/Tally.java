package dev.sluice.gateway.alerts;

import dev.sluice.gateway.metrics.Metric;
import dev.sluice.gateway.metrics.MetricSnapshot;
import dev.sluice.tls.engine.ResumptionMiss;
import java.util.function.ToDoubleFunction;

/** The counters that alert rules use, each summed over the relevant series of a snapshot. */
enum Tally {
    /** Handshakes that succeeded. */
    HANDSHAKES(snapshot -> snapshot.sum(Metric.TLS_HANDSHAKES)),
    /** Those with a signature of ours. */
    FULL(snapshot -> snapshot.sum(Metric.TLS_HANDSHAKES, "kind", "full")),
    /** Those that resumed a session. */
    RESUMED(snapshot -> snapshot.series(Metric.TLS_HANDSHAKES)
            .with("kind", kind -> !kind.equals("full"))
            .sum()),
    /** Full ones whose client offered a ticket, or got none because tickets are off. */
    MISSED(snapshot -> snapshot.series(Metric.TLS_RESUMPTION_MISSES)
            .with("reason", reason -> !reason.equals(ResumptionMiss.NONE_OFFERED.label()))
            .sum()),
    /** Full handshakes by the reason why no session was resumed: the client offered no ticket. */
    MISS_NONE_OFFERED(snapshot -> missed(snapshot, ResumptionMiss.NONE_OFFERED)),
    /** Full handshakes while tickets are off. */
    MISS_TICKETS_OFF(snapshot -> missed(snapshot, ResumptionMiss.TICKETS_OFF)),
    /** Full handshakes after a ticket sealed with an unknown key. */
    MISS_UNKNOWN_KEY(snapshot -> missed(snapshot, ResumptionMiss.UNKNOWN_KEY)),
    /** Full handshakes after a ticket that has expired. */
    MISS_EXPIRED(snapshot -> missed(snapshot, ResumptionMiss.EXPIRED)),
    /** Full handshakes after a ticket of another server name. */
    MISS_OTHER_HOST(snapshot -> missed(snapshot, ResumptionMiss.OTHER_HOST)),
    /** Full handshakes after a ticket of another certificate or client authentication. */
    MISS_OTHER_CONTEXT(snapshot -> missed(snapshot, ResumptionMiss.OTHER_CONTEXT)),
    /** Full handshakes after a ticket of another version of TLS. */
    MISS_OTHER_VERSION(snapshot -> missed(snapshot, ResumptionMiss.OTHER_VERSION)),
    /** Full handshakes after a ticket of a suite with another hash. */
    MISS_OTHER_SUITE(snapshot -> missed(snapshot, ResumptionMiss.OTHER_SUITE)),
    /** Full handshakes after a ticket that was damaged on its way. */
    MISS_DAMAGED(snapshot -> missed(snapshot, ResumptionMiss.DAMAGED)),
    /**
     * Full ones of clients that speak TLS 1.3, and so must be able to verify ECDSA with P-256 (RFC 8446, section 9.1).
     */
    FULL_TLS13(snapshot -> snapshot.series(Metric.TLS_HANDSHAKES)
            .with("kind", "full"::equals)
            .with("version", Tally::isTls13)
            .sum()),
    /** Those of them that were signed with RSA all the same. */
    FULL_TLS13_RSA(snapshot -> snapshot.series(Metric.TLS_HANDSHAKES)
            .with("kind", "full"::equals)
            .with("version", Tally::isTls13)
            .with("signature", signature -> signature.startsWith("rsa"))
            .sum()),
    /** Handshakes that agreed on ChaCha20. */
    CHACHA20(snapshot -> snapshot.series(Metric.TLS_HANDSHAKES)
            .with("cipher", cipher -> cipher.contains("CHACHA20"))
            .sum()),
    /** Clients that put ChaCha20 first. */
    CHACHA20_WANTED(snapshot -> snapshot.sum(Metric.TLS_CLIENT_PREFERENCE, "cipher", "chacha20")),
    /** Handshakes that failed. */
    FAILURES(snapshot -> snapshot.sum(Metric.TLS_HANDSHAKE_FAILURES)),
    /** Handshakes that failed by a fault of the gateway. */
    INTERNAL_FAILURES(snapshot -> snapshot.sum(Metric.TLS_HANDSHAKE_FAILURES, "fault", "internal")),
    /** CPU time for cryptography in seconds. */
    CRYPTO_SECONDS(snapshot -> snapshot.sum(Metric.TLS_CRYPTO_CPU)),
    /** Clients whose handshake was refused. */
    REFUSALS(snapshot -> snapshot.sum(Metric.ADMISSION_HANDSHAKES, "result", "refused")),
    /** Receives that had to wait for a buffer. */
    BUFFER_SHORTAGES(snapshot -> snapshot.sum(Metric.LOOP_BUFFER_SHORTAGES)),
    /** Dropped lines of the access log. */
    ACCESS_LOG_DROPS(snapshot -> snapshot.sum(Metric.ACCESS_LOG_DROPPED));

    @SuppressWarnings("ImmutableEnumChecker") // none of them has a state
    private final ToDoubleFunction<MetricSnapshot> sum;

    Tally(ToDoubleFunction<MetricSnapshot> sum) {
        this.sum = sum;
    }

    private static boolean isTls13(String version) {
        return version.endsWith("1.3");
    }

    private static double missed(MetricSnapshot snapshot, ResumptionMiss reason) {
        return snapshot.sum(Metric.TLS_RESUMPTION_MISSES, "reason", reason.label());
    }

    /** Returns its value in a snapshot. */
    double on(MetricSnapshot snapshot) {
        return sum.applyAsDouble(snapshot);
    }
}
