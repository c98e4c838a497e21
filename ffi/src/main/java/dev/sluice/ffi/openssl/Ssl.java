package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.openssl.OpenSslConstants.*;

import dev.sluice.ffi.RawMemory;
import dev.sluice.memory.fault.FaultPoint;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection ({@code SSL}). Confined to one thread. The four calls of the data path allocate nothing; each clears the
 * error queue first, and {@link #error} must be asked right after one that did not succeed.
 */
public final class Ssl extends NativeHandle {
    /** Bytes of both randoms. */
    public static final int RANDOMS_BYTES = 64;

    /** The shortest binder: SHA-256's. */
    public static final int MIN_BINDER_BYTES = 32;

    private static final int SSL_SENT_SHUTDOWN = 1; // <openssl/ssl.h>
    private static final int SSL_KEY_UPDATE_NONE = -1; // <openssl/ssl.h>
    private static final int SSL_KEY_UPDATE_NOT_REQUESTED = 0; // <openssl/ssl.h>
    private static final int SSL_KEY_UPDATE_REQUESTED = 1; // <openssl/ssl.h>
    private static final int SSL_RECEIVED_SHUTDOWN = 2;

    private final Scratch scratch;

    private Ssl(SslCtx context, Scratch scratch) {
        super(LibSsl.SSL_new(context.address()), "SSL_new", "SSL");
        this.scratch = scratch;
    }

    /** Makes a connection that accepts. */
    public static Ssl server(SslCtx context) {
        return make(context, LibSsl::SSL_set_accept_state);
    }

    /** Makes a connection that connects. */
    public static Ssl client(SslCtx context) {
        return make(context, LibSsl::SSL_set_connect_state);
    }

    private static Ssl make(SslCtx context, LongConsumer role) {
        ErrorQueue.clear();
        Scratch scratch = new Scratch();
        Ssl ssl = null;
        try {
            ssl = new Ssl(context, scratch);
            role.accept(ssl.address());
            return ssl;
        } catch (Throwable t) {
            if (ssl == null) {
                scratch.close();
            } else {
                ssl.close();
            }
            throw t;
        }
    }

    // ---- transport

    /** Reads and writes through a pair, whose library side this connection owns from now on. */
    public void attach(BioPair pair) {
        long ssl = address();
        long bio = pair.handOverLibrarySide();
        LibSsl.SSL_set_bio(ssl, bio, bio);
    }

    /** Reads and writes a socket, which stays its owner's. */
    public void attach(int descriptor) {
        ErrorQueue.clear();
        if (LibSsl.SSL_set_fd(address(), descriptor) != 1) {
            throw OpenSslException.drained("SSL_set_fd of descriptor " + descriptor + " failed");
        }
    }

    // ---- data path

    /** {@code SSL_do_handshake}: 1 when complete. */
    public int handshake() {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_do_handshake(scratch.errnoAddress(), address());
    }

    /** {@code SSL_read}: bytes read, or at most 0. */
    public int read(long buffer, int capacity) {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_read(scratch.errnoAddress(), address(), buffer, capacity);
    }

    /** {@code SSL_write}: bytes written, or at most 0. */
    public int write(long buffer, int length) {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_write(scratch.errnoAddress(), address(), buffer, length);
    }

    /**
     * {@code SSL_read_early_data}, a server's: goes on with the handshake up to our Finished, and reads early data, whose
     * number of bytes {@link #earlyDataCount} tells. It must be the first call, and repeated until it has finished.
     *
     * @return {@code SSL_READ_EARLY_DATA_*}
     */
    public int readEarlyData(long buffer, int capacity) {
        LibCrypto.ERR_clear_error();
        return LibSslEarlyData.SSL_read_early_data(
                scratch.errnoAddress(), address(), buffer, capacity, scratch.first());
    }

    /** Bytes that {@link #readEarlyData} has read when it succeeded; to be asked right behind it. */
    public int earlyDataCount() {
        return (int) RawMemory.getLong(scratch.first());
    }

    /**
     * {@code SSL_write_early_data}: a client's early data, or what a server sends before the client's Finished. Bytes
     * written, or 0.
     */
    public int writeEarlyData(long buffer, int length) {
        LibCrypto.ERR_clear_error();
        int done = LibSslEarlyData.SSL_write_early_data(
                scratch.errnoAddress(), address(), buffer, length, scratch.first());
        return done == 1 ? (int) RawMemory.getLong(scratch.first()) : 0;
    }

    /** Whether early data was offered and taken: {@code SSL_EARLY_DATA_*}. */
    public int earlyDataStatus() {
        return LibSslEarlyData.SSL_get_early_data_status(address());
    }

    /** {@code SSL_shutdown}: 0 when close_notify was sent, 1 when the peer's has come too, less on failure. */
    public int shutdown() {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_shutdown(scratch.errnoAddress(), address());
    }

    /** {@code SSL_get_error} for what the last call of the data path returned. */
    public int error(int returned) {
        return LibSsl.SSL_get_error(address(), returned);
    }

    /** What errno was after the last call of the data path. */
    public int errno() {
        return scratch.errno();
    }

    /** Whether the peer's close_notify has been read. */
    public boolean closeNotifyReceived() {
        return (LibSsl.SSL_get_shutdown(address()) & SSL_RECEIVED_SHUTDOWN) != 0;
    }

    /** Plaintext bytes of the current record. */
    public int pending() {
        return LibSsl.SSL_pending(address());
    }

    /** Whether libssl holds bytes that it has read and not worked through. */
    public boolean hasPending() {
        return LibSsl.SSL_has_pending(address()) == 1;
    }

    /** Bytes that were read from the transport in all. */
    public long bytesRead() {
        return LibCrypto.BIO_number_read(LibSsl.SSL_get_rbio(address()));
    }

    /**
     * TLS 1.3: what is written next begins with a KeyUpdate.
     *
     * @param peerToo whether the peer is asked for one of its own
     */
    public void updateKeys(boolean peerToo) {
        int type = peerToo ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED;
        require(LibSslCutOver.SSL_key_update(address(), type), "SSL_key_update", "");
    }

    /** TLS 1.3: whether what is written next begins with a KeyUpdate, because the peer asked or we did. */
    public boolean owesKeyUpdate() {
        return LibSslCutOver.SSL_get_key_update_type(address()) != SSL_KEY_UPDATE_NONE;
    }

    /** A TLS 1.3 server: what is written next begins with one more session ticket. */
    public void newSessionTicket() {
        require(LibSslCutOver.SSL_new_session_ticket(address()), "SSL_new_session_ticket", "");
    }

    // ---- leaving libssl

    /** Secrets go to {@link KeyLog}'s sink with this address; 0 stops that. The context must log keys. */
    public void logKeysTo(long slot) {
        require(LibSslCutOver.SSL_set_ex_data(address(), KeyLog.EX_DATA_INDEX, slot), "SSL_set_ex_data", "");
    }

    /** Copies server_random and client_random, {@value #RANDOMS_BYTES} bytes in this order. */
    public void randoms(long out) {
        long half = RANDOMS_BYTES / 2;
        LibSslCutOver.SSL_get_server_random(address(), out, half);
        LibSslCutOver.SSL_get_client_random(address(), out + half, half);
    }

    /**
     * Returns the most payload of one record in either direction, which the session has from max_fragment_length (RFC
     * 6066 section 4); 0 when none was negotiated. libssl does not know record_size_limit (RFC 8449).
     */
    public int maxFragmentBytes() {
        long session = LibSslEarlyData.SSL_get_session(address());
        int code = session == 0 ? 0 : LibSslCutOver.SSL_SESSION_get_max_fragment_length(session);
        return code < TLSEXT_max_fragment_length_512 || code > TLSEXT_max_fragment_length_4096 ? 0 : 256 << code;
    }

    /** From now on counts as closed in good order, so that freeing it does not spoil its session. */
    public void pretendClosed() {
        LibSslCutOver.SSL_set_shutdown(address(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    }

    // ---- a client's aim

    /** Asks for a server by name. */
    public void serverName(String name) {
        try (Arena arena = Arena.ofConfined()) {
            long copy = arena.allocateFrom(name).address();
            require(
                    LibSsl.SSL_ctrl(address(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, copy),
                    "SSL_set_tlsext_host_name",
                    name);
        }
    }

    /** Accepts only a certificate for this DNS name. */
    public void verifyHost(String name) {
        LibSsl.SSL_set_hostflags(address(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        try (Arena arena = Arena.ofConfined()) {
            require(LibSsl.SSL_set1_host(address(), arena.allocateFrom(name).address()), "SSL_set1_host", name);
        }
    }

    /** Accepts only a certificate for this IP address. */
    public void verifyAddress(String ip) {
        try (Arena arena = Arena.ofConfined()) {
            long parameters = LibSsl.SSL_get0_param(address());
            require(
                    LibCrypto.X509_VERIFY_PARAM_set1_ip_asc(
                            parameters, arena.allocateFrom(ip).address()),
                    "X509_VERIFY_PARAM_set1_ip_asc",
                    ip);
        }
    }

    /** Asks for the status of the server's certificate, an OCSP response. */
    public void askForStatus() {
        require(
                LibSsl.SSL_ctrl(address(), SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE, TLSEXT_STATUSTYPE_ocsp, 0),
                "SSL_set_tlsext_status_type",
                "ocsp");
    }

    /** Offers to resume a session. */
    public void resume(SslSession session) {
        require(LibSsl.SSL_set_session(address(), session.address()), "SSL_set_session", "");
    }

    // ---- a server's choice, inside the ClientHello callback

    /** The server_name extension's body as the client sent it; null when it sent none. */
    public byte @Nullable [] clientHelloServerName() {
        long data = scratch.first();
        long length = scratch.second();
        if (LibSsl.SSL_client_hello_get0_ext(address(), TLSEXT_TYPE_server_name, data, length) != 1) {
            return null;
        }
        byte[] body = new byte[Math.toIntExact(RawMemory.getLong(length))];
        RawMemory.copy(RawMemory.getLong(data), body, 0, body.length);
        return body;
    }

    /** Whether the client offers application protocols. */
    public boolean clientHelloHasAlpn() {
        return clientHelloHas(TLSEXT_TYPE_application_layer_protocol_negotiation);
    }

    /**
     * If the client offers early data, where the binder of its first session lies: {@value #MIN_BINDER_BYTES} bytes at least,
     * the like of which nobody can make without the session's secret (RFC 8446 section 4.2.11.2). 0 if not. Gone when the
     * callback ends.
     */
    public long clientHelloEarlyDataBinder() {
        if (!clientHelloHas(TLSEXT_TYPE_early_data) || !clientHelloHas(TLSEXT_TYPE_psk)) {
            return 0;
        }
        long offered = RawMemory.getLong(scratch.first());
        long length = RawMemory.getLong(scratch.second());
        if (length < Short.BYTES) {
            return 0;
        }
        // identities<7..2^16-1>, then binders<33..2^16-1>, of which each has a byte of length before it
        long binder = 2L * Short.BYTES + (RawMemory.getShortBigEndian(offered) & 0xFFFF) + 1;
        return binder + MIN_BINDER_BYTES <= length ? offered + binder : 0; // of what is cut off libssl makes an error
    }

    private boolean clientHelloHas(int extension) {
        return LibSsl.SSL_client_hello_get0_ext(address(), extension, scratch.first(), scratch.second()) == 1;
    }

    /** Whether the client offers a ticket as TLS 1.2 knows it, and not only asks for one. */
    public boolean clientHelloHasTicket() {
        return clientHelloHas(TLSEXT_TYPE_session_ticket) && RawMemory.getLong(scratch.second()) > 0;
    }

    /** Whether the client offers to resume as TLS 1.3 knows it. */
    public boolean clientHelloHasPsk() {
        return clientHelloHas(TLSEXT_TYPE_psk);
    }

    /** The session that a ticket held, inside {@link HandshakeCallbacks.Target#onTicketOpened}. */
    public OfferedSession offered(long session) {
        return new OfferedSession(session, address(), scratch.second());
    }

    /** Whether the suite that was chosen is the one of the session that the client resumes. */
    public boolean keepsSuiteOfSession() {
        long session = LibSslEarlyData.SSL_get_session(address());
        return session != 0
                && LibSslSessions.SSL_SESSION_get0_cipher(session) == LibSslSessions.SSL_get_pending_cipher(address());
    }

    /** Whether the ticket that the client resumes carries this mark, {@value SslCtx#TICKET_MARK_BYTES} bytes. */
    public boolean ticketIsMarked(long mark) {
        long session = LibSslEarlyData.SSL_get_session(address());
        if (session == 0
                || LibSslEarlyData.SSL_SESSION_get0_ticket_appdata(session, scratch.first(), scratch.second()) != 1
                || RawMemory.getLong(scratch.second()) != SslCtx.TICKET_MARK_BYTES) {
            return false;
        }
        long carried = RawMemory.getLong(scratch.first());
        return RawMemory.getLong(carried) == RawMemory.getLong(mark)
                && RawMemory.getLong(carried + Long.BYTES) == RawMemory.getLong(mark + Long.BYTES);
    }

    /** Goes on under another context: its certificates, trust, ALPN and session-id context. */
    public void switchTo(SslCtx context) {
        LibSsl.SSL_set_SSL_CTX(address(), context.address());
    }

    /** How the client is authenticated, which {@link #switchTo} does not change. */
    public void verify(int mode) {
        LibSsl.SSL_set_verify(address(), mode, 0);
    }

    /** The same, and {@link HandshakeCallbacks.Target#onClientCertificate} says whom it lets in. */
    public void verifyNames(int mode) {
        LibSsl.SSL_set_verify(address(), mode, VerifyCallbacks.VERIFY);
    }

    /** The versions allowed, which {@link #switchTo} does not change. */
    public void versions(int oldest, int newest) {
        LibSsl.SSL_ctrl(address(), SSL_CTRL_SET_MIN_PROTO_VERSION, oldest, 0);
        LibSsl.SSL_ctrl(address(), SSL_CTRL_SET_MAX_PROTO_VERSION, newest, 0);
    }

    /** Whether tickets carry the session or name one in the cache, and how many are sent, which {@link #switchTo} does not change. */
    public void tickets(boolean stateless, int count) {
        if (stateless) {
            LibSsl.SSL_clear_options(address(), SSL_OP_NO_TICKET);
        } else {
            LibSsl.SSL_set_options(address(), SSL_OP_NO_TICKET);
        }
        LibSsl.SSL_set_num_tickets(address(), count);
    }

    // ---- what a handshake came to

    /** Such as {@code TLSv1.3}. */
    public String version() {
        return StaticTexts.at(LibSsl.SSL_get_version(address()));
    }

    /** The cipher suite's IANA name; "" before one is chosen. */
    public String cipher() {
        long cipher = LibSsl.SSL_get_current_cipher(address());
        return cipher == 0 ? "" : StaticTexts.at(LibSsl.SSL_CIPHER_standard_name(cipher));
    }

    /** The protocol chosen by ALPN; "" for none. */
    public String alpn() {
        RawMemory.putLong(scratch.second(), 0);
        LibSsl.SSL_get0_alpn_selected(address(), scratch.first(), scratch.second());
        int length = RawMemory.getInt(scratch.second());
        if (length == 0) {
            return "";
        }
        byte[] name = new byte[length];
        RawMemory.copy(RawMemory.getLong(scratch.first()), name, 0, name.length);
        return new String(name, StandardCharsets.US_ASCII);
    }

    /** Whether a session was resumed. */
    public boolean isResumed() {
        return LibSsl.SSL_session_reused(address()) == 1;
    }

    /** The kind of key that the server has signed this handshake with, a NID; 0 when it has signed nothing. */
    public int signatureKey() {
        return LibSslSignature.SSL_get_signature_type_nid(address(), scratch.first()) == 1
                ? RawMemory.getInt(scratch.first())
                : 0;
    }

    /** The digest that the server has signed this handshake with, a NID; 0 where the key brings its own. */
    public int signatureDigest() {
        return LibSsl.SSL_ctrl(address(), SSL_CTRL_GET_SIGNATURE_NID, 0, scratch.first()) == 1
                ? RawMemory.getInt(scratch.first())
                : 0;
    }

    /** The group's name as this version of OpenSSL spells it; "" where it cannot tell (before 3.2). */
    public String groupName() {
        return RawMemory.getString(LibSsl.SSL_get0_group_name(address()));
    }

    /** The group's number: a NID, or TLSEXT_nid_unknown with the TLS group id; 0 for none. */
    public int groupNumber() {
        return (int) LibSsl.SSL_ctrl(address(), SSL_CTRL_GET_NEGOTIATED_GROUP, 0, 0);
    }

    /** The subject of the peer's certificate as RFC 2253 text; "" when it sent none. */
    public String peerSubject() {
        long certificate = LibSsl.SSL_get1_peer_certificate(address());
        if (certificate == 0) {
            return "";
        }
        try (X509 peer = new X509(certificate, "SSL_get1_peer_certificate")) {
            return peer.subject();
        }
    }

    /** The peer's certificate; null when it sent none. The caller closes it. */
    public @Nullable X509 peerCertificate() {
        long certificate = LibSsl.SSL_get1_peer_certificate(address());
        return certificate == 0 ? null : new X509(certificate, "SSL_get1_peer_certificate");
    }

    /** What verification of the peer's certificate came to, {@code X509_V_*}. */
    public int verifyResult() {
        return (int) LibSsl.SSL_get_verify_result(address());
    }

    /** The text of such a result. */
    public static String verifyText(int result) {
        return RawMemory.getString(LibCrypto.X509_verify_cert_error_string(result));
    }

    /** The session, if a client can resume it; the caller closes it. In TLS 1.3 it comes after the handshake. */
    public @Nullable SslSession session() {
        long session = LibSsl.SSL_get1_session(address());
        if (session == 0) {
            return null;
        }
        SslSession result = new SslSession(session);
        if (LibSsl.SSL_SESSION_is_resumable(session) != 1) {
            result.close();
            return null;
        }
        return result;
    }

    private static void require(long returned, String what, String value) {
        if (returned != 1) {
            throw OpenSslException.drained(what + " failed, value=" + value);
        }
    }

    @Override
    FaultPoint faultPoint() {
        return FaultPoint.LIBSSL;
    }

    /**
     * Marks the connection as shut down before it is freed: libssl would else make its session unusable, as TLS 1.0
     * wanted, for want of a close_notify. After a fatal error libssl has done so already.
     */
    @Override
    void free(long nativeAddress) {
        LibSsl.SSL_set_shutdown(nativeAddress, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
        LibSsl.SSL_free(nativeAddress);
        scratch.close();
    }
}
