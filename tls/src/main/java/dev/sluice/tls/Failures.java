package dev.sluice.tls;

import static dev.sluice.ffi.openssl.OpenSslConstants.*;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.openssl.OpenSslError;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.tls.TlsFailure.Fault;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordFault;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What OpenSSL's error queue means: who is to blame, under which name it is counted, which alert the peer was told, and
 * what a person should do.
 *
 * <p>The alert is the one that libssl sends for the reason. libssl does not tell it, so this table does, and the
 * conformance suite compares it with what is on the wire; for reasons that are not in the table it is NONE, and where
 * libssl has several for one reason it is the usual one.
 */
final class Failures {
    /** The reason of a stream that ended without close_notify. */
    static final String TRUNCATED = "truncated";

    private static final String TLS_1_3 = "TLSv1.3";

    /** Alerts that have no macro in ssl.h: RFC 8446 section 6. */
    private static final int ALERT_ACCESS_DENIED = 49;

    private static final int ALERT_INSUFFICIENT_SECURITY = 71;
    private static final int ALERT_CERTIFICATE_REQUIRED = 116;

    /** Alerts have one byte; libssl adds {@link dev.sluice.ffi.openssl.OpenSslConstants#SSL_AD_REASON_OFFSET}. */
    private static final int ALERTS = 256;

    private Failures() {}

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
            return outOfMemory(errors);
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
     * libssl has no reason of its own, because something below it has failed: at what the peer sent, if that cannot be
     * read as what it should be, and else through no fault of the peer's.
     */
    private static TlsFailure ofCommonReason(@Nullable OpenSslError cause, List<OpenSslError> errors, boolean server) {
        if (cause != null && cause.reason() == ERR_R_ASN1_LIB) {
            int alert = server ? SSL_AD_DECODE_ERROR : SSL_AD_BAD_CERTIFICATE;
            return KnownReason.MALFORMED_CERTIFICATE.failure(errors.getFirst().reasonText(), alert);
        }
        if (cause != null && errors.stream().anyMatch(Failures::isOfPeersKey)) {
            return KnownReason.BAD_KEY_SHARE.failure(errors.getFirst().reasonText(), SSL_AD_INTERNAL_ERROR);
        }
        String what = errors.isEmpty() ? "no cause in OpenSSL's error queue" : errors.toString();
        return new TlsFailure(
                Fault.OURS, "openssl_error", SSL_AD_INTERNAL_ERROR, "OpenSSL failed: " + what + "; please report this");
    }

    /** What only a public key that came from the peer can cause, since our own are valid. */
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

    private static TlsFailure outOfMemory(List<OpenSslError> errors) {
        return new TlsFailure(
                Fault.ENVIRONMENT,
                "out_of_memory",
                SSL_AD_INTERNAL_ERROR,
                "OpenSSL got no memory: " + errors + "; raise the limit of memory, or lower limits.connections");
    }

    /** What a channel's failure means. */
    static TlsFailure of(RecordChannel channel) {
        RecordFault fault = Objects.requireNonNull(channel.reason(), "the channel has not failed");
        return switch (fault) {
            case ALERT_RECEIVED -> alertReceived(channel.alert());
            case TRUNCATED -> truncated(channel.alert());
            default -> KnownReason.of(fault).failure(channel.alert());
        };
    }

    private static TlsFailure ofReason(OpenSslError cause, String version) {
        if (cause.reason() == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
            return truncated(SSL_AD_DECODE_ERROR);
        }
        if (cause.reason() == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE) {
            return certificateMissing(version);
        }
        KnownReason known = KnownReason.of(cause.reason());
        return known != null
                ? known.failure(cause.reasonText())
                : new TlsFailure(
                        Fault.PEER_MISBEHAVED,
                        metricName(cause.reasonText()),
                        TlsAlert.NONE,
                        "the peer broke the protocol (OpenSSL: " + cause.reasonText() + ")");
    }

    private static TlsFailure certificateMissing(String version) {
        return refused(
                "certificate_missing",
                version.equals(TLS_1_3) ? ALERT_CERTIFICATE_REQUIRED : SSL_AD_HANDSHAKE_FAILURE,
                "a client certificate is required and none came; configure one in the client");
    }

