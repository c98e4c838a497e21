package dev.sluice.tls.engine;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.*;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.certificate.PeerCertificate;
import dev.sluice.tls.failure.EndReason;
import dev.sluice.tls.failure.TlsAlert;
import dev.sluice.tls.failure.TlsFailure;
import dev.sluice.tls.record.RecordChannel;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The failures of engines: reads OpenSSL's error queue, and what the record layer and the kernel report.
 *
 * <p>The alert is the one that libssl sends for the reason. libssl does not tell it, so the catalogue does, and the
 * conformance suite compares it with what is on the wire; where libssl has several for one reason it is the usual one.
 */
final class TlsFailures {
    private static final String TLS_1_3 = "TLSv1.3";

    /** Alerts have one byte; libssl adds {@link dev.sluice.ffi.openssl.raw.OpenSslConstants#SSL_AD_REASON_OFFSET}. */
    private static final int ALERTS = 256;

    private TlsFailures() {}

    /**
     * Reads the meaning of a failed call.
     *
     * @param errors the error queue, root cause first
     * @param verifyResult what verification of the peer's certificate came to
     * @param version the protocol version, which some alerts depend on
     * @param server whose queue it is: a server's or, if false, a client's
     */
    static TlsFailure of(List<OpenSslError> errors, int verifyResult, String version, boolean server) {
        if (errors.stream().anyMatch(error -> error.reason() == ERR_R_MALLOC_FAILURE)) {
            return failure(EndReason.OUT_OF_MEMORY, openSsl(errors.toString()));
        }
        OpenSslError cause = errors.stream()
                .filter(error -> error.library() == ERR_LIB_SSL)
                .findFirst()
                .orElse(null);
        if (cause == null || cause.isCommon()) {
            return ofCommonReason(cause, errors, server);
        }
        int alert = cause.reason() - SSL_AD_REASON_OFFSET;
        if (alert >= 0 && alert < ALERTS) {
            return alertReceived(alert);
        }
        return cause.reason() == SSL_R_CERTIFICATE_VERIFY_FAILED
                ? certificateRefused(verifyResult)
                : ofReason(cause, version);
    }

    /**
     * Reads an error for which libssl has no reason of its own, because something below it has failed: at what the peer
     * sent, if that cannot be read as what it should be, and else through no fault of the peer's.
     */
    private static TlsFailure ofCommonReason(@Nullable OpenSslError cause, List<OpenSslError> errors, boolean server) {
        if (cause != null && cause.reason() == ERR_R_ASN1_LIB) {
            return new TlsFailure(
                    EndReason.MALFORMED_CERTIFICATE,
                    server ? SSL_AD_DECODE_ERROR : SSL_AD_BAD_CERTIFICATE,
                    EndReason.MALFORMED_CERTIFICATE.describe(
                            openSsl(errors.getFirst().reasonText())));
        }
        if (cause != null && errors.stream().anyMatch(TlsFailures::isOfPeersKey)) {
            return new TlsFailure(
                    EndReason.BAD_KEY_SHARE,
                    SSL_AD_INTERNAL_ERROR,
                    EndReason.BAD_KEY_SHARE.describe(openSsl(errors.getFirst().reasonText())));
        }
        String what = errors.isEmpty() ? "no cause in its error queue" : errors.toString();
        return failure(EndReason.OPENSSL_ERROR, what);
    }

    /** True for what only a public key that came from the peer can cause, since our own are valid. */
    private static boolean isOfPeersKey(OpenSslError error) {
        return switch (error.library()) {
            case ERR_LIB_EC ->
                switch (error.reason()) {
                    case EC_R_INVALID_ENCODING, EC_R_POINT_AT_INFINITY, EC_R_POINT_IS_NOT_ON_CURVE -> true;
                    default -> false;
                };
            case ERR_LIB_PROV -> error.reason() == PROV_R_FAILED_DURING_DERIVATION;
            default -> false;
        };
    }

    private static TlsFailure ofReason(OpenSslError cause, String version) {
        EndReason reason = reasonOf(cause.reason());
        return switch (reason) {
            case TRUNCATED -> truncated(SSL_AD_DECODE_ERROR);
            case CERTIFICATE_MISSING ->
                new TlsFailure(
                        reason,
                        version.equals(TLS_1_3) ? reason.alertNumber() : SSL_AD_HANDSHAKE_FAILURE,
                        reason.describe());
            default -> failure(reason, openSsl(cause.reasonText()));
        };
    }

