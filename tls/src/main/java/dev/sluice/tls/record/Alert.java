package dev.sluice.tls.record;

/** Alert descriptions that the record layer sends or handles: RFC 8446 section 6. */
public final class Alert {
    /** close_notify: the sender sends nothing more. */
    public static final int CLOSE_NOTIFY = 0;
    /** unexpected_message. */
    public static final int UNEXPECTED_MESSAGE = 10;
    /** bad_record_mac: a record could not be authenticated. */
    public static final int BAD_RECORD_MAC = 20;
    /** record_overflow: a record is longer than allowed. */
    public static final int RECORD_OVERFLOW = 22;
    /** illegal_parameter. */
    public static final int ILLEGAL_PARAMETER = 47;
    /** decode_error: a message cannot be parsed. */
    public static final int DECODE_ERROR = 50;
    /** protocol_version. */
    public static final int PROTOCOL_VERSION = 70;
    /** internal_error: our own failure. */
    public static final int INTERNAL_ERROR = 80;
    /** user_canceled: a warning, before close_notify. */
    public static final int USER_CANCELED = 90;

    private Alert() {}
}
