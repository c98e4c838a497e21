package dev.sluice.gateway.ocsp;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The reason why there was no OCSP response that could be stapled. */
public enum OcspFailure {
    /** The certificate of the issuer is not known here, without which nobody can be asked. */
    ISSUER_UNKNOWN,
    /** The responder takes no connection, or its name does not resolve. */
    NO_CONNECTION,
    /** It took a connection and has not answered. */
    NO_ANSWER,
    /** It answers with another HTTP status than 200. */
    HTTP_STATUS,
    /** The responder's answer is no OCSP response. */
    MALFORMED,
    /** It answers that it will not, or cannot, say anything. */
    REFUSED,
    /** Its answer is about another certificate. */
    OTHER_CERTIFICATE,
    /** Nobody signed its answer who may. */
    SIGNATURE,
    /** It does not know the certificate. */
    CERTIFICATE_UNKNOWN,
    /** Its answer has ended. */
    OUTDATED,
    /** Its answer is near its end, and the same that it gave before. */
    NOT_RENEWED,
    /** Its answer holds only from a time to come. */
    NOT_YET_VALID,
    /** The certificate is revoked, whatever older answers say. */
    REVOKED,
    /** A fault of the gateway or its installation. */
    INTERNAL;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the label for metrics, such as {@code http_status}. */
    public String label() {
        return label;
    }

    /** The one with a label; empty: none has it. */
    public static Optional<OcspFailure> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(failure -> failure.label.equals(label))
                .findFirst();
    }
}
