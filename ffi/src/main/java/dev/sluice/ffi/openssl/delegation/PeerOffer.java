package dev.sluice.ffi.openssl.delegation;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.HandshakeCallbacks;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.Ssl;
import dev.sluice.ffi.openssl.X509;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoPkcs12;
import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslDelegation;
import dev.sluice.ffi.openssl.raw.LibSslEarlyData;
import dev.sluice.ffi.openssl.raw.LibSslStapling;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The offers of a peer in a handshake, and the answers to them, for an owner that decides in Java. Copies
 * everything: the results outlive the connection. Used on the connection's thread, and never per record.
 */
public final class PeerOffer {
    private PeerOffer() {}

    /** Returns the peer's certificates in DER as sent, its own first; empty when it sent none. */
    public static List<byte[]> chain(Ssl ssl) {
        List<byte[]> chain = encoded(LibSslDelegation.SSL_get_peer_cert_chain(ssl.address()));
        X509 own = ssl.peerCertificate();
        if (own == null) {
            return chain;
        }
        try (own) {
            byte[] der = own.toDer();
            // A server's chain lacks the client's own certificate; after a resumption, so does a client's.
            if (chain.isEmpty() || !Arrays.equals(chain.getFirst(), der)) {
                chain.addFirst(der);
            }
        }
        return chain;
    }

    /** Returns the certificates to verify, in DER, inside {@link HandshakeCallbacks.Target#onVerify}. */
    public static List<byte[]> chain(long storeContext) {
        return encoded(LibSslDelegation.X509_STORE_CTX_get0_untrusted(storeContext));
    }

    private static List<byte[]> encoded(long stack) {
        List<byte[]> result = new ArrayList<>();
        for (int i = 0; i < LibCryptoPkcs12.OPENSSL_sk_num(stack); i++) { // -1 for null
            result.add(X509.der(LibCryptoPkcs12.OPENSSL_sk_value(stack, i)));
        }
        return result;
    }