    /**
     * The stream ended where close_notify should have come first.
     *
     * @param alert what the peer was told, should it still listen
     */
    static TlsFailure truncated(int alert) {
        return new TlsFailure(
                Fault.PEER_MISBEHAVED,
                TRUNCATED,
                alert,
                "the stream ended without close_notify: what came before may be incomplete");
    }

    private static TlsFailure certificateRefused(int verifyResult) {
        String text =
                "the peer's certificate does not verify: " + Ssl.verifyText(verifyResult) + " (" + verifyResult + "); ";
        return switch (verifyResult) {
            case X509_V_ERR_CERT_HAS_EXPIRED ->
                refused(
                        "certificate_expired",
                        SSL_AD_CERTIFICATE_EXPIRED,
                        text + "renew it, or check this machine's clock");
            case X509_V_ERR_CERT_NOT_YET_VALID ->
                refused("certificate_not_yet_valid", SSL_AD_BAD_CERTIFICATE, text + "check both machines' clocks");
            case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
                    X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
                    X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
                    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE ->
                refused(
                        "certificate_unknown_authority",
                        SSL_AD_UNKNOWN_CA,
                        text + "trust its authority, or let the peer send its intermediates");
            case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH ->
                refused(
                        "wrong_host",
                        SSL_AD_BAD_CERTIFICATE,
                        text + "connect by a name that stands in the certificate");
            case X509_V_ERR_CERT_SIGNATURE_FAILURE ->
                refused(
                        "certificate_bad_signature",
                        SSL_AD_DECRYPT_ERROR,
                        text + "it was not issued by the authority that it names");
            case X509_V_ERR_CERT_REVOKED ->
                refused("certificate_revoked", SSL_AD_CERTIFICATE_REVOKED, text + "replace it");
            case X509_V_ERR_CERT_CHAIN_TOO_LONG ->
                refused(
                        "certificate_chain_too_long",
                        SSL_AD_UNKNOWN_CA,
                        text + "more authorities stand in between than are allowed (client-depth)");
            case X509_V_ERR_UNABLE_TO_GET_CRL,
                    X509_V_ERR_CRL_HAS_EXPIRED,
                    X509_V_ERR_CRL_NOT_YET_VALID,
                    X509_V_ERR_CRL_SIGNATURE_FAILURE -> revocationUnknown(verifyResult, text);
            case X509_V_ERR_INVALID_PURPOSE ->
                refused(
                        "certificate_wrong_purpose",
                        SSL_AD_UNSUPPORTED_CERTIFICATE,
                        text + "its extended key usage must allow this side of TLS");
            default ->
                refused("certificate_refused", SSL_AD_CERTIFICATE_UNKNOWN, text + "inspect it with: openssl verify");
        };
    }

    /** The client's certificate verifies, but has none of the names that are let in. */
    static TlsFailure clientNotAllowed(PeerCertificate client) {
        return refused(
                "certificate_not_allowed",
                SSL_AD_BAD_CERTIFICATE,
                "the client's certificate verifies, but has no name that is let in: " + client.subject() + " "
                        + client.alternativeNames() + ", sha256:" + client.sha256()
                        + "; add one of them to client-names, if it is welcome");
    }

    /** Not the peer is to blame, but who has to see to the lists; nobody can be told from one that was revoked. */
    private static TlsFailure revocationUnknown(int verifyResult, String text) {
        int alert = switch (verifyResult) {
            case X509_V_ERR_UNABLE_TO_GET_CRL -> SSL_AD_UNKNOWN_CA;
            case X509_V_ERR_CRL_HAS_EXPIRED -> SSL_AD_CERTIFICATE_EXPIRED;
            case X509_V_ERR_CRL_NOT_YET_VALID -> SSL_AD_BAD_CERTIFICATE;
            default -> SSL_AD_DECRYPT_ERROR;
        };
        return new TlsFailure(
                Fault.ENVIRONMENT,
                "certificate_revocation_unknown",
                alert,
                text + "each authority in the chain needs a revocation list that is valid now (client-crl)");
    }

