package dev.sluice.gateway.ocsp;

import java.time.Instant;

/**
 * The content of a verified response about a certificate.
 *
 * @param status what it is
 * @param thisUpdate from when on that is known to be so
 * @param end until when it holds: the response's nextUpdate, or a day after thisUpdate where it has none
 * @param remark when and why it was revoked; "" if it was not
 */
record StatusAnswer(Status status, Instant thisUpdate, Instant end, String remark) {
    /** RFC 6960 section 2.2. */
    enum Status {
        /** Nothing is known against it. */
        GOOD,
        /** It was revoked, or is on hold. */
        REVOKED,
        /** The responder does not know it. */
        UNKNOWN
    }
}