    /** Returns the signature schemes that the peer accepts, numbers of the TLS registry by its preference. */
    public static List<Integer> signatureSchemes(Ssl ssl) {
        List<Integer> schemes = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(2);
            long low = out.address();
            long high = low + 1;
            int count = LibSslDelegation.SSL_get_sigalgs(ssl.address(), 0, 0, 0, 0, low, high);
            for (int i = 0; i < count; i++) {
                LibSslDelegation.SSL_get_sigalgs(ssl.address(), i, 0, 0, 0, low, high);
                schemes.add((unsigned(high) << Byte.SIZE) | unsigned(low));
            }
        }
        return schemes;
    }

    private static int unsigned(long address) {
        return RawMemory.getByte(address) & 0xFF;
    }

    /** Returns the names of the authorities that the peer accepts, in DER; empty when it names none. */
    public static List<byte[]> authorities(Ssl ssl) {
        long names = LibSslDelegation.SSL_get0_peer_CA_list(ssl.address());
        List<byte[]> result = new ArrayList<>();
        for (int i = 0; i < LibCryptoPkcs12.OPENSSL_sk_num(names); i++) { // -1 for null
            long name = LibCryptoPkcs12.OPENSSL_sk_value(names, i);
            result.add(X509.encoded(out -> LibSslDelegation.i2d_X509_NAME(name, out)));
        }
        return result;
    }

    /** Answers with a certificate; one per key type, of which libssl uses the best that the peer supports. */
    public static void answer(Ssl ssl, X509 certificate, EvpPkey key, List<X509> intermediates) {
        ErrorQueue.clear();
        long stack = LibCrypto.OPENSSL_sk_new_null();
        try {
            intermediates.forEach(each -> LibCrypto.OPENSSL_sk_push(stack, each.address()));
            int done = LibSslDelegation.SSL_use_cert_and_key(
                    ssl.address(), certificate.address(), key.address(), stack, 1);
            if (done != 1) {
                throw OpenSslException.drained("SSL_use_cert_and_key failed");
            }
        } finally {
            LibCrypto.OPENSSL_sk_free(stack);
        }
    }

    /** Returns the certificate that we presented, in DER; null for none. */
    public static byte @Nullable [] answered(Ssl ssl) {
        long certificate = LibSslStapling.SSL_get_certificate(ssl.address());
        return certificate == 0 ? null : X509.der(certificate);
    }

    /** Suspends the handshake of a client inside {@link HandshakeCallbacks.Target#onVerify}, which is called again. */
    public static void suspendVerification(Ssl ssl) {
        LibSsl.SSL_ctrl(ssl.address(), OpenSslConstants.SSL_CTRL_SET_RETRY_VERIFY, 0, 0);
    }

    /** Returns whether a client requests the status of our certificate, by the extension status_request. */
    public static boolean requestsStatus(Ssl ssl) {
        return LibSsl.SSL_ctrl(ssl.address(), OpenSslConstants.SSL_CTRL_GET_TLSEXT_STATUS_REQ_TYPE, 0, 0)
                == OpenSslConstants.TLSEXT_STATUSTYPE_ocsp;
    }

    /** Returns the server's stapled OCSP response; null for none. */
    public static byte @Nullable [] staple(Ssl ssl) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            long length = LibSsl.SSL_ctrl(
                    ssl.address(), OpenSslConstants.SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, out.address());
            if (length <= 0) {
                return null;
            }
            byte[] response = new byte[Math.toIntExact(length)];
            RawMemory.copy(out.get(ValueLayout.JAVA_LONG, 0), response, 0, response.length);
            return response;
        }
    }

    /** Returns the id of the connection's session; empty for none. */
    public static byte[] sessionId(Ssl ssl) {
        long session = LibSslEarlyData.SSL_get_session(ssl.address());
        if (session == 0) {
            return new byte[0];
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
            long id = LibSslDelegation.SSL_SESSION_get_id(session, length.address());
            byte[] copy = new byte[length.get(ValueLayout.JAVA_INT, 0)];
            RawMemory.copy(id, copy, 0, copy.length);
            return copy;
        }
    }

    /**
     * Returns keying material by RFC 5705, or RFC 8446 section 7.5.
     *
     * @param context null for none, which TLS 1.2 distinguishes from an empty one
     */
    public static byte[] export(Ssl ssl, String label, byte @Nullable [] context, int length) {
        ErrorQueue.clear();
        byte[] name = label.getBytes(StandardCharsets.UTF_8);
        byte[] given = context == null ? new byte[0] : context;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(length);
            int done = LibSslDelegation.SSL_export_keying_material(
                    ssl.address(),
                    out.address(),
                    length,
                    arena.allocateFrom(ValueLayout.JAVA_BYTE, name).address(),
                    name.length,
                    arena.allocateFrom(ValueLayout.JAVA_BYTE, given).address(),
                    given.length,
                    context == null ? 0 : 1);
            if (done != 1) {
                throw OpenSslException.drained("SSL_export_keying_material failed");
            }
            byte[] material = out.toArray(ValueLayout.JAVA_BYTE);
            out.fill((byte) 0);
            return material;
        }
    }

    /** Returns whether a certificate is for a DNS name, by RFC 6125 without partial wildcards. */
    public static boolean isForHost(X509 certificate, String host) {
        byte[] name = host.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            long text = arena.allocateFrom(ValueLayout.JAVA_BYTE, name).address();
            int flags = OpenSslConstants.X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;
            return LibSslDelegation.X509_check_host(certificate.address(), text, name.length, flags, 0) == 1;
        } finally {
            ErrorQueue.clear();
        }
    }

    /** Returns whether a certificate is for an IP address. */
    public static boolean isForAddress(X509 certificate, String address) {
        try (Arena arena = Arena.ofConfined()) {
            long text = arena.allocateFrom(address).address();
            return LibSslDelegation.X509_check_ip_asc(certificate.address(), text, 0) == 1;
        } finally {
            ErrorQueue.clear();
        }
    }
}