    /** The peer told us, by an alert, that it will not go on. */
    static TlsFailure alertReceived(int alert) {
        String name = TlsAlert.name(alert);
        boolean disagreement = switch (alert) {
            case SSL_AD_HANDSHAKE_FAILURE,
                    SSL_AD_BAD_CERTIFICATE,
                    SSL_AD_UNSUPPORTED_CERTIFICATE,
                    SSL_AD_CERTIFICATE_REVOKED,
                    SSL_AD_CERTIFICATE_EXPIRED,
                    SSL_AD_CERTIFICATE_UNKNOWN,
                    SSL_AD_UNKNOWN_CA,
                    ALERT_ACCESS_DENIED,
                    SSL_AD_PROTOCOL_VERSION,
                    ALERT_INSUFFICIENT_SECURITY,
                    SSL_AD_UNRECOGNIZED_NAME,
                    ALERT_CERTIFICATE_REQUIRED,
                    SSL_AD_NO_APPLICATION_PROTOCOL -> true;
            default -> false;
        };
        return new TlsFailure(
                disagreement ? Fault.PEER_INCOMPATIBLE : Fault.PEER_MISBEHAVED,
                "alert_received_" + (TlsAlert.isKnown(alert) ? name : "unknown"),
                alert,
                "the peer ended the connection with the alert " + name + " (" + alert + "); its own log tells why");
    }

    /** The stream ended inside the handshake. */
    static TlsFailure endedInHandshake(boolean anythingCame) {
        return anythingCame
                ? new TlsFailure(
                        Fault.PEER_MISBEHAVED,
                        "handshake_truncated",
                        SSL_AD_DECODE_ERROR,
                        "the peer went away in the middle of the handshake")
                : new TlsFailure(
                        Fault.PEER_MISBEHAVED,
                        "closed_before_handshake",
                        SSL_AD_DECODE_ERROR,
                        "the peer went away without a byte, as port scanners and health checks do");
    }

    /** The peer sent close_notify inside the handshake. */
    static TlsFailure closedInHandshake() {
        return new TlsFailure(
                Fault.PEER_MISBEHAVED,
                "closed_in_handshake",
                0,
                "the peer sent close_notify in the middle of the handshake");
    }

    /** A system call on the descriptor failed. */
    static TlsFailure transport(int errno) {
        return switch (errno) {
            case Errno.ECONNRESET ->
                new TlsFailure(
                        Fault.PEER_MISBEHAVED,
                        "connection_reset",
                        TlsAlert.NONE,
                        "the peer reset the connection (ECONNRESET)");
            case Errno.EPIPE ->
                new TlsFailure(
                        Fault.PEER_MISBEHAVED, "broken_pipe", TlsAlert.NONE, "the peer does not read any more (EPIPE)");
            default ->
                new TlsFailure(
                        Fault.ENVIRONMENT,
                        "transport_error",
                        TlsAlert.NONE,
                        "reading or writing the socket failed, errno=" + errno);
        };
    }

    /** Nobody answers to the server name. */
    static TlsFailure unknownServerName(String name) {
        return new TlsFailure(
                Fault.PEER_INCOMPATIBLE,
                "unrecognized_name",
                SSL_AD_UNRECOGNIZED_NAME,
                (name.isEmpty() ? "the client names no server" : "no certificate for server name " + name)
                        + " and there is no default; add one, or let the client use another name");
    }

    /**
     * A required ALPN protocol was not agreed on, because the peer does not speak ALPN.
     *
     * @param alert what it is told
     */
    static TlsFailure alpnMissing(int alert) {
        return new TlsFailure(
                Fault.PEER_INCOMPATIBLE,
                "no_application_protocol",
                alert,
                "no ALPN protocol was agreed on and one is required; let the peer offer one");
    }

    /** Our own code threw inside a callback. */
    static TlsFailure callbackThrew(Throwable thrown) {
        return new TlsFailure(
                Fault.OURS, "internal_error", SSL_AD_INTERNAL_ERROR, "a handshake callback failed: " + thrown);
    }

    private static TlsFailure refused(String reason, int alert, String message) {
        return new TlsFailure(Fault.PEER_INCOMPATIBLE, reason, alert, message);
    }

    private static String metricName(String reasonText) {
        return reasonText.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    }
}
