package dev.sluice.tls.record;

/** Record content types: RFC 8446 section 5.1. */
public final class ContentType {
    /** change_cipher_spec. */
    public static final int CHANGE_CIPHER_SPEC = 20;
    /** alert. */
    public static final int ALERT = 21;
    /** handshake. */
    public static final int HANDSHAKE = 22;
    /** application_data, and the outer type of every protected TLS 1.3 record. */
    public static final int APPLICATION_DATA = 23;

    private ContentType() {}
}
