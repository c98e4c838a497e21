package dev.sluice.doctor.probe;

import java.util.Map;

/** The names of alerts (RFC 8446 section 6). */
final class Alerts {
    static final int CLOSE_NOTIFY = 0;
    static final int CERTIFICATE_REQUIRED = 116;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(CLOSE_NOTIFY, "close_notify"),
            Map.entry(10, "unexpected_message"),
            Map.entry(20, "bad_record_mac"),
            Map.entry(40, "handshake_failure"),
            Map.entry(42, "bad_certificate"),
            Map.entry(47, "illegal_parameter"),
            Map.entry(48, "unknown_ca"),
            Map.entry(50, "decode_error"),
            Map.entry(51, "decrypt_error"),
            Map.entry(70, "protocol_version"),
            Map.entry(71, "insufficient_security"),
            Map.entry(80, "internal_error"),
            Map.entry(86, "inappropriate_fallback"),
            Map.entry(109, "missing_extension"),
            Map.entry(112, "unrecognized_name"),
            Map.entry(CERTIFICATE_REQUIRED, "certificate_required"),
            Map.entry(120, "no_application_protocol"));

    private Alerts() {}

    /** Returns a name, or the number. */
    static String text(int alert) {
        return NAMES.getOrDefault(alert, "number " + alert);
    }
}
