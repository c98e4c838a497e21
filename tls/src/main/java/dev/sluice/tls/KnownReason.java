package dev.sluice.tls;

import static dev.sluice.ffi.openssl.OpenSslConstants.*;

import dev.sluice.tls.TlsFailure.Fault;
import dev.sluice.tls.record.RecordFault;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reasons for broken connections that we tell apart, as a table, whether libssl or our own record layer found them: who
 * is to blame, the alert that libssl sends, what a person should know, and libssl's own numbers. The constant's name in lower
 * case is the name in metrics.
 */
enum KnownReason {
    HTTP_REQUEST(
            Fault.PEER_MISBEHAVED,
            TlsAlert.NONE,
            "the client speaks plain HTTP to a TLS port; use https://",
            SSL_R_HTTP_REQUEST,
            SSL_R_HTTPS_PROXY_REQUEST),
    NOT_TLS(
            Fault.PEER_MISBEHAVED,
            TlsAlert.NONE,
            "what came is no TLS record; does the peer speak TLS on this port?",
            SSL_R_WRONG_VERSION_NUMBER,
            SSL_R_UNKNOWN_PROTOCOL,
            SSL_R_BAD_RECORD_TYPE),
    UNSUPPORTED_PROTOCOL(
            Fault.PEER_INCOMPATIBLE,
            SSL_AD_PROTOCOL_VERSION,
            "the peer speaks no version that is allowed here; update it, or allow an older version",
            SSL_R_UNSUPPORTED_PROTOCOL,
            SSL_R_VERSION_TOO_LOW,
            SSL_R_WRONG_SSL_VERSION),
    INAPPROPRIATE_FALLBACK(
            Fault.PEER_INCOMPATIBLE,
            SSL_AD_INAPPROPRIATE_FALLBACK,
            "the client retried with an older version than both sides speak",
            SSL_R_INAPPROPRIATE_FALLBACK),
    NO_PROTOCOLS_AVAILABLE(
            Fault.OURS, TlsAlert.NONE, "the versions allowed leave none; widen them", SSL_R_NO_PROTOCOLS_AVAILABLE),
    NO_SHARED_CIPHER(
            Fault.PEER_INCOMPATIBLE,
            SSL_AD_HANDSHAKE_FAILURE,
            "no cipher suite fits both sides and the certificate's kind of key;"
                    + " allow more suites, or add a certificate of the other kind (ECDSA, RSA)",
            SSL_R_NO_SHARED_CIPHER),
    NO_SHARED_GROUP(
            Fault.PEER_INCOMPATIBLE,
            SSL_AD_HANDSHAKE_FAILURE,
            "no key-exchange group fits both sides; allow X25519 or P-256",
            SSL_R_NO_SUITABLE_KEY_SHARE,
            SSL_R_NO_SUITABLE_GROUPS,
            SSL_R_NO_SHARED_GROUPS),
    NO_SHARED_SIGNATURE_ALGORITHM(
            Fault.PEER_INCOMPATIBLE,
            SSL_AD_HANDSHAKE_FAILURE,
            "the peer cannot verify any of the certificates' kinds of key; add another kind (ECDSA, RSA)",
            SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM,
            SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS),
    NO_APPLICATION_PROTOCOL(
            Fault.PEER_INCOMPATIBLE,
            SSL_AD_NO_APPLICATION_PROTOCOL,
            "the client offers ALPN protocols, and none that is offered here; add one of them to alpn, if it is spoken",
            SSL_R_NO_APPLICATION_PROTOCOL),
    BAD_RECORD_MAC(
            Fault.PEER_MISBEHAVED,
            SSL_AD_BAD_RECORD_MAC,
            "what came was changed on its way, or made with other keys",
            SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC),
    DECRYPT_ERROR(
            Fault.PEER_MISBEHAVED,
            SSL_AD_DECRYPT_ERROR,
            "a signature or a Finished does not verify: a message was changed on its way",
            SSL_R_BAD_SIGNATURE,
            SSL_R_DIGEST_CHECK_FAILED),
    MALFORMED_CERTIFICATE(
            Fault.PEER_MISBEHAVED, SSL_AD_DECODE_ERROR, "a certificate, or the name of an authority, is no valid DER"),
    BAD_KEY_SHARE(
            Fault.PEER_MISBEHAVED,
            SSL_AD_ILLEGAL_PARAMETER,
            "a key share is no public key of its group",
            SSL_R_BAD_ECPOINT,
            SSL_R_BAD_KEY_SHARE),
    RECORD_OVERFLOW(
            Fault.PEER_MISBEHAVED,
            SSL_AD_RECORD_OVERFLOW,
            "a record is longer than the protocol allows, or than the client asked for",
            SSL_R_ENCRYPTED_LENGTH_TOO_LONG,
            SSL_R_PACKET_LENGTH_TOO_LONG,
            SSL_R_DATA_LENGTH_TOO_LONG),
    MESSAGE_TOO_LONG(
            Fault.PEER_MISBEHAVED,
            SSL_AD_ILLEGAL_PARAMETER,
            "a handshake message is longer than this side takes",
            SSL_R_EXCESSIVE_MESSAGE_SIZE),
    UNEXPECTED_MESSAGE(
            Fault.PEER_MISBEHAVED,
            SSL_AD_UNEXPECTED_MESSAGE,
            "a message came out of its order",
            SSL_R_UNEXPECTED_MESSAGE,
            SSL_R_UNEXPECTED_RECORD),
    UNPROTECTED_RECORD(
            Fault.PEER_MISBEHAVED,
            SSL_AD_UNEXPECTED_MESSAGE,
            "a record came that is not protected, after the handshake: something on the way injects bytes"),
    WRONG_RECORD_VERSION(
            Fault.PEER_MISBEHAVED,
            SSL_AD_DECODE_ERROR,
            "a record names another version than was agreed on: something on the way injects bytes"),
    INTERRUPTED_MESSAGE(
            Fault.PEER_MISBEHAVED,
            SSL_AD_UNEXPECTED_MESSAGE,
            "something else came between the pieces of a handshake message",
            SSL_R_MIXED_HANDSHAKE_AND_NON_HANDSHAKE_DATA),
    MALFORMED_ALERT(Fault.PEER_MISBEHAVED, SSL_AD_DECODE_ERROR, "an alert is malformed", SSL_R_INVALID_ALERT),
    MALFORMED_KEY_UPDATE(
            Fault.PEER_MISBEHAVED,
            SSL_AD_DECODE_ERROR,
            "a KeyUpdate is malformed, or something stands behind it in its record",
            SSL_R_BAD_KEY_UPDATE,
            SSL_R_NOT_ON_RECORD_BOUNDARY),
    MALFORMED_TICKET(
            Fault.PEER_MISBEHAVED,
            SSL_AD_DECODE_ERROR,
            "a session ticket is empty, or its lengths do not fit the message"),
    FLOOD(
            Fault.PEER_MISBEHAVED,
            SSL_AD_UNEXPECTED_MESSAGE,
            "the peer sends control messages without end",
            SSL_R_TOO_MANY_WARN_ALERTS,
            SSL_R_TOO_MANY_KEY_UPDATES),
    TOO_MUCH_EARLY_DATA(
            Fault.PEER_MISBEHAVED,
            SSL_AD_UNEXPECTED_MESSAGE,
            "the peer sends more early data than its session ticket allows",
            SSL_R_TOO_MUCH_EARLY_DATA),
    KERNEL_KEY_UPDATE(
            Fault.ENVIRONMENT,
            SSL_AD_INTERNAL_ERROR,
            "the keys must be updated, which TLS in the kernel cannot do; turn it off for connections that live that long"),
    RENEGOTIATION(
            Fault.PEER_MISBEHAVED,
            SSL_AD_NO_RENEGOTIATION,
            "the peer wants to renegotiate, which is off",
            SSL_R_NO_RENEGOTIATION);

