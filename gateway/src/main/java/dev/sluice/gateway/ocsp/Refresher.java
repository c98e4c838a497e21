package dev.sluice.gateway.ocsp;

import dev.sluice.gateway.log.PlainCause;
import dev.sluice.gateway.ocsp.StapleFiles.Kept;
import dev.sluice.gateway.ocsp.StapledCertificate.Order;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Brings the response of one certificate up to date: from disk at first, then from its responder. Whatever goes wrong
 * is told and leads to another attempt; it never throws. May be used from any thread.
 */
final class Refresher {
    private final InstantSource clock;
    private final ResponderClient client;
    private final RefreshTimes times;
    private final StapleLog log;
    private final LongAdder fetched = new LongAdder();
    private final LongAdder failed = new LongAdder();

    Refresher(InstantSource clock, ResponderClient client, RefreshTimes times, StapleLog log) {
        this.clock = clock;
        this.client = client;
        this.times = times;
        this.log = log;
    }

    /** Responses that came and are good. */
    long fetched() {
        return fetched.sum();
    }

    /** Attempts that came to nothing. */
    long failed() {
        return failed.sum();
    }

    /**
     * Does it; may wait for the responder.
     *
     * @return when it is to be done again
     * @throws InterruptedException when the wait was cut off
     */
    Instant refresh(StapledCertificate certificate, StapleFiles files) throws InterruptedException {
        files.sweepOnce(clock.instant());
        Instant restored = certificate.isToBeRestored() ? restore(certificate, files) : null;
        return restored == null ? fetch(certificate, files) : restored;
    }

    /** Restores a response from disk; returns null when the responder is to be asked right now. */
    private @Nullable Instant restore(StapledCertificate certificate, StapleFiles files) {
        Instant now = clock.instant();
        Kept kept = files.load(certificate.fileName(), now);
        if (kept == null) {
            return null;
        }
        try {
            StatusAnswer answer = certificate.question().check(kept.response(), now);
            if (answer.status() != StatusAnswer.Status.GOOD) {
                return null;
            }
            Instant at = kept.fetched().isBefore(now) ? kept.fetched() : now;
            certificate.staple(kept.response(), answer, at);
            log.info(certificate.order().what() + " has the OCSP response from before, good until " + answer.end());
            Instant next = times.afterSuccess(at, answer.end());
            return next.isAfter(now) ? next : null;
        } catch (OcspException unusable) {
            log.info(certificate.order().what() + ": the OCSP response from before is not used: "
                    + unusable.getMessage());
            return null;
        }
    }

    private Instant fetch(StapledCertificate certificate, StapleFiles files) throws InterruptedException {
        try {
            StatusQuestion question = certificate.question();
            byte[] response = client.ask(certificate.order().responder(), question.request());
            StatusAnswer answer = question.check(response, clock.instant());
            return switch (answer.status()) {
                case GOOD -> good(certificate, files, response, answer);
                case REVOKED -> revoked(certificate, files, answer);
                case UNKNOWN ->
                    failed(certificate, OcspFailure.CERTIFICATE_UNKNOWN, "it does not know this certificate (unknown)");
            };
        } catch (OcspException e) {
            return failed(certificate, e.failure(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | LinkageError e) {
            return failed(certificate, OcspFailure.INTERNAL, "it could not be asked (" + PlainCause.of(e) + ")");
        }
    }

    private Instant good(StapledCertificate certificate, StapleFiles files, byte[] response, StatusAnswer answer) {
        if (certificate.isOvertaken(answer)) {
            return failed(
                    certificate,
                    OcspFailure.REVOKED,
                    "its answer is older than the one by which the certificate is revoked");
        }
        Instant now = clock.instant();
        Instant before = certificate.slot().until();
        fetched.increment();
        if (before == null || !answer.end().isBefore(before)) { // else it comes from a cache that is behind
            certificate.staple(response, answer, now);
            files.save(certificate.fileName(), response, now);
        }
        if (certificate.recovers() || before == null) {
            Order order = certificate.order();
            log.info(order.what() + " has an OCSP response of " + order.responder() + " stapled, good until "
                    + answer.end());
        }
        if (before != null && !answer.end().isAfter(before) && certificate.isNearEnd(now)) {
            certificate.isNotRenewed();
        }
        return times.afterSuccess(now, answer.end());
    }

    /**
     * Drops a response that says "good", however long it would last, since the certificate is now known to be revoked.
     */
    private Instant revoked(StapledCertificate certificate, StapleFiles files, StatusAnswer answer) {
        certificate.revoked(answer);
        files.delete(certificate.fileName());
        failed.increment();
        log.warn(certificate.order().what() + " IS REVOKED (" + answer.remark() + "), says "
                + certificate.order().responder()
                + "; nothing is stapled to it any more, and clients that look refuse it:"
                + " replace it, and its key");
        return times.afterFailure(clock.instant(), certificate.failedOnceMore(OcspFailure.REVOKED));
    }

    private Instant failed(StapledCertificate certificate, OcspFailure failure, String reason) {
        Order order = certificate.order();
        failed.increment();
        String line = order.what() + " gets no OCSP response from " + order.responder() + ": " + reason + "; "
                + consequence(certificate);
        if (certificate.isNews(line)) {
            log.warn(line);
        }
        return times.afterFailure(clock.instant(), certificate.failedOnceMore(failure));
    }

    private static String consequence(StapledCertificate certificate) {
        Instant until = certificate.slot().until();
        if (until != null) {
            return "it is asked again, and the response from before is stapled until " + until;
        }
        return certificate.order().mustStaple()
                ? "it is asked again, and nothing is stapled, which the certificate demands (RFC 7633): clients"
                        + " refuse it"
                : "it is asked again, and nothing is stapled";
    }
}
