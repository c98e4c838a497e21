package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.*;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoPkcs12;
import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslDelegation;
import dev.sluice.ffi.openssl.raw.LibSslDetach;
import dev.sluice.ffi.openssl.raw.LibSslEarlyData;
import dev.sluice.ffi.openssl.raw.LibSslEch;
import dev.sluice.ffi.openssl.raw.LibSslStapling;
import dev.sluice.ffi.openssl.raw.LibSslTickets;
import dev.sluice.ffi.openssl.raw.LibSslVerify;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import dev.sluice.memory.fault.FaultPoint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A context ({@code SSL_CTX}): the shared settings of connections. Every setter throws {@link OpenSslException} when
 * libssl refuses. Configured by one thread; afterwards several threads may create connections from it.
 */
public final class SslCtx extends NativeHandle {
    /** Size of libssl's own ticket keys: name, HMAC key and AES key. */
    private static final int TICKET_KEYS_BYTES = 80;

    /** Size of the mark in tickets for early data. */
    public static final int TICKET_MARK_BYTES = 16;

    /** The algorithms for compressed certificates, by preference: RFC 8879 section 7.3. */
    public enum Compression {
        /** Accepted by Chromium; the best compression, at ten milliseconds and more for a chain. */
        BROTLI(2),
        /** Zstandard. */
        ZSTD(3),
        /** Accepted by Safari; a fraction of a millisecond for a chain. */
        ZLIB(1);

        private final int number;

        Compression(int number) {
            this.number = number;
        }
    }

    private SslCtx(long method) {
        super(LibSsl.SSL_CTX_new(method), "SSL_CTX_new", "SSL_CTX");
    }

    /** Creates a context for servers. */
    public static SslCtx server() {
        ErrorQueue.clear();
        return new SslCtx(LibSsl.TLS_server_method());
    }

    /** Creates a context for clients. */
    public static SslCtx client() {
        ErrorQueue.clear();
        return new SslCtx(LibSsl.TLS_client_method());
    }

