package dev.sluice.gateway.acme;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The times of renewals and of attempts. Stateless. */
final class RenewalTimes {
    /** The longest pause after failed attempts. */
    private static final Duration RETRY_MAX = Duration.ofHours(6);

    /** Pauses differ by up to this part, so that gateways do not come together. */
    private static final double JITTER = 0.2;

    /** A server may not move a renewal into the last tenth of a certificate's life. */
    private static final double LATEST = 0.9;

    private static final double USUAL = 2.0 / 3;
    private static final double USUAL_SPREAD = 1.0 / 24;

    private RenewalTimes() {}

    /**
     * A window that a server suggests: RFC 9773 section 4.2.
     *
     * @param lookAgain when to ask for it again
     */
    record Window(Instant start, Instant end, Instant lookAgain) {}

    /**
     * Returns the time of a certificate's renewal: within the server's window, else around two thirds of its life. All
     * nodes of a fleet compute the same.
     *
     * @param window null: the server suggests none
     */
    static Instant renewal(X509Certificate certificate, @Nullable Window window) {
        Instant begin = certificate.getNotBefore().toInstant();
        Duration life = Duration.between(begin, certificate.getNotAfter().toInstant());
        double share = share(certificate);
        if (window == null || window.end().isBefore(window.start())) {
            return begin.plus(part(life, USUAL - share * USUAL_SPREAD));
        }
        Instant chosen = window.start().plus(part(Duration.between(window.start(), window.end()), share));
        Instant latest = begin.plus(part(life, LATEST));
        return chosen.isAfter(latest) ? latest : chosen;
    }

    /** Returns a number from 0 to 1 that is spread evenly over certificates. */
    private static double share(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            int bits = (digest[0] & 0xff) << 16 | (digest[1] & 0xff) << 8 | (digest[2] & 0xff);
            return bits / (double) (1 << 24);
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            throw new IllegalStateException("every JDK has SHA-256, and a decoded certificate can be encoded", e);
        }
    }

    /**
     * Returns the pause after failed attempts: twice as long each time.
     *
     * @param failures in a row, at least 1
     * @param first the pause after one
     */
    static Duration retry(int failures, Duration first, RandomGenerator random) {
        long millis = first.toMillis() << Math.min(failures - 1, 20);
        double jitter = 1 + JITTER * (2 * random.nextDouble() - 1);
        return part(Duration.ofMillis(Math.min(millis, RETRY_MAX.toMillis())), jitter);
    }

    private static Duration part(Duration whole, double share) {
        return Duration.ofMillis(Math.round(whole.toMillis() * share));
    }
}
