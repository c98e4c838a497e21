package dev.sluice.tls.record;

import java.util.Locale;

/** What a {@link RecordChannel} ends for. Names are those of the failures that libssl finds, where it finds the same. */
public enum RecordFault {
    /** The peer sent a fatal alert. */
    ALERT_RECEIVED,
    /** The stream ended without close_notify. */
    TRUNCATED,
    /** A record does not open: its tag is wrong, or it is too short to have one. */
    BAD_RECORD_MAC,
    /** A record is longer than allowed, as sent or as plaintext. */
    RECORD_OVERFLOW,
    /** A record that is not protected, after the handshake. */
    UNPROTECTED_RECORD,
    /** A record that claims another version. */
    WRONG_RECORD_VERSION,
    /** A message, or a type of content, that nobody may send now. */
    UNEXPECTED_MESSAGE,
    /** Something else between the pieces of a handshake message. */
    INTERRUPTED_MESSAGE,
    /** A handshake message longer than we take. */
    MESSAGE_TOO_LONG,
    /** An alert that is not two bytes. */
    MALFORMED_ALERT,
    /** A KeyUpdate with wrong content, or with something behind it in its record. */
    MALFORMED_KEY_UPDATE,
    /** A NewSessionTicket whose lengths do not fit it, or without a ticket. */
    MALFORMED_TICKET,
    /** Records without data without end. */
    FLOOD;

    /** The name in metrics and logs. */
    public String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
