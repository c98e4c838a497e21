package dev.sluice.gateway.acme;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a certificate that is ordered by ACME.
 *
 * @param name its name in the configuration
 * @param keyType the kind of its key: {@code EC}, {@code RSA}
 * @param server the ACME server's host
 * @param state what it is in need of
 * @param notAfter the end of the certificate that has been issued; null: none has been
 * @param next the next attempt to order, or the renewal
 * @param failures attempts that failed in a row
 * @param error why the last one failed; null: it did not
 */
public record AcmeStatus(
        String name,
        String keyType,
        String server,
        State state,
        @Nullable Instant notAfter,
        Instant next,
        int failures,
        @Nullable String error) {
    /** The states of a certificate. */
    public enum State {
        /** None has been issued, or none for these names: a placeholder or an older one is served. */
        PENDING,
        /** Issued, and not due. */
        ISSUED,
        /** Issued, and due for renewal. */
        DUE
    }
}