    /** Adds modes, {@code SSL_MODE_*}. */
    public void addMode(long modes) {
        LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_MODE, modes, 0);
    }

    /** Adds options, {@code SSL_OP_*}. */
    public void addOptions(long options) {
        LibSsl.SSL_CTX_set_options(address(), options);
    }

    /** Sets the allowed protocol versions, such as {@link OpenSslConstants#TLS1_2_VERSION}. */
    public void versions(int oldest, int newest) {
        require(
                LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_MIN_PROTO_VERSION, oldest, 0),
                "SSL_CTX_set_min_proto_version");
        require(
                LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_MAX_PROTO_VERSION, newest, 0),
                "SSL_CTX_set_max_proto_version");
    }

    /** Sets the suites of TLS 1.2, in OpenSSL's cipher list format; see ciphers(1). */
    public void cipherList(String list) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            int done = LibSsl.SSL_CTX_set_cipher_list(
                    address(), arena.allocateFrom(list).address());
            require(done, "SSL_CTX_set_cipher_list of " + list);
        }
    }

    /** Sets the suites of TLS 1.3, names joined by colons. */
    public void cipherSuites(String list) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            int done = LibSsl.SSL_CTX_set_ciphersuites(
                    address(), arena.allocateFrom(list).address());
            require(done, "SSL_CTX_set_ciphersuites of " + list);
        }
    }

    /** Sets the key-exchange groups by preference, names joined by colons. */
    public void groups(String list) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            long done = LibSsl.SSL_CTX_ctrl(
                    address(),
                    SSL_CTRL_SET_GROUPS_LIST,
                    0,
                    arena.allocateFrom(list).address());
            require(done, "SSL_CTX_set1_groups_list of " + list);
        }
    }

    /** Adds a certificate with its key; one per key type, of which libssl uses the best that the peer supports. */
    public void useCertificate(X509 certificate, EvpPkey key, List<X509> intermediates) {
        ErrorQueue.clear();
        long stack = LibCrypto.OPENSSL_sk_new_null();
        try {
            intermediates.forEach(each -> LibCrypto.OPENSSL_sk_push(stack, each.address()));
            int done = LibSsl.SSL_CTX_use_cert_and_key(address(), certificate.address(), key.address(), stack, 1);
            require(done, "SSL_CTX_use_cert_and_key");
        } finally {
            LibCrypto.OPENSSL_sk_free(stack);
        }
    }

    /** Sets whether and how the peer's certificate is requested and verified, {@code SSL_VERIFY_*}. */
    public void verify(int mode) {
        LibSsl.SSL_CTX_set_verify(address(), mode, 0);
    }

    /** Links the functions of {@link #verifyNames} ahead of the first handshake. */
    public static void linkNameChecks() {
        VerifyCallbacks.link();
        LibSslVerify.link();
        linkStapling(); // defines X509_up_ref
    }

    /** Sets the verification mode; {@link HandshakeCallbacks.Target#onClientCertificate} authorizes clients. */
    public void verifyNames(int mode) {
        LibSsl.SSL_CTX_set_verify(address(), mode, VerifyCallbacks.VERIFY);
    }

    /** Trusts an authority. */
    public void trust(X509 authority) {
        ErrorQueue.clear();
        int done = LibCrypto.X509_STORE_add_cert(LibSsl.SSL_CTX_get_cert_store(address()), authority.address());
        require(done, "X509_STORE_add_cert");
    }

    /** Verifies peers with a store instead of the context's own; the context then co-owns the store. */
    public void trust(X509Store store) {
        ErrorQueue.clear();
        long done = LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_VERIFY_CERT_STORE, 1, store.address());
        require(done, "SSL_CTX_set1_verify_cert_store");
    }

    /** Trusts the authorities of OpenSSL's default directory and file. */
    public void trustDefaults() {
        ErrorQueue.clear();
        require(LibSsl.SSL_CTX_set_default_verify_paths(address()), "SSL_CTX_set_default_verify_paths");
    }

    /** Adds the name of an authority to certificate requests. */
    public void nameAuthority(X509 authority) {
        ErrorQueue.clear();
        require(LibSsl.SSL_CTX_add_client_CA(address(), authority.address()), "SSL_CTX_add_client_CA");
    }

    /** Sets the id context that a session must match to be resumed: at most 32 bytes. */
    public void sessionIdContext(byte[] id) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, id);
            require(
                    LibSsl.SSL_CTX_set_session_id_context(address(), copy.address(), id.length),
                    "SSL_CTX_set_session_id_context");
        }
    }

    /** Sets the number of tickets that a TLS 1.3 server sends after a full handshake. */
    public void ticketCount(int count) {
        require(LibSsl.SSL_CTX_set_num_tickets(address(), count), "SSL_CTX_set_num_tickets");
    }

    /** Installs {@link HandshakeCallbacks} to choose the key of each ticket. */
    public void installTicketCallback() {
        long done = LibSsl.SSL_CTX_set_tlsext_ticket_key_evp_cb(address(), HandshakeCallbacks.TICKET_KEY);
        require(done, "SSL_CTX_set_tlsext_ticket_key_evp_cb");
    }

    /** Installs the callback {@link HandshakeCallbacks.Target#onTicketOpened} for the sessions in clients' tickets. */
    public void watchTickets() {
        require(
                LibSslTickets.SSL_CTX_set_session_ticket_cb(address(), 0, TicketCallbacks.OPENED, 0),
                "SSL_CTX_set_session_ticket_cb");
    }

    /** Sets the lifetime of sessions, which clients are also sent. */
    public void sessionTimeout(long seconds) {
        LibSsl.SSL_CTX_set_timeout(address(), seconds);
    }

    /** Sets the number of sessions that a server caches for resumption by id; 0 disables the cache. */
    public void sessionCache(int sessions) {
        int mode = sessions == 0 ? SSL_SESS_CACHE_OFF : SSL_SESS_CACHE_SERVER;
        LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_SESS_CACHE_MODE, mode, 0);
        if (sessions > 0) {
            LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_SESS_CACHE_SIZE, sessions, 0);
        }
    }

    /** Sets the protocols that a client offers by ALPN, in wire format: each name preceded by a length byte. */
    public void offerAlpn(byte[] wire) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, wire);
            // The only libssl function that returns 0 for success.
            int failed = LibSsl.SSL_CTX_set_alpn_protos(address(), copy.address(), wire.length);
            require(failed == 0 ? 1 : 0, "SSL_CTX_set_alpn_protos");
        }
    }

    /** Installs {@link HandshakeCallbacks} for server handshakes. */
    public void installServerCallbacks() {
        LibSsl.SSL_CTX_set_client_hello_cb(address(), HandshakeCallbacks.CLIENT_HELLO, 0);
        LibSsl.SSL_CTX_callback_ctrl(address(), SSL_CTRL_SET_TLSEXT_SERVERNAME_CB, HandshakeCallbacks.SERVER_NAME);
        LibSsl.SSL_CTX_set_alpn_select_cb(address(), HandshakeCallbacks.ALPN_SELECT, 0);
    }

    /**
     * Enables early data, subject to {@link HandshakeCallbacks.Target#onEarlyData}. Disables libssl's own replay
     * protection, which would keep every ticket in memory for a single use.
     *
     * @param mostBytes maximum per connection, accepted or skipped; sent to clients with each ticket
     * @param mark address of {@value #TICKET_MARK_BYTES} bytes that each ticket carries; must outlive the context
     */
    public void earlyData(int mostBytes, long mark) {
        addOptions(SSL_OP_NO_ANTI_REPLAY);
        require(LibSslEarlyData.SSL_CTX_set_max_early_data(address(), mostBytes), "SSL_CTX_set_max_early_data");
        require(
                LibSslEarlyData.SSL_CTX_set_recv_max_early_data(address(), mostBytes),
                "SSL_CTX_set_recv_max_early_data");
        LibSslEarlyData.SSL_CTX_set_allow_early_data_cb(address(), EarlyDataCallbacks.ALLOW, 0);
        require(
                LibSslTickets.SSL_CTX_set_session_ticket_cb(
                        address(), EarlyDataCallbacks.TICKET_IS_MADE, TicketCallbacks.OPENED, mark),
                "SSL_CTX_set_session_ticket_cb");
    }

    /** Links the functions of stapling, so that creating a context on an event loop does not. */
    public static void linkStapling() {
        StaplingCallbacks.link();
        LibSslStapling.link();
    }

    /** Installs {@link HandshakeCallbacks.Target#onStatusRequest} for clients that request the certificate's status. */
    public void installStatusCallback() {
        LibSsl.SSL_CTX_callback_ctrl(address(), SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB, StaplingCallbacks.STATUS);
    }

    /**
     * Returns the presented certificates, one per key type. libssl presents these very objects, so their addresses
     * identify them.
     *
     * @return the caller closes all of them
     */
    public List<X509> certificates() {
        List<X509> certificates = new ArrayList<>();
        long found = LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_CURRENT_CERT, SSL_CERT_SET_FIRST, 0);
        while (found == 1) {
            certificates.add(X509.shared(LibSslStapling.SSL_CTX_get0_certificate(address())));
            found = LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_CURRENT_CERT, SSL_CERT_SET_NEXT, 0);
        }
        return certificates;
    }

    /** Returns another owner of the certificate that was used last. */
    public X509 currentCertificate() {
        return X509.shared(LibSslStapling.SSL_CTX_get0_certificate(address()));
    }

    /** Returns another owner of the key that was used last: this context's own, not the one that it was copied from. */
    public EvpPkey currentKey() {
        return EvpPkey.shared(LibSslStapling.SSL_CTX_get0_privatekey(address()));
    }

    /** Enables key logging to native memory of each connection, see {@link Ssl#logKeysTo}. */
    public void logKeys() {
        LibSslDetach.SSL_CTX_set_keylog_callback(address(), KeyLog.STUB);
    }

    /**
     * Compresses the certificates now, for clients that accept the algorithm (RFC 8879).
     *
     * @return false where OpenSSL lacks the algorithm
     */
    public boolean compressCertificates(Compression algorithm) {
        ErrorQueue.clear();
        boolean done = LibSsl.SSL_CTX_compress_certs(address(), algorithm.number) == 1;
        ErrorQueue.clear();
        return done;
    }

    /** Opens Encrypted ClientHellos with these keys, which are copied; connections made before keep theirs. */
    public void echKeys(EchStore keys) {
        ErrorQueue.clear();
        require(LibSslEch.SSL_CTX_set1_echstore(address(), keys.address()), "SSL_CTX_set1_echstore");
    }

    // ---- delegated handshakes

    /** Sets the signature schemes by preference, names of the TLS registry joined by colons. */
    public void signatureSchemes(String list) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            long done = LibSsl.SSL_CTX_ctrl(
                    address(),
                    SSL_CTRL_SET_SIGALGS_LIST,
                    0,
                    arena.allocateFrom(list).address());
            require(done, "SSL_CTX_set1_sigalgs_list of " + list);
        }
    }

    /** Uses the ticket keys of another context, so that each resumes the sessions of the other. */
    public void shareTicketKeys(SslCtx other) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment keys = arena.allocate(TICKET_KEYS_BYTES);
            long bytes = TICKET_KEYS_BYTES;
            require(
                    LibSsl.SSL_CTX_ctrl(other.address(), SSL_CTRL_GET_TLSEXT_TICKET_KEYS, bytes, keys.address()),
                    "SSL_CTX_get_tlsext_ticket_keys");
            long done = LibSsl.SSL_CTX_ctrl(address(), SSL_CTRL_SET_TLSEXT_TICKET_KEYS, bytes, keys.address());
            keys.fill((byte) 0);
            require(done, "SSL_CTX_set_tlsext_ticket_keys");
        }
    }

    /** Returns the suites of this context by preference: OpenSSL's names by IANA's. */
    public Map<String, String> suites() {
        long stack = LibSslDelegation.SSL_CTX_get_ciphers(address());
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < LibCryptoPkcs12.OPENSSL_sk_num(stack); i++) {
            long cipher = LibCryptoPkcs12.OPENSSL_sk_value(stack, i);
            names.put(
                    RawMemory.getString(LibSsl.SSL_CIPHER_standard_name(cipher)),
                    RawMemory.getString(LibSslDelegation.SSL_CIPHER_get_name(cipher)));
        }
        return names;
    }

    private static void require(long returned, String what) {
        if (returned != 1) {
            throw OpenSslException.drained(what + " failed");
        }
    }

    @Override
    FaultPoint faultPoint() {
        return FaultPoint.LIBSSL;
    }

    @Override
    void free(long nativeAddress) {
        LibSsl.SSL_CTX_free(nativeAddress);
    }
}