    /** Returns the reason for one of libssl's numbers; those that are not told apart are violations of the protocol. */
    private static EndReason reasonOf(int number) {
        return switch (number) {
            case SSL_R_UNEXPECTED_EOF_WHILE_READING -> EndReason.TRUNCATED;
            case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE -> EndReason.CERTIFICATE_MISSING;
            case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST -> EndReason.HTTP_REQUEST;
            case SSL_R_WRONG_VERSION_NUMBER, SSL_R_UNKNOWN_PROTOCOL, SSL_R_BAD_RECORD_TYPE -> EndReason.NOT_TLS;
            case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_WRONG_SSL_VERSION ->
                EndReason.UNSUPPORTED_PROTOCOL;
            case SSL_R_INAPPROPRIATE_FALLBACK -> EndReason.INAPPROPRIATE_FALLBACK;
            case SSL_R_NO_PROTOCOLS_AVAILABLE -> EndReason.NO_PROTOCOLS_AVAILABLE;
            case SSL_R_NO_SHARED_CIPHER -> EndReason.NO_SHARED_CIPHER;
            case SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SUITABLE_GROUPS, SSL_R_NO_SHARED_GROUPS ->
                EndReason.NO_SHARED_GROUP;
            case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS ->
                EndReason.NO_SHARED_SIGNATURE_ALGORITHM;
            case SSL_R_NO_APPLICATION_PROTOCOL -> EndReason.NO_APPLICATION_PROTOCOL;
            case SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC -> EndReason.BAD_RECORD_MAC;
            case SSL_R_BAD_SIGNATURE, SSL_R_DIGEST_CHECK_FAILED -> EndReason.DECRYPT_ERROR;
            case SSL_R_BAD_ECPOINT, SSL_R_BAD_KEY_SHARE -> EndReason.BAD_KEY_SHARE;
            case SSL_R_ENCRYPTED_LENGTH_TOO_LONG, SSL_R_PACKET_LENGTH_TOO_LONG, SSL_R_DATA_LENGTH_TOO_LONG ->
                EndReason.RECORD_OVERFLOW;
            case SSL_R_EXCESSIVE_MESSAGE_SIZE -> EndReason.MESSAGE_TOO_LONG;
            case SSL_R_UNEXPECTED_MESSAGE, SSL_R_UNEXPECTED_RECORD -> EndReason.UNEXPECTED_MESSAGE;
            case SSL_R_MIXED_HANDSHAKE_AND_NON_HANDSHAKE_DATA -> EndReason.INTERRUPTED_MESSAGE;
            case SSL_R_INVALID_ALERT -> EndReason.MALFORMED_ALERT;
            case SSL_R_BAD_KEY_UPDATE, SSL_R_NOT_ON_RECORD_BOUNDARY -> EndReason.MALFORMED_KEY_UPDATE;
            case SSL_R_TOO_MANY_WARN_ALERTS, SSL_R_TOO_MANY_KEY_UPDATES -> EndReason.FLOOD;
            case SSL_R_TOO_MUCH_EARLY_DATA -> EndReason.TOO_MUCH_EARLY_DATA;
            case SSL_R_NO_RENEGOTIATION -> EndReason.RENEGOTIATION;
            default -> EndReason.PROTOCOL_VIOLATION;
        };
    }

    private static TlsFailure certificateRefused(int verifyResult) {
        EndReason reason = reasonOfVerification(verifyResult);
        int alert = reason == EndReason.CERTIFICATE_REVOCATION_UNKNOWN
                ? alertOfRevocation(verifyResult)
                : reason.alertNumber();
        String text = reason.describe("OpenSSL: " + Ssl.verifyText(verifyResult) + ", " + verifyResult);
        return new TlsFailure(reason, alert, text);
    }

    private static EndReason reasonOfVerification(int result) {
        return switch (result) {
            case X509_V_ERR_CERT_HAS_EXPIRED -> EndReason.CERTIFICATE_EXPIRED;
            case X509_V_ERR_CERT_NOT_YET_VALID -> EndReason.CERTIFICATE_NOT_YET_VALID;
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
                    X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                    X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE -> EndReason.CERTIFICATE_UNKNOWN_AUTHORITY;
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH -> EndReason.WRONG_HOST;
            case X509_V_ERR_CERT_SIGNATURE_FAILURE -> EndReason.CERTIFICATE_BAD_SIGNATURE;
            case X509_V_ERR_CERT_REVOKED -> EndReason.CERTIFICATE_REVOKED;
            case X509_V_ERR_CERT_CHAIN_TOO_LONG -> EndReason.CERTIFICATE_CHAIN_TOO_LONG;
            case X509_V_ERR_UNABLE_TO_GET_CRL,
                    X509_V_ERR_CRL_HAS_EXPIRED,
                    X509_V_ERR_CRL_NOT_YET_VALID,
                    X509_V_ERR_CRL_SIGNATURE_FAILURE -> EndReason.CERTIFICATE_REVOCATION_UNKNOWN;
            case X509_V_ERR_INVALID_PURPOSE -> EndReason.CERTIFICATE_WRONG_PURPOSE;
            default -> EndReason.CERTIFICATE_REFUSED;
        };
    }

