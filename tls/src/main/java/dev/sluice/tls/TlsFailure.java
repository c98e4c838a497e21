package dev.sluice.tls;

/**
 * Why a TLS connection broke.
 *
 * @param fault who is to blame, which decides log level and metric
 * @param reason a short stable name in lower_snake_case for metrics, such as {@code http_request} or
 *     {@code certificate_expired}
 * @param alert the TLS alert that was sent or received (RFC 8446 section 6), -1 for none, or where libssl does not tell
 * @param message value, cause and remedy, for people
 */
public record TlsFailure(Fault fault, String reason, int alert, String message) {
    /** Who is to blame. */
    public enum Fault {
        /** The peer broke the protocol or went away. */
        PEER_MISBEHAVED,
        /** The peer follows the protocol but shares no version, suite, group or trust with us. */
        PEER_INCOMPATIBLE,
        /** The network, the operating system or the OpenSSL found here. */
        ENVIRONMENT,
        /** Our own configuration or code. */
        OURS
    }
}
