package dev.sluice.gateway.ocsp;

import dev.sluice.tls.certificate.StapleSlot;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A certificate that has responses stapled to it, and how that stands. It is refreshed by one thread at a time, which
 * the queue that it comes from sees to; {@link #fetched}, {@link #lifetime}, {@link #failure} and {@link #slot} may be
 * used from any thread.
 */
final class StapledCertificate {
    /**
     * The configured properties of a certificate with its responder.
     *
     * @param sha256 the certificate's fingerprint
     * @param name its name in the configuration
     * @param keyType the kind of its key
     * @param responder who is asked
     * @param issuers PEM file that holds its issuer; null: the chain does
     * @param mustStaple whether clients refuse it without a response
     */
    record Order(
            String sha256,
            String name,
            String keyType,
            URI responder,
            @Nullable Path issuers,
            boolean mustStaple) {
        /** Returns the name used in log lines. */
        String what() {
            return "certificate " + name + " (" + keyType + ")";
        }
    }

    private final Order order;
    private final byte[] chain;
    private final StapleSlot slot;
    private @Nullable StatusQuestion question;
    private volatile @Nullable Instant fetched;
    private volatile Duration lifetime = Duration.ZERO;
    private volatile @Nullable OcspFailure failure;
    private @Nullable Instant revokedAsOf;
    private boolean restored;
    private int failures;
    private String told = "";

    /** Guarded by the queue's lock. */
    private Instant due = Instant.EPOCH;

    /**
     * Creates a stapled certificate.
     *
     * @param chain PEM: the certificate, then what is presented behind it
     */
    StapledCertificate(Order order, byte[] chain, StapleSlot slot) {
        this.order = order;
        this.chain = chain;
        this.slot = slot;
    }

    Order order() {
        return order;
    }

    StapleSlot slot() {
        return slot;
    }

    /** Its file's name. */
    String fileName() {
        return order.sha256().replace(":", "").toLowerCase(Locale.ROOT);
    }

    /** Returns the time at which its responder is to be asked next. */
    Instant due() {
        return due;
    }

    void dueAt(Instant moment) {
        due = moment;
    }

    /** Returns the time at which the response in the slot was fetched; null when there is none. */
    @Nullable
    Instant fetched() {
        return slot.until() == null ? null : fetched;
    }

    /** Returns the total lifetime of the response that is in the slot, or was last. */
    Duration lifetime() {
        return lifetime;
    }

    /** Returns the reason why the last attempt to fetch a response failed; null when it did not. */
    @Nullable
    OcspFailure failure() {
        return failure;
    }

    /** True once: for whoever looks whether a response was kept. */
    boolean isToBeRestored() {
        boolean first = !restored;
        restored = true;
        return first;
    }

    /**
     * Returns the question for the responder. The first call reads the chain.
     *
     * @throws OcspException when it cannot be asked about
     */
    StatusQuestion question() throws OcspException {
        StatusQuestion made = question;
        if (made == null) {
            BouncyCastle.require();
            CertificatePair issued = issued();
            made = new StatusQuestion(issued.certificate(), issued.issuer());
            question = made;
        }
        return made;
    }

    private CertificatePair issued() throws OcspException {
        try {
            CertificatePair found = CertificatePair.find(chain, order.issuers());
            if (found != null) {
                return found;
            }
            throw new OcspException(OcspFailure.ISSUER_UNKNOWN, CertificatePair.UNKNOWN_ISSUER);
        } catch (CertificateException e) {
            throw new OcspException(OcspFailure.ISSUER_UNKNOWN, "its chain or its issuer " + e.getMessage(), e);
        }
    }

    /** Staples this response from now on. */
    void staple(byte[] response, StatusAnswer answer, Instant fetchedAt) {
        fetched = fetchedAt;
        lifetime = Duration.between(answer.thisUpdate(), answer.end());
        slot.put(response, answer.end());
    }

    /** Stops stapling until an answer about a later time is known. */
    void revoked(StatusAnswer answer) {
        slot.clear();
        revokedAsOf = answer.thisUpdate();
    }

    /** Returns true when the certificate was revoked at a time for which this answer was still true. */
    boolean isOvertaken(StatusAnswer answer) {
        Instant revoked = revokedAsOf;
        return revoked != null && !answer.thisUpdate().isAfter(revoked);
    }

    /** Returns the number of consecutive attempts without a response, including this one. */
    int failedOnceMore(OcspFailure why) {
        failure = why;
        failures++;
        return failures;
    }

    /** Ends a row of failures; whether there were any. */
    boolean recovers() {
        boolean failed = failures > 0;
        failures = 0;
        failure = null;
        told = "";
        return failed;
    }

    /** There is a response, and no later one although it is near its end. */
    void isNotRenewed() {
        failure = OcspFailure.NOT_RENEWED;
    }

    /** True when little of the life of the response is left at a moment. */
    boolean isNearEnd(Instant now) {
        Instant until = slot.until();
        double part = until == null ? 0 : (double) Duration.between(now, until).toMillis() / lifetime.toMillis();
        return part < Stapling.NEAR_END;
    }

    boolean isInTrouble() {
        return failures > 0;
    }

    /** Returns true when a line says something that the last one did not. */
    boolean isNews(String line) {
        boolean news = !line.equals(told);
        told = line;
        return news;
    }
}