    private static int alertOfRevocation(int verifyResult) {
        return switch (verifyResult) {
            case X509_V_ERR_UNABLE_TO_GET_CRL -> SSL_AD_UNKNOWN_CA;
            case X509_V_ERR_CRL_HAS_EXPIRED -> SSL_AD_CERTIFICATE_EXPIRED;
            case X509_V_ERR_CRL_NOT_YET_VALID -> SSL_AD_BAD_CERTIFICATE;
            default -> SSL_AD_DECRYPT_ERROR;
        };
    }

    /** Makes the failure of a client whose certificate verifies, but has none of the names that are let in. */
    static TlsFailure clientNotAllowed(PeerCertificate client) {
        return failure(
                EndReason.CERTIFICATE_NOT_ALLOWED,
                client.subject() + " " + client.alternativeNames() + ", sha256:" + client.sha256());
    }

    /** Makes the failure that a channel has come to. */
    static TlsFailure of(RecordChannel channel) {
        EndReason reason = Objects.requireNonNull(channel.reason(), "the channel has not failed");
        if (reason.isAlertReceived()) {
            return alertReceived(channel.alert());
        }
        return reason == EndReason.TRUNCATED ? truncated(channel.alert()) : found(reason, channel.alert());
    }

    /**
     * Makes a failure that our own record layer has found.
     *
     * @param told the alert that the peer is told, or {@link TlsAlert#NONE}
     */
    static TlsFailure found(EndReason reason, int told) {
        String telling = told == TlsAlert.NONE
                ? "the peer was sent no alert, since our side was closed already"
                : "the peer was sent " + TlsAlert.label(told);
        return new TlsFailure(reason, told, reason.describe(telling));
    }

    /**
     * Makes the failure of a stream that ended where close_notify should have come first.
     *
     * @param alert what the peer was told, should it still listen
     */
    static TlsFailure truncated(int alert) {
        return new TlsFailure(EndReason.TRUNCATED, alert, EndReason.TRUNCATED.describe());
    }

    /** Makes the failure of a connection that the peer ended by an alert. */
    static TlsFailure alertReceived(int alert) {
        EndReason reason = EndReason.alertReceived(alert);
        return new TlsFailure(reason, alert, reason.describe(Integer.toString(alert)));
    }

    /** Makes the failure of a stream that ended inside the handshake. */
    static TlsFailure endedInHandshake(boolean anythingCame) {
        EndReason reason = anythingCame ? EndReason.HANDSHAKE_TRUNCATED : EndReason.CLOSED_BEFORE_HANDSHAKE;
        return new TlsFailure(reason, SSL_AD_DECODE_ERROR, reason.describe());
    }

    /** Makes the failure of a peer that sent close_notify inside the handshake. */
    static TlsFailure closedInHandshake() {
        return failure(EndReason.CLOSED_IN_HANDSHAKE, "");
    }

    /** Makes the failure of a system call on the descriptor. */
    static TlsFailure transport(int errno) {
        EndReason reason = switch (errno) {
            case Errno.ECONNRESET -> EndReason.CONNECTION_RESET;
            case Errno.EPIPE -> EndReason.BROKEN_PIPE;
            default -> EndReason.TRANSPORT_ERROR;
        };
        return failure(reason, Errno.describe(errno));
    }

    /** Makes the failure of a client whose server name nobody answers to. */
    static TlsFailure unknownServerName(String name) {
        return failure(
                EndReason.UNRECOGNIZED_NAME, name.isEmpty() ? "the client names no server" : "server name " + name);
    }

    /**
     * Makes the failure of a peer without ALPN where it is required.
     *
     * @param alert what the peer was told
     */
    static TlsFailure alpnMissing(int alert) {
        return new TlsFailure(
                EndReason.NO_APPLICATION_PROTOCOL,
                alert,
                EndReason.NO_APPLICATION_PROTOCOL.describe("none was agreed on and one is required"));
    }

    /** Makes the failure of a callback that threw. */
    static TlsFailure callbackThrew(Throwable thrown) {
        return new TlsFailure(
                EndReason.INTERNAL_ERROR,
                SSL_AD_INTERNAL_ERROR,
                EndReason.INTERNAL_ERROR.describe("a handshake callback failed: " + thrown));
    }

    private static TlsFailure failure(EndReason reason, String cause) {
        return new TlsFailure(reason, reason.alertNumber(), reason.describe(cause));
    }

    private static String openSsl(String text) {
        return "OpenSSL: " + text;
    }
}