    private static final Map<Integer, KnownReason> BY_NUMBER = byNumber();

    private final Fault fault;
    private final int alert;
    private final String explanation;

    @SuppressWarnings("ImmutableEnumChecker") // written once, never handed out
    private final int[] numbers;

    KnownReason(Fault fault, int alert, String explanation, int... numbers) {
        this.fault = fault;
        this.alert = alert;
        this.explanation = explanation;
        this.numbers = numbers;
    }

    private static Map<Integer, KnownReason> byNumber() {
        Map<Integer, KnownReason> result = new HashMap<>();
        for (KnownReason known : values()) {
            for (int number : known.numbers) {
                result.put(number, known);
            }
        }
        return Map.copyOf(result);
    }

    /** The entry for a reason of libssl; null when it is not in the table. */
    static @Nullable KnownReason of(int number) {
        return BY_NUMBER.get(number);
    }

    /** The entry for what the record layer found, by the same name. */
    static KnownReason of(RecordFault fault) {
        return valueOf(fault.name());
    }

    /** The name in metrics and logs. */
    String metricName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As a failure that libssl found. */
    TlsFailure failure(String openSslText) {
        return failure(openSslText, alert);
    }

    /**
     * As a failure that libssl found, and for which it sent another alert than usual.
     *
     * @param told the alert that the peer is told
     */
    TlsFailure failure(String openSslText, int told) {
        return new TlsFailure(fault, metricName(), told, explanation + " (OpenSSL: " + openSslText + ")");
    }

    /**
     * As a failure that our own record layer found.
     *
     * @param told the alert that the peer is told, or NONE
     */
    TlsFailure failure(int told) {
        String telling = told == TlsAlert.NONE
                ? "; our side was closed already, so the peer was told nothing"
                : "; the peer was told " + TlsAlert.name(told);
        return new TlsFailure(fault, metricName(), told, explanation + telling);
    }
}
