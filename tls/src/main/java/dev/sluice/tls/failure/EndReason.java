package dev.sluice.tls.failure;

import static dev.sluice.tls.failure.Fault.ENVIRONMENT;
import static dev.sluice.tls.failure.Fault.NONE;
import static dev.sluice.tls.failure.Fault.OURS;
import static dev.sluice.tls.failure.Fault.PEER_INCOMPATIBLE;
import static dev.sluice.tls.failure.Fault.PEER_MISBEHAVED;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The reasons for which connections end: the one catalogue of engines, event loops and gateway.
 *
 * <p>A constant's name in lower case is its {@linkplain #label() label}, which is stable: in metrics, logs and the
 * access log. The texts are for people: the log composes its lines of them, and docs/reasons.md is generated from them.
 *
 * <p>The reasons of the network and of the gateway stand here too, although this module raises none of them: a failure
 * travels from an engine through the event loop to the gateway's metrics as one constant, labels cannot collide,
 * counters have an index ({@link #ordinal()}), and one page lists all. That needs one enum, and the lowest module that
 * raises a reason has to hold it.
 */
public enum EndReason {
    // --- the gateway ------------------------------------------------------------------------------------------------

    /** Both directions ended in order. */
    COMPLETED(Topic.GATEWAY, NONE, "both sides ended in order", ""),
    /** An ACME server asked for the answer to a challenge. */
    CHALLENGE_ANSWERED(Topic.GATEWAY, NONE, "an ACME server got the answer that proves a name", ""),
    /** A plain HTTP request was redirected to https. */
    REDIRECTED(Topic.GATEWAY, NONE, "a plain HTTP request was redirected to https (`redirect`)", ""),
    /** No valid request on a listener that redirects. */
    REQUEST_MALFORMED(
            Topic.GATEWAY,
            PEER_MISBEHAVED,
            "no valid HTTP/1.x request came to a listener with `redirect`",
            "send HTTP/1.1 with one Host, and TLS to another port"),
    /** No request in time on a listener that redirects. */
    REQUEST_TIMEOUT(
            Topic.GATEWAY,
            PEER_MISBEHAVED,
            "no whole HTTP request came within `limits.handshake-timeout` to a listener with `redirect`",
            ""),
    /** No route for the server name and protocol. */
    NO_ROUTE(
            Topic.GATEWAY,
            PEER_INCOMPATIBLE,
            "no route matches the server name and the protocol",
            "add a route without conditions to take the rest"),
    /** Nothing moved for too long. */
    IDLE_TIMEOUT(Topic.GATEWAY, PEER_MISBEHAVED, "no byte in either direction within `limits.idle-timeout`", ""),
    /** An address that the listener does not serve. */
    ADDRESS_DENIED(
            Topic.GATEWAY, PEER_MISBEHAVED, "the listener's `allow` and `deny` exclude the client's address", ""),
    /** Too many connections from one address. */
    ADDRESS_LIMIT(Topic.GATEWAY, PEER_MISBEHAVED, "`limits.connections-per-address` is reached", ""),
    /** Too many connections. */
    CONNECTION_LIMIT(
            Topic.GATEWAY,
            ENVIRONMENT,
            "`limits.connections` is reached",
            "raise `limits.connections`, and RLIMIT_NOFILE (`ulimit -n`)"),
    /** Too many connections of one listener. */
    LISTENER_LIMIT(
            Topic.GATEWAY,
            ENVIRONMENT,
            "the listener's limit `connections` is reached",
            "raise the listener's `connections`"),
    /** More handshakes than the processors can do. */
    HANDSHAKE_CAPACITY(
            Topic.GATEWAY,
            ENVIRONMENT,
            "more handshakes than the processors can do: the queue is full, or its wait too long",
            "add loops and processors, or keep floods away by `limits.handshakes-per-second-per-address`"),
    /** The rate of full handshakes. */
    HANDSHAKE_RATE(
            Topic.GATEWAY,
            ENVIRONMENT,
            "`limits.handshakes-per-second` is reached, and the queue is full",
            "raise `limits.handshakes-per-second`"),
    /** The number of handshakes at a time. */
    HANDSHAKE_LIMIT(
            Topic.GATEWAY,
            ENVIRONMENT,
            "`limits.handshakes` is reached, and the queue is full",
            "raise `limits.handshakes`"),
    /** Its turn did not come in time. */
    HANDSHAKE_DEADLINE(
            Topic.GATEWAY,
            ENVIRONMENT,
            "the handshake's turn did not come within `limits.handshake-wait`",
            "raise `limits.handshake-wait`, or add loops and processors"),
    /** The rate of handshakes of one address. */
    HANDSHAKE_ADDRESS_RATE(Topic.GATEWAY, PEER_MISBEHAVED, "`limits.handshakes-per-second-per-address` is reached", ""),
    /** A loop has no buffer left. */
    NO_BUFFERS(
            Topic.GATEWAY,
            ENVIRONMENT,
            "all buffers of the loop are in use",
            "lower `limits.held-bytes` or `limits.connections`"),
    /** The grace period of a drain is over. */
    DRAIN_TIMEOUT(
            Topic.GATEWAY, PEER_MISBEHAVED, "still open when the grace period was over", "give the drain more time"),
    /** The gateway was closed without a drain. */
    GATEWAY_CLOSED(Topic.GATEWAY, PEER_MISBEHAVED, "still open when the gateway was closed at once", ""),
    /** No PROXY header, or a malformed one. */
    PROXY_HEADER_MALFORMED(
            Topic.GATEWAY,
            PEER_MISBEHAVED,
            "no valid PROXY header from an address in the listener's `proxy-protocol.from`",
            "let the proxy send the header, or remove its address"),
    /** A PROXY header of somebody who is no proxy. */
    PROXY_HEADER_UNTRUSTED(
            Topic.GATEWAY,
            PEER_MISBEHAVED,
            "a PROXY header from an address that is not in the listener's `proxy-protocol.from`",
            "add the address, if it is a proxy's"),
    /** Closed without a reason that anybody gave. */
    BROKEN(
            Topic.GATEWAY,
            OURS,
            "an error in the gateway closed the connection",
            "report it, with the stack trace in the log"),

    // --- the network ------------------------------------------------------------------------------------------------

    /** A reset. */
    CONNECTION_RESET(Topic.NETWORK, PEER_MISBEHAVED, "the peer reset the connection", ""),
    /** The peer does not read any more. */
    BROKEN_PIPE(Topic.NETWORK, PEER_MISBEHAVED, "the peer closed before it had read everything", ""),
    /** The peer does not acknowledge any more. */
    CONNECTION_TIMED_OUT(
            Topic.NETWORK, ENVIRONMENT, "the peer stopped acknowledging", "check the network and the peer's host"),
    /** The peer does not read. */
    WRITE_TIMEOUT(Topic.NETWORK, PEER_MISBEHAVED, "the peer took nothing of what was sent in time", ""),
    /** No way to the peer. */
    UNREACHABLE(Topic.NETWORK, ENVIRONMENT, "the peer cannot be reached", "check routes and firewalls"),
    /** Another error of the socket. */
    IO_ERROR(Topic.NETWORK, ENVIRONMENT, "reading or writing the connection failed", ""),
    /** Another error of a socket that a TLS engine owns. */
    TRANSPORT_ERROR(Topic.NETWORK, ENVIRONMENT, "reading or writing the socket under TLS failed", ""),
    /** Nobody listens. */
    CONNECTION_REFUSED(Topic.NETWORK, ENVIRONMENT, "the connection was refused", "check that a server listens there"),
    /** No Unix socket. */
    NO_SUCH_SOCKET(Topic.NETWORK, ENVIRONMENT, "the socket file does not exist", "check that the server runs"),
    /** No answer in time. */
    CONNECT_TIMEOUT(
            Topic.NETWORK,
            ENVIRONMENT,
            "the connect was not answered in time",
            "check that the server is up, and that no firewall drops packets"),
    /** Another error of a connect. */
    CONNECT_FAILED(Topic.NETWORK, ENVIRONMENT, "the connect failed", ""),
    /** A firewall, or the permissions of a socket file. */
    NOT_PERMITTED(
            Topic.NETWORK,
            ENVIRONMENT,
            "the connect is not permitted",
            "check the firewall, or the socket file's permissions"),
    /** The server's backlog is full. */
    BACKLOG_FULL(
            Topic.NETWORK, ENVIRONMENT, "the server has no room for more connections", "raise the server's backlog"),
    /** No local port is free. */
    PORTS_EXHAUSTED(
            Topic.NETWORK,
            ENVIRONMENT,
            "no local port is free",
            "widen `net.ipv4.ip_local_port_range`, or keep connections open longer"),
    /** A name has no address. */
    UNRESOLVED(
            Topic.NETWORK,
            ENVIRONMENT,
            "no server has an address",
            "check the names in `servers`, DNS and `/etc/hosts`; names are looked up again"),
    /** A backend whose servers are all drained or disabled. */
    SERVERS_DISABLED(
            Topic.NETWORK, ENVIRONMENT, "no server is enabled", "enable one: `sluice backends enable BACKEND SERVER`"),
    /** The limit of descriptors. */
    DESCRIPTOR_LIMIT(
            Topic.NETWORK,
            ENVIRONMENT,
            "no descriptor is free",
            "raise RLIMIT_NOFILE (`ulimit -n`, `LimitNOFILE`) or `fs.file-max`, or lower the connection limit"),
    /** The kernel has no memory. */
    NO_KERNEL_MEMORY(
            Topic.NETWORK,
            ENVIRONMENT,
            "the kernel has no memory for a connection",
            "raise the container's memory limit or `net.ipv4.tcp_mem`"),
    /** Another error of an accept. */
    ACCEPT_FAILED(Topic.NETWORK, ENVIRONMENT, "a connection could not be accepted", ""),
    /** Gone before it was accepted. */
    CONNECTION_ABORTED(Topic.NETWORK, PEER_MISBEHAVED, "the peer went away before it was accepted", ""),
    /** The loop closed before the connection was made. */
    LOOP_CLOSED(Topic.NETWORK, OURS, "the event loop closed before the connection was made", ""),
    /** The caller gave the connect up; only handlers see it. */
    CONNECT_ABANDONED(Topic.NETWORK, OURS, "the caller gave the connect up", ""),
    /** Code of ours threw, or a handler's. */
    INTERNAL_ERROR(
            Topic.NETWORK,
            OURS,
            "an error in the gateway ended the connection",
            "report it, with the stack trace in the log"),

    // --- the handshake ----------------------------------------------------------------------------------------------

    /** Not complete in time. */
    HANDSHAKE_TIMEOUT(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            "the handshake was not complete in time",
            "raise `limits.handshake-timeout`, or the backend's `connect-timeout`, if the peer is only slow"),
    /** Not a byte. */
    CLOSED_BEFORE_HANDSHAKE(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            "the peer went away without a byte, as port scanners and health checks do",
            ""),
    /** The stream ended in the handshake. */
    HANDSHAKE_TRUNCATED(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            TlsAlert.DECODE_ERROR,
            "the peer went away in the middle of the handshake",
            ""),
    /** close_notify in the handshake. */
    CLOSED_IN_HANDSHAKE(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            TlsAlert.CLOSE_NOTIFY,
            "the peer sent close_notify in the middle of the handshake",
            ""),
    /** Plain HTTP. */
    HTTP_REQUEST(Topic.HANDSHAKE, PEER_MISBEHAVED, "the client speaks plain HTTP to a TLS port", "use https://"),
    /** No TLS record. */
    NOT_TLS(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            "the first bytes are no TLS record",
            "check that the peer speaks TLS on this port"),
    /** No version in common. */
    UNSUPPORTED_PROTOCOL(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.PROTOCOL_VERSION,
            "the peer speaks no version that is allowed here",
            "update the peer, or allow an older version (`min-version`)"),
    /** A downgrade by retrying. */
    INAPPROPRIATE_FALLBACK(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.INAPPROPRIATE_FALLBACK,
            "the client retried with an older version than both sides speak",
            ""),
    /** The versions allowed here leave none. */
    NO_PROTOCOLS_AVAILABLE(Topic.HANDSHAKE, OURS, "the versions allowed here leave none", "lower `min-version`"),
    /** No suite in common. */
    NO_SHARED_CIPHER(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.HANDSHAKE_FAILURE,
            "no cipher suite fits both sides and the certificate's kind of key",
            "allow more suites (`ciphers`), or add a certificate of the other kind (ECDSA, RSA)"),
    /** No group in common. */
    NO_SHARED_GROUP(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.HANDSHAKE_FAILURE,
            "no key-exchange group fits both sides",
            "allow X25519 or P-256 (`groups`)"),
    /** No signature algorithm in common. */
    NO_SHARED_SIGNATURE_ALGORITHM(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.HANDSHAKE_FAILURE,
            "the peer cannot verify any of the certificates' kinds of key",
            "add a certificate of another kind (ECDSA, RSA)"),
    /** No ALPN protocol in common. */
    NO_APPLICATION_PROTOCOL(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.NO_APPLICATION_PROTOCOL,
            "no ALPN protocol fits both sides, or the client offers none and `alpn-required` is on",
            "add one of the peer's protocols to `alpn`, or let the client offer one"),
    /** No certificate for the server name. */
    UNRECOGNIZED_NAME(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.UNRECOGNIZED_NAME,
            "no certificate for the server name, and `strict-sni` is on",
            "add a certificate for the name, or connect by a name that is served"),
    /** A client certificate is required. */
    CERTIFICATE_MISSING(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.CERTIFICATE_REQUIRED,
            "a client certificate is required and none came (`client-auth: required`)",
            "configure one in the client"),
    /** A certificate has expired. */
    CERTIFICATE_EXPIRED(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.CERTIFICATE_EXPIRED,
            "the peer's certificate has expired",
            "renew it, or check this machine's clock"),
    /** A certificate is not valid yet. */
    CERTIFICATE_NOT_YET_VALID(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.BAD_CERTIFICATE,
            "the peer's certificate is not valid yet",
            "check both machines' clocks"),
    /** No trusted authority. */
    CERTIFICATE_UNKNOWN_AUTHORITY(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.UNKNOWN_CA,
            "no trusted authority issued the peer's certificate, or intermediates are missing",
            "trust its authority (`client-ca`), or let the peer send its intermediates"),
    /** A signature in the chain does not verify. */
    CERTIFICATE_BAD_SIGNATURE(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.DECRYPT_ERROR,
            "the peer's certificate was not issued by the authority that it names",
            "replace it"),
    /** Too many intermediates. */
    CERTIFICATE_CHAIN_TOO_LONG(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.UNKNOWN_CA,
            "the peer's chain has more intermediates than `client-depth` allows",
            "raise `client-depth`, or shorten the chain"),
    /** A certificate without an allowed name. */
    CERTIFICATE_NOT_ALLOWED(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.BAD_CERTIFICATE,
            "the client's certificate verifies, but has no name in `client-names`",
            "add one of its names, if the client is welcome"),
    /** A revocation list is missing or has expired. */
    CERTIFICATE_REVOCATION_UNKNOWN(
            Topic.HANDSHAKE,
            ENVIRONMENT,
            TlsAlert.UNKNOWN_CA,
            "an authority in the client's chain has no valid list in `client-crl`",
            "put a revocation list of each authority there that is valid now"),
    /** A certificate is revoked. */
    CERTIFICATE_REVOKED(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.CERTIFICATE_REVOKED,
            "the peer's certificate is revoked",
            "replace it"),
    /** A certificate for another use. */
    CERTIFICATE_WRONG_PURPOSE(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.UNSUPPORTED_CERTIFICATE,
            "the peer's certificate is for another purpose",
            "let its extended key usage allow this side of TLS"),
    /** A certificate that does not verify for another reason. */
    CERTIFICATE_REFUSED(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.CERTIFICATE_UNKNOWN,
            "the peer's certificate does not verify",
            "inspect it by `openssl verify`"),
    /** A certificate of another host. */
    WRONG_HOST(
            Topic.HANDSHAKE,
            PEER_INCOMPATIBLE,
            TlsAlert.BAD_CERTIFICATE,
            "the peer's certificate is for other names",
            "connect by a name that stands in the certificate"),
    /** A signature or a Finished does not verify. */
    DECRYPT_ERROR(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            TlsAlert.DECRYPT_ERROR,
            "a signature or a Finished does not verify: a message was changed on its way",
            ""),
    /** A certificate that is no DER. */
    MALFORMED_CERTIFICATE(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            TlsAlert.DECODE_ERROR,
            "a certificate, or the name of an authority, is no valid DER",
            ""),
    /** A key share that is no key. */
    BAD_KEY_SHARE(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            TlsAlert.ILLEGAL_PARAMETER,
            "a key share is no public key of its group",
            ""),
    /** More early data than allowed. */
    TOO_MUCH_EARLY_DATA(
            Topic.HANDSHAKE,
            PEER_MISBEHAVED,
            TlsAlert.UNEXPECTED_MESSAGE,
            "the peer sends more early data than its session ticket allows",
            ""),
    /** OpenSSL got no memory. */
    OUT_OF_MEMORY(
            Topic.HANDSHAKE,
            ENVIRONMENT,
            TlsAlert.INTERNAL_ERROR,
            "OpenSSL got no memory",
            "raise the limit of memory, or lower `limits.connections`"),
    /** OpenSSL failed, through no fault of the peer's that it would name. */
    OPENSSL_ERROR(
            Topic.HANDSHAKE, OURS, TlsAlert.INTERNAL_ERROR, "OpenSSL failed", "report it, with the text from OpenSSL"),

    // --- TLS, at any time -------------------------------------------------------------------------------------------

    /** The stream ended without close_notify. */
    TRUNCATED(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.DECODE_ERROR,
            "the stream ended without close_notify: what came before may be incomplete",
            ""),
    /** A violation that libssl refuses and this catalogue does not name. */
    PROTOCOL_VIOLATION(Topic.TLS, PEER_MISBEHAVED, "the peer broke the protocol", ""),
    /** A record does not open: its tag is wrong, or it is too short to have one. */
    BAD_RECORD_MAC(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.BAD_RECORD_MAC,
            "a record does not open: changed on its way, or made with other keys",
            ""),
    /** A record is longer than allowed, as sent or as plaintext. */
    RECORD_OVERFLOW(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.RECORD_OVERFLOW,
            "a record is longer than the protocol allows, or than the client asked for",
            ""),
    /** A record that is not protected, after the handshake. */
    UNPROTECTED_RECORD(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.UNEXPECTED_MESSAGE,
            "a record after the handshake is not protected: something on the way injects bytes",
            ""),
    /** A record that claims another version. */
    WRONG_RECORD_VERSION(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.DECODE_ERROR,
            "a record names another version than was agreed on: something on the way injects bytes",
            ""),
    /** A message, or a type of content, that nobody may send now. */
    UNEXPECTED_MESSAGE(Topic.TLS, PEER_MISBEHAVED, TlsAlert.UNEXPECTED_MESSAGE, "a message came out of its order", ""),
    /** Something else between the pieces of a handshake message. */
    INTERRUPTED_MESSAGE(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.UNEXPECTED_MESSAGE,
            "something else came between the pieces of a handshake message",
            ""),
    /** A handshake message longer than this side takes. */
    MESSAGE_TOO_LONG(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.ILLEGAL_PARAMETER,
            "a handshake message is longer than this side takes",
            ""),
    /** An alert that is not two bytes. */
    MALFORMED_ALERT(Topic.TLS, PEER_MISBEHAVED, TlsAlert.DECODE_ERROR, "an alert is malformed", ""),
    /** A KeyUpdate with wrong content, or with something behind it in its record. */
    MALFORMED_KEY_UPDATE(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.DECODE_ERROR,
            "a KeyUpdate is malformed, or something stands behind it in its record",
            ""),
    /** A NewSessionTicket whose lengths do not fit it, or without a ticket. */
    MALFORMED_TICKET(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.DECODE_ERROR,
            "a session ticket is empty, or its lengths do not fit the message",
            ""),
    /** Control messages without end. */
    FLOOD(
            Topic.TLS,
            PEER_MISBEHAVED,
            TlsAlert.UNEXPECTED_MESSAGE,
            "more than 32 empty records, 32 handshake messages or 4 warnings between two records with data",
            ""),
    /** Renegotiation is off. */
    RENEGOTIATION(
            Topic.TLS, PEER_MISBEHAVED, TlsAlert.NO_RENEGOTIATION, "the peer wants to renegotiate, which is off", ""),
    /** TLS in the kernel cannot update keys. */
    KERNEL_KEY_UPDATE(
            Topic.TLS,
            ENVIRONMENT,
            TlsAlert.INTERNAL_ERROR,
            "the keys must be updated, which TLS in the kernel cannot do",
            "set records: direct on the listener"),

    // --- alerts of the peer -----------------------------------------------------------------------------------------

    /** An alert that no RFC names; one constant, since the peer chooses the number. */
    ALERT_RECEIVED_UNKNOWN(
            Topic.ALERT,
            PEER_MISBEHAVED,
            "the peer ended the connection by an alert that no RFC names",
            "see the peer's log"),
    /** The alert close_notify. */
    ALERT_RECEIVED_CLOSE_NOTIFY(PEER_MISBEHAVED, TlsAlert.CLOSE_NOTIFY),
    /** The alert unexpected_message. */
    ALERT_RECEIVED_UNEXPECTED_MESSAGE(PEER_MISBEHAVED, TlsAlert.UNEXPECTED_MESSAGE),
    /** The alert bad_record_mac. */
    ALERT_RECEIVED_BAD_RECORD_MAC(PEER_MISBEHAVED, TlsAlert.BAD_RECORD_MAC),
    /** The alert decryption_failed. */
    ALERT_RECEIVED_DECRYPTION_FAILED(PEER_MISBEHAVED, TlsAlert.DECRYPTION_FAILED),
    /** The alert record_overflow. */
    ALERT_RECEIVED_RECORD_OVERFLOW(PEER_MISBEHAVED, TlsAlert.RECORD_OVERFLOW),
    /** The alert handshake_failure. */
    ALERT_RECEIVED_HANDSHAKE_FAILURE(PEER_INCOMPATIBLE, TlsAlert.HANDSHAKE_FAILURE),
    /** The alert no_certificate. */
    ALERT_RECEIVED_NO_CERTIFICATE(PEER_MISBEHAVED, TlsAlert.NO_CERTIFICATE),
    /** The alert bad_certificate. */
    ALERT_RECEIVED_BAD_CERTIFICATE(PEER_INCOMPATIBLE, TlsAlert.BAD_CERTIFICATE),
    /** The alert unsupported_certificate. */
    ALERT_RECEIVED_UNSUPPORTED_CERTIFICATE(PEER_INCOMPATIBLE, TlsAlert.UNSUPPORTED_CERTIFICATE),
    /** The alert certificate_revoked. */
    ALERT_RECEIVED_CERTIFICATE_REVOKED(PEER_INCOMPATIBLE, TlsAlert.CERTIFICATE_REVOKED),
    /** The alert certificate_expired. */
    ALERT_RECEIVED_CERTIFICATE_EXPIRED(PEER_INCOMPATIBLE, TlsAlert.CERTIFICATE_EXPIRED),
    /** The alert certificate_unknown. */
    ALERT_RECEIVED_CERTIFICATE_UNKNOWN(PEER_INCOMPATIBLE, TlsAlert.CERTIFICATE_UNKNOWN),
    /** The alert illegal_parameter. */
    ALERT_RECEIVED_ILLEGAL_PARAMETER(PEER_MISBEHAVED, TlsAlert.ILLEGAL_PARAMETER),
    /** The alert unknown_ca. */
    ALERT_RECEIVED_UNKNOWN_CA(PEER_INCOMPATIBLE, TlsAlert.UNKNOWN_CA),
    /** The alert access_denied. */
    ALERT_RECEIVED_ACCESS_DENIED(PEER_INCOMPATIBLE, TlsAlert.ACCESS_DENIED),
    /** The alert decode_error. */
    ALERT_RECEIVED_DECODE_ERROR(PEER_MISBEHAVED, TlsAlert.DECODE_ERROR),
    /** The alert decrypt_error. */
    ALERT_RECEIVED_DECRYPT_ERROR(PEER_MISBEHAVED, TlsAlert.DECRYPT_ERROR),
    /** The alert protocol_version. */
    ALERT_RECEIVED_PROTOCOL_VERSION(PEER_INCOMPATIBLE, TlsAlert.PROTOCOL_VERSION),
    /** The alert insufficient_security. */
    ALERT_RECEIVED_INSUFFICIENT_SECURITY(PEER_INCOMPATIBLE, TlsAlert.INSUFFICIENT_SECURITY),
    /** The alert internal_error. */
    ALERT_RECEIVED_INTERNAL_ERROR(PEER_MISBEHAVED, TlsAlert.INTERNAL_ERROR),
    /** The alert inappropriate_fallback. */
    ALERT_RECEIVED_INAPPROPRIATE_FALLBACK(PEER_MISBEHAVED, TlsAlert.INAPPROPRIATE_FALLBACK),
    /** The alert user_canceled. */
    ALERT_RECEIVED_USER_CANCELED(PEER_MISBEHAVED, TlsAlert.USER_CANCELED),
    /** The alert no_renegotiation. */
    ALERT_RECEIVED_NO_RENEGOTIATION(PEER_MISBEHAVED, TlsAlert.NO_RENEGOTIATION),
    /** The alert missing_extension. */
    ALERT_RECEIVED_MISSING_EXTENSION(PEER_MISBEHAVED, TlsAlert.MISSING_EXTENSION),
    /** The alert unsupported_extension. */
    ALERT_RECEIVED_UNSUPPORTED_EXTENSION(PEER_MISBEHAVED, TlsAlert.UNSUPPORTED_EXTENSION),
    /** The alert unrecognized_name. */
    ALERT_RECEIVED_UNRECOGNIZED_NAME(PEER_INCOMPATIBLE, TlsAlert.UNRECOGNIZED_NAME),
    /** The alert bad_certificate_status_response. */
    ALERT_RECEIVED_BAD_CERTIFICATE_STATUS_RESPONSE(PEER_MISBEHAVED, TlsAlert.BAD_CERTIFICATE_STATUS_RESPONSE),
    /** The alert unknown_psk_identity. */
    ALERT_RECEIVED_UNKNOWN_PSK_IDENTITY(PEER_MISBEHAVED, TlsAlert.UNKNOWN_PSK_IDENTITY),
    /** The alert certificate_required. */
    ALERT_RECEIVED_CERTIFICATE_REQUIRED(PEER_INCOMPATIBLE, TlsAlert.CERTIFICATE_REQUIRED),
    /** The alert no_application_protocol. */
    ALERT_RECEIVED_NO_APPLICATION_PROTOCOL(PEER_INCOMPATIBLE, TlsAlert.NO_APPLICATION_PROTOCOL),
    /** The alert ech_required. */
    ALERT_RECEIVED_ECH_REQUIRED(
            Topic.ALERT,
            PEER_INCOMPATIBLE,
            TlsAlert.ECH_REQUIRED,
            "the peer ended the connection by the alert ech_required",
            "it retries with the key that it was sent; publish the current one in DNS, see sluice ech");

    /** The groups of reasons, in the order of the documentation. */
    public enum Topic {
        /** Limits and decisions of the gateway. */
        GATEWAY,
        /** Sockets, and connects. */
        NETWORK,
        /** TLS until the handshake is complete. */
        HANDSHAKE,
        /** TLS at any time. */
        TLS,
        /** Alerts that the peer sent. */
        ALERT
    }

    private static final String HANDSHAKE_PREFIX = "handshake_";
    private static final Map<TlsAlert, EndReason> RECEIVED = received();

    private final Topic topic;
    private final Fault fault;
    private final @Nullable TlsAlert alert;
    private final String label;
    private final String labelInHandshake;
    private final String event;
    private final String remedy;

    EndReason(Topic topic, Fault fault, String event, String remedy) {
        this(topic, fault, null, event, remedy);
    }

    /** Makes the reason for an alert that the peer sent. */
    EndReason(Fault fault, TlsAlert received) {
        this(
                Topic.ALERT,
                fault,
                received,
                "the peer ended the connection by the alert " + received.label(),
                "see the peer's log");
    }

    EndReason(Topic topic, Fault fault, @Nullable TlsAlert alert, String event, String remedy) {
        this.topic = topic;
        this.fault = fault;
        this.alert = alert;
        this.label = name().toLowerCase(Locale.ROOT);
        this.labelInHandshake = label.startsWith(HANDSHAKE_PREFIX) ? label.substring(HANDSHAKE_PREFIX.length()) : label;
        this.event = event;
        this.remedy = remedy;
    }

    private static Map<TlsAlert, EndReason> received() {
        Map<TlsAlert, EndReason> result = new EnumMap<>(TlsAlert.class);
        for (EndReason reason : values()) {
            if (reason.topic == Topic.ALERT && reason.alert != null) {
                result.put(reason.alert, reason);
            }
        }
        return result;
    }

    /** Returns the reason for an alert of the peer; {@link #ALERT_RECEIVED_UNKNOWN} for a number without a name. */
    public static EndReason alertReceived(int number) {
        TlsAlert alert = TlsAlert.of(number);
        return alert == null ? ALERT_RECEIVED_UNKNOWN : Objects.requireNonNull(RECEIVED.get(alert));
    }

    /** Returns the group that the reason belongs to. */
    public Topic topic() {
        return topic;
    }

    /** Returns the party to blame. */
    public Fault fault() {
        return fault;
    }

    /**
     * Returns the alert that belongs to the reason: the one that the peer sent, or else the usual one of those that
     * libssl and this side send; null where none is sent, or libssl does not tell.
     */
    public @Nullable TlsAlert alert() {
        return alert;
    }

    /** Returns the number of {@link #alert()}; {@link TlsAlert#NONE} for none. */
    public int alertNumber() {
        return alert == null ? TlsAlert.NONE : alert.number();
    }

    /** True for the alerts that the peer sent. */
    public boolean isAlertReceived() {
        return topic == Topic.ALERT;
    }

    /** Returns the stable name in metrics and logs, such as {@code http_request}. */
    public String label() {
        return label;
    }

    /** Returns the label without a leading {@code handshake_}, for where the handshake goes without saying. */
    public String labelInHandshake() {
        return labelInHandshake;
    }

    /** Returns the event as a clause, with keys and commands in backticks. */
    public String event() {
        return event;
    }

    /** Returns the remedy as a clause, with keys and commands in backticks; "" where there is none. */
    public String remedy() {
        return remedy;
    }

    /** Returns the text of a log line: {@code event; remedy}. */
    public String describe() {
        return describe("");
    }

    /**
     * Returns the text of a log line: {@code event (cause); remedy}.
     *
     * @param cause the values of this occurrence; "" for none
     */
    public String describe(String cause) {
        String text = event + (cause.isEmpty() ? "" : " (" + cause + ")") + (remedy.isEmpty() ? "" : "; " + remedy);
        return text.replace("`", "");
    }
}
