package dev.sluice.tls.failure;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The alerts that have a name (RFC 8446 section 6, RFC 5246, RFC 6066, RFC 7301, RFC 9849). */
public enum TlsAlert {
    /** The sender sends nothing more. */
    CLOSE_NOTIFY(0),
    /** A message out of order. */
    UNEXPECTED_MESSAGE(10),
    /** A record that does not open. */
    BAD_RECORD_MAC(20),
    /** Reserved: TLS 1.0. */
    DECRYPTION_FAILED(21),
    /** A record longer than allowed. */
    RECORD_OVERFLOW(22),
    /** No parameters in common. */
    HANDSHAKE_FAILURE(40),
    /** Reserved: SSL 3.0. */
    NO_CERTIFICATE(41),
    /** A certificate that is corrupt or does not verify. */
    BAD_CERTIFICATE(42),
    /** A certificate of a kind that is not supported. */
    UNSUPPORTED_CERTIFICATE(43),
    /** A certificate that its authority has revoked. */
    CERTIFICATE_REVOKED(44),
    /** A certificate that has expired or is not valid yet. */
    CERTIFICATE_EXPIRED(45),
    /** A certificate that is refused for another reason. */
    CERTIFICATE_UNKNOWN(46),
    /** A field out of range, or inconsistent with others. */
    ILLEGAL_PARAMETER(47),
    /** A chain without a trusted authority. */
    UNKNOWN_CA(48),
    /** A valid certificate that is not let in. */
    ACCESS_DENIED(49),
    /** A message that cannot be parsed. */
    DECODE_ERROR(50),
    /** A signature or a Finished that does not verify. */
    DECRYPT_ERROR(51),
    /** A version that is not supported. */
    PROTOCOL_VERSION(70),
    /** Parameters weaker than required. */
    INSUFFICIENT_SECURITY(71),
    /** A failure that is not the peer's. */
    INTERNAL_ERROR(80),
    /** A retry with an older version than both sides speak. */
    INAPPROPRIATE_FALLBACK(86),
    /** The user cancels; a warning. */
    USER_CANCELED(90),
    /** A wish to renegotiate is declined; a warning. */
    NO_RENEGOTIATION(100),
    /** A mandatory extension that is missing. */
    MISSING_EXTENSION(109),
    /** An extension that nobody asked for. */
    UNSUPPORTED_EXTENSION(110),
    /** A server name without a server. */
    UNRECOGNIZED_NAME(112),
    /** An OCSP response that is invalid. */
    BAD_CERTIFICATE_STATUS_RESPONSE(113),
    /** A pre-shared key that is not known. */
    UNKNOWN_PSK_IDENTITY(115),
    /** A client certificate that is required and missing. */
    CERTIFICATE_REQUIRED(116),
    /** No ALPN protocol in common. */
    NO_APPLICATION_PROTOCOL(120),
    /** An encrypted ClientHello that the server did not decrypt: the client will retry with another key. */
    ECH_REQUIRED(121);

    /** The number that stands for no alert, neither sent nor received. */
    public static final int NONE = -1;

    private static final TlsAlert[] VALUES = values();

    private final int number;
    private final String label;

    TlsAlert(int number) {
        this.number = number;
        this.label = name().toLowerCase(Locale.ROOT);
    }

    /** Returns the number on the wire. */
    public int number() {
        return number;
    }

    /** Returns the name as RFCs write it, such as {@code handshake_failure}. */
    public String label() {
        return label;
    }

    /** Returns the alert with a number; null when no RFC names it. */
    public static @Nullable TlsAlert of(int number) {
        for (TlsAlert alert : VALUES) {
            if (alert.number == number) {
                return alert;
            }
        }
        return null;
    }

    /** Returns the label of a number; {@code alert_NNN} when no RFC names it, "" for {@link #NONE}. */
    public static String label(int number) {
        TlsAlert alert = of(number);
        if (alert != null) {
            return alert.label;
        }
        return number == NONE ? "" : "alert_" + number;
    }
}
