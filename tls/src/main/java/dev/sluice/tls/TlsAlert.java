package dev.sluice.tls;

import java.util.Map;

/** The names of alerts (RFC 8446 section 6, RFC 6066, RFC 7301). */
public final class TlsAlert {
    /** No alert was sent or received. */
    public static final int NONE = -1;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(0, "close_notify"),
            Map.entry(10, "unexpected_message"),
            Map.entry(20, "bad_record_mac"),
            Map.entry(21, "decryption_failed"),
            Map.entry(22, "record_overflow"),
            Map.entry(40, "handshake_failure"),
            Map.entry(41, "no_certificate"),
            Map.entry(42, "bad_certificate"),
            Map.entry(43, "unsupported_certificate"),
            Map.entry(44, "certificate_revoked"),
            Map.entry(45, "certificate_expired"),
            Map.entry(46, "certificate_unknown"),
            Map.entry(47, "illegal_parameter"),
            Map.entry(48, "unknown_ca"),
            Map.entry(49, "access_denied"),
            Map.entry(50, "decode_error"),
            Map.entry(51, "decrypt_error"),
            Map.entry(70, "protocol_version"),
            Map.entry(71, "insufficient_security"),
            Map.entry(80, "internal_error"),
            Map.entry(86, "inappropriate_fallback"),
            Map.entry(90, "user_canceled"),
            Map.entry(100, "no_renegotiation"),
            Map.entry(109, "missing_extension"),
            Map.entry(110, "unsupported_extension"),
            Map.entry(112, "unrecognized_name"),
            Map.entry(113, "bad_certificate_status_response"),
            Map.entry(115, "unknown_psk_identity"),
            Map.entry(116, "certificate_required"),
            Map.entry(120, "no_application_protocol"));

    private TlsAlert() {}

    /**
     * True for an alert that has a name. The peer chooses the number: names of others would have no bound in metrics.
     */
    static boolean isKnown(int alert) {
        return NAMES.containsKey(alert);
    }

    /** The name, such as {@code handshake_failure}; {@code alert_NNN} for an unknown number, "" for {@link #NONE}. */
    public static String name(int alert) {
        return alert == NONE ? "" : NAMES.getOrDefault(alert, "alert_" + alert);
    }
}
