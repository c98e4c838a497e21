package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.*;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.libc.StaticTexts;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoPkcs12;
import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslDetach;
import dev.sluice.ffi.openssl.raw.LibSslEarlyData;
import dev.sluice.ffi.openssl.raw.LibSslEch;
import dev.sluice.ffi.openssl.raw.LibSslPeerChain;
import dev.sluice.ffi.openssl.raw.LibSslSessions;
import dev.sluice.ffi.openssl.raw.LibSslSignature;
import dev.sluice.memory.fault.FaultPoint;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection ({@code SSL}). Confined to one thread. The four calls of the data path allocate nothing; each clears the
 * error queue first, and {@link #error} must be called immediately after a failed one.
 */
public final class Ssl extends NativeHandle {
    /** Size of both randoms. */
    public static final int RANDOMS_BYTES = 64;

    /** The shortest binder: SHA-256. */
    public static final int MIN_BINDER_BYTES = 32;

    private static final int SSL_SENT_SHUTDOWN = 1; // <openssl/ssl.h>
    private static final int SSL_KEY_UPDATE_NONE = -1; // <openssl/ssl.h>
    private static final int SSL_KEY_UPDATE_NOT_REQUESTED = 0; // <openssl/ssl.h>
    private static final int SSL_KEY_UPDATE_REQUESTED = 1; // <openssl/ssl.h>
    private static final int SSL_RECEIVED_SHUTDOWN = 2;

    private final SslScratch scratch;

    private Ssl(SslCtx context, SslScratch scratch) {
        super(LibSsl.SSL_new(context.address()), "SSL_new", "SSL");
        this.scratch = scratch;
    }

    /** Creates a connection that accepts. */
    public static Ssl server(SslCtx context) {
        return make(context, LibSsl::SSL_set_accept_state);
    }

    /** Creates a connection that connects. */
    public static Ssl client(SslCtx context) {
        return make(context, LibSsl::SSL_set_connect_state);
    }

    private static Ssl make(SslCtx context, LongConsumer role) {
        ErrorQueue.clear();
        SslScratch scratch = new SslScratch();
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

    /** Attaches a pair to read from and write to; the connection owns its library side from now on. */
    public void attach(BioPair pair) {
        long ssl = address();
        long bio = pair.handOverLibrarySide();
        LibSsl.SSL_set_bio(ssl, bio, bio);
    }

    /** Attaches a socket to read from and write to, which the caller keeps. */
    public void attach(int descriptor) {
        ErrorQueue.clear();
        if (LibSsl.SSL_set_fd(address(), descriptor) != 1) {
            throw OpenSslException.drained("SSL_set_fd of descriptor " + descriptor + " failed");
        }
    }

    // ---- data path

    /** Calls {@code SSL_do_handshake}; returns 1 when complete. */
    public int handshake() {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_do_handshake(scratch.errnoAddress(), address());
    }

    /** Calls {@code SSL_read}; returns the bytes read, or at most 0. */
    public int read(long buffer, int capacity) {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_read(scratch.errnoAddress(), address(), buffer, capacity);
    }

    /** Calls {@code SSL_write}; returns the bytes written, or at most 0. */
    public int write(long buffer, int length) {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_write(scratch.errnoAddress(), address(), buffer, length);
    }

    /**
     * Calls {@code SSL_read_early_data} on a server: continues the handshake up to our Finished and reads early data,
     * whose length {@link #earlyDataCount} returns. Must be the first call, repeated until it has finished.
     *
     * @return {@code SSL_READ_EARLY_DATA_*}
     */
    public int readEarlyData(long buffer, int capacity) {
        LibCrypto.ERR_clear_error();
        return LibSslEarlyData.SSL_read_early_data(
                scratch.errnoAddress(), address(), buffer, capacity, scratch.first());
    }

    /** Returns the bytes read by a successful {@link #readEarlyData}; valid immediately after it. */
    public int earlyDataCount() {
        return (int) RawMemory.getLong(scratch.first());
    }

    /**
     * Calls {@code SSL_write_early_data}: a client's early data, or a server's data before the client's Finished.
     * Returns the bytes written, or 0.
     */
    public int writeEarlyData(long buffer, int length) {
        LibCrypto.ERR_clear_error();
        int done = LibSslEarlyData.SSL_write_early_data(
                scratch.errnoAddress(), address(), buffer, length, scratch.first());
        return done == 1 ? (int) RawMemory.getLong(scratch.first()) : 0;
    }

    /** Returns the early-data status, {@code SSL_EARLY_DATA_*}. */
    public int earlyDataStatus() {
        return LibSslEarlyData.SSL_get_early_data_status(address());
    }

    /**
     * Calls {@code SSL_shutdown}; returns 0 when close_notify was sent, 1 when the peer's has arrived too, less on
     * failure.
     */
    public int shutdown() {
        LibCrypto.ERR_clear_error();
        return LibSsl.SSL_shutdown(scratch.errnoAddress(), address());
    }

    /** Calls {@code SSL_get_error} for the result of the last data-path call. */
    public int error(int returned) {
        return LibSsl.SSL_get_error(address(), returned);
    }

    /** Returns errno after the last data-path call. */
    public int errno() {
        return scratch.errno();
    }

    /** Returns whether the peer's close_notify has been read. */
    public boolean closeNotifyReceived() {
        return (LibSsl.SSL_get_shutdown(address()) & SSL_RECEIVED_SHUTDOWN) != 0;
    }

    /** Returns the unread plaintext bytes of the current record. */
    public int pending() {
        return LibSsl.SSL_pending(address());
    }

    /** Returns whether libssl holds bytes that it has read but not processed. */
    public boolean hasPending() {
        return LibSsl.SSL_has_pending(address()) == 1;
    }

    /** Returns the total bytes read from the transport. */
    public long bytesRead() {
        return LibCrypto.BIO_number_read(LibSsl.SSL_get_rbio(address()));
    }

    /**
     * Schedules a KeyUpdate (TLS 1.3), sent before the next write.
     *
     * @param peerToo true to request one from the peer
     */
    public void updateKeys(boolean peerToo) {
        int type = peerToo ? SSL_KEY_UPDATE_REQUESTED : SSL_KEY_UPDATE_NOT_REQUESTED;
        require(LibSslDetach.SSL_key_update(address(), type), "SSL_key_update", "");
    }

    /** Returns whether the next write begins with a KeyUpdate (TLS 1.3), requested by the peer or by us. */
    public boolean owesKeyUpdate() {
        return LibSslDetach.SSL_get_key_update_type(address()) != SSL_KEY_UPDATE_NONE;
    }

    /** Returns whether a handshake message has begun and is not complete, also after the handshake. */
    public boolean isInsideMessage() {
        return LibSslDetach.SSL_in_init(address()) != 0;
    }

    /** Schedules one more session ticket of a TLS 1.3 server, sent before the next write. */
    public void newSessionTicket() {
        require(LibSslDetach.SSL_new_session_ticket(address()), "SSL_new_session_ticket", "");
    }

    // ---- detach from libssl

    /** Sends secrets to {@link KeyLog}'s sink with this slot address; 0 stops that. The context must log keys. */
    public void logKeysTo(long slot) {
        require(LibSslDetach.SSL_set_ex_data(address(), KeyLog.EX_DATA_INDEX, slot), "SSL_set_ex_data", "");
    }

    /** Copies server_random and client_random, {@value #RANDOMS_BYTES} bytes in this order. */
    public void randoms(long out) {
        long half = RANDOMS_BYTES / 2;
        LibSslDetach.SSL_get_server_random(address(), out, half);
        LibSslDetach.SSL_get_client_random(address(), out + half, half);
    }

    /**
     * Returns the most payload of one record in either direction as negotiated by max_fragment_length (RFC 6066 section
     * 4); 0 when not negotiated. libssl does not implement record_size_limit (RFC 8449).
     */
    public int maxFragmentBytes() {
        long session = LibSslEarlyData.SSL_get_session(address());
        int code = session == 0 ? 0 : LibSslDetach.SSL_SESSION_get_max_fragment_length(session);
        return code < TLSEXT_max_fragment_length_512 || code > TLSEXT_max_fragment_length_4096 ? 0 : 256 << code;
    }

    /** Marks the connection as closed cleanly, so that freeing it keeps its session resumable. */
    public void pretendClosed() {
        LibSslDetach.SSL_set_shutdown(address(), SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    }

    // ---- client: name, verification and resumption

    /** Sets the server name to send. */
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

    /** Requests the status of the server's certificate, an OCSP response. */
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

    // ---- server: choices inside the ClientHello callback

    /** Returns the body of the client's server_name extension; null when absent. */
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

    /** Returns the body of the client's application_layer_protocol_negotiation extension; null when absent. */
    public byte @Nullable [] clientHelloAlpn() {
        if (!clientHelloHasAlpn()) {
            return null;
        }
        byte[] body = new byte[Math.toIntExact(RawMemory.getLong(scratch.second()))];
        RawMemory.copy(RawMemory.getLong(scratch.first()), body, 0, body.length);
        return body;
    }

    /** Returns whether the client offers application protocols. */
    public boolean clientHelloHasAlpn() {
        return clientHelloHas(TLSEXT_TYPE_application_layer_protocol_negotiation);
    }

    /**
     * Returns the address of the first session's binder if the client offers early data, else 0: at least {@value
     * #MIN_BINDER_BYTES} bytes, which only the holder of the session's secret can compute (RFC 8446 section 4.2.11.2).
     * Valid until the callback ends.
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
        // identities<7..2^16-1>, then binders<33..2^16-1>, each preceded by a length byte
        long binder = 2L * Short.BYTES + (RawMemory.getShortBigEndian(offered) & 0xFFFF) + 1;
        return binder + MIN_BINDER_BYTES <= length ? offered + binder : 0; // libssl rejects truncated extensions
    }

    private boolean clientHelloHas(int extension) {
        return LibSsl.SSL_client_hello_get0_ext(address(), extension, scratch.first(), scratch.second()) == 1;
    }

    /** Returns whether the client offers a TLS 1.2 ticket, rather than only requesting one. */
    public boolean clientHelloHasTicket() {
        return clientHelloHas(TLSEXT_TYPE_session_ticket) && RawMemory.getLong(scratch.second()) > 0;
    }

    /** Returns whether the client offers TLS 1.3 resumption. */
    public boolean clientHelloHasPsk() {
        return clientHelloHas(TLSEXT_TYPE_psk);
    }

    /** Returns the session of a ticket, inside {@link HandshakeCallbacks.Target#onTicketOpened}. */
    public OfferedSession offered(long session) {
        return new OfferedSession(session, address(), scratch.second());
    }

    /** Returns whether the chosen suite is that of the resumed session. */
    public boolean keepsSuiteOfSession() {
        long session = LibSslEarlyData.SSL_get_session(address());
        return session != 0
                && LibSslSessions.SSL_SESSION_get0_cipher(session) == LibSslSessions.SSL_get_pending_cipher(address());
    }

    /** Returns whether the resumed ticket carries this mark, {@value SslCtx#TICKET_MARK_BYTES} bytes. */
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

    /** Switches to another context: its certificates, trust, ALPN and session-id context. */
    public void switchTo(SslCtx context) {
        LibSsl.SSL_set_SSL_CTX(address(), context.address());
    }

    /** Sets the client-authentication mode, which {@link #switchTo} does not change. */
    public void verify(int mode) {
        LibSsl.SSL_set_verify(address(), mode, 0);
    }

    /**
     * Sets the client-authentication mode; {@link HandshakeCallbacks.Target#onClientCertificate} authorizes clients.
     */
    public void verifyNames(int mode) {
        LibSsl.SSL_set_verify(address(), mode, VerifyCallbacks.VERIFY);
    }

    /** Sets the allowed protocol versions, which {@link #switchTo} does not change. */
    public void versions(int oldest, int newest) {
        LibSsl.SSL_ctrl(address(), SSL_CTRL_SET_MIN_PROTO_VERSION, oldest, 0);
        LibSsl.SSL_ctrl(address(), SSL_CTRL_SET_MAX_PROTO_VERSION, newest, 0);
    }

    /**
     * Sets whether tickets carry the session or its id in the cache, and the number of tickets; {@link #switchTo}
     * changes neither.
     */
    public void tickets(boolean stateless, int count) {
        if (stateless) {
            LibSsl.SSL_clear_options(address(), SSL_OP_NO_TICKET);
        } else {
            LibSsl.SSL_set_options(address(), SSL_OP_NO_TICKET);
        }
        LibSsl.SSL_set_num_tickets(address(), count);
    }

    // ---- handshake results

    /** Returns the protocol version, such as {@code TLSv1.3}. */
    public String version() {
        return StaticTexts.at(LibSsl.SSL_get_version(address()));
    }

    /** Returns the cipher suite's IANA name; "" before one is chosen. */
    public String cipher() {
        long cipher = LibSsl.SSL_get_current_cipher(address());
        return cipher == 0 ? "" : StaticTexts.at(LibSsl.SSL_CIPHER_standard_name(cipher));
    }

    /** Returns the cipher suite's IANA name as soon as it is chosen, before the keys are in use; "" before. */
    public String negotiatedCipher() {
        long cipher = LibSslSessions.SSL_get_pending_cipher(address());
        return cipher == 0 ? cipher() : StaticTexts.at(LibSsl.SSL_CIPHER_standard_name(cipher));
    }

    /** Returns the protocol chosen by ALPN; "" for none. Bytes become characters one by one, as in JSSE. */
    public String alpn() {
        RawMemory.putLong(scratch.second(), 0);
        LibSsl.SSL_get0_alpn_selected(address(), scratch.first(), scratch.second());
        int length = RawMemory.getInt(scratch.second());
        if (length == 0) {
            return "";
        }
        byte[] name = new byte[length];
        RawMemory.copy(RawMemory.getLong(scratch.first()), name, 0, name.length);
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    /** Returns whether a session was resumed. */
    public boolean isResumed() {
        return LibSsl.SSL_session_reused(address()) == 1;
    }

    /** Returns the type of the key that signed this handshake, a NID; 0 when the server signed nothing. */
    public int signatureKey() {
        return LibSslSignature.SSL_get_signature_type_nid(address(), scratch.first()) == 1
                ? RawMemory.getInt(scratch.first())
                : 0;
    }

    /** Returns the digest of the handshake signature, a NID; 0 where the key type implies it. */
    public int signatureDigest() {
        return LibSsl.SSL_ctrl(address(), SSL_CTRL_GET_SIGNATURE_NID, 0, scratch.first()) == 1
                ? RawMemory.getInt(scratch.first())
                : 0;
    }

    /** Returns the group's name in this OpenSSL's spelling; "" where it is not reported (before 3.2). */
    public String groupName() {
        return RawMemory.getString(LibSsl.SSL_get0_group_name(address()));
    }

    /** Returns the group's number: a NID, or TLSEXT_nid_unknown with the TLS group id; 0 for none. */
    public int groupNumber() {
        return (int) LibSsl.SSL_ctrl(address(), SSL_CTRL_GET_NEGOTIATED_GROUP, 0, 0);
    }

    /** Returns the part of Encrypted ClientHello in a server's handshake; the context must have its keys. */
    public EchStore.Status echStatus() {
        int status = LibSslEch.SSL_ech_get1_status(address(), scratch.first(), scratch.second());
        takeText(scratch.first()); // the inner name is the connection's server name
        String outer = takeText(scratch.second());
        ErrorQueue.clear();
        return switch (status) {
            // Libssl reports the second where a client's certificate does not verify and none is required.
            case LibSslEch.SSL_ECH_STATUS_SUCCESS, LibSslEch.SSL_ECH_STATUS_BAD_NAME ->
                new EchStore.Status(EchStore.Result.ACCEPTED, outer);
            case LibSslEch.SSL_ECH_STATUS_GREASE -> new EchStore.Status(EchStore.Result.REJECTED, null);
            default -> new EchStore.Status(EchStore.Result.ABSENT, null);
        };
    }

    /** Returns a text that libssl allocated for us, and frees it; null for a null pointer. */
    private static @Nullable String takeText(long pointer) {
        long text = RawMemory.getLong(pointer);
        if (text == 0) {
            return null;
        }
        String copy = RawMemory.getString(text);
        LibCrypto.CRYPTO_clear_free(text, 0, 0, 0);
        return copy;
    }

    /** Returns the subject of the peer's certificate as RFC 2253 text; "" when it sent none. */
    public String peerSubject() {
        long certificate = LibSsl.SSL_get1_peer_certificate(address());
        if (certificate == 0) {
            return "";
        }
        try (X509 peer = new X509(certificate, "SSL_get1_peer_certificate")) {
            return peer.subject();
        }
    }

    /** Returns the peer's certificate; null when it sent none. The caller closes it. */
    public @Nullable X509 peerCertificate() {
        long certificate = LibSsl.SSL_get1_peer_certificate(address());
        return certificate == 0 ? null : new X509(certificate, "SSL_get1_peer_certificate");
    }

    /**
     * Returns the certificates that the peer sent, its own first, each in DER; empty when it sent none. Of a resumed
     * session libssl keeps the peer's own certificate, and the others only in the process that made it.
     */
    public List<byte[]> peerChain() {
        X509 own = peerCertificate();
        if (own == null) {
            return List.of();
        }
        List<byte[]> chain = new ArrayList<>();
        try (own) {
            chain.add(own.toDer());
        }
        long sent = LibSslPeerChain.SSL_get_peer_cert_chain(address());
        for (int i = 0; i < LibCryptoPkcs12.OPENSSL_sk_num(sent); i++) { // -1 for null
            byte[] der = X509.der(LibCryptoPkcs12.OPENSSL_sk_value(sent, i));
            // A client's list begins with the server's own certificate, a server's list with its issuer.
            if (i > 0 || !Arrays.equals(der, chain.getFirst())) {
                chain.add(der);
            }
        }
        return List.copyOf(chain);
    }

    /** Returns the result of verifying the peer's certificate, {@code X509_V_*}. */
    public int verifyResult() {
        return (int) LibSsl.SSL_get_verify_result(address());
    }

    /** Returns the text of a verification result. */
    public static String verifyText(int result) {
        return RawMemory.getString(LibCrypto.X509_verify_cert_error_string(result));
    }

    /**
     * Returns the session if a client can resume it; the caller closes it. In TLS 1.3 it arrives after the handshake.
     */
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
     * Marks the connection as shut down before freeing it. Otherwise libssl would make its session unusable for lack of
     * a close_notify, as TLS 1.0 required; after a fatal error libssl has already done so.
     */
    @Override
    void free(long nativeAddress) {
        LibSsl.SSL_set_shutdown(nativeAddress, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
        LibSsl.SSL_free(nativeAddress);
        scratch.close();
    }
}
