package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibSsl;
import dev.sluice.ffi.openssl.raw.LibSslDetach;
import dev.sluice.ffi.openssl.raw.LibSslPsk;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * An external pre-shared key of TLS 1.3 (RFC 8446 section 4.2.11) for the suite TLS_AES_256_GCM_SHA384, with an
 * ephemeral key exchange beside it (psk_dhe_ke, libssl's default).
 *
 * <pre>
 *   0                4            8           12         48
 *   +----------------+------------+-----------+----------+-----------------+
 *   | identity bytes | key bytes  | suite     | key      | identity        |
 *   +----------------+------------+-----------+----------+-----------------+
 * </pre>
 *
 * <p>Must outlive the contexts that use it. {@link #close()} wipes the key.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
public final class ExternalPsk extends NativeHandle {
    /** Size of the key. */
    public static final int KEY_BYTES = 32;

    private static final int CRYPTO_EX_INDEX_SSL_CTX = 1; // <openssl/crypto.h>
    private static final byte[] TLS_AES_256_GCM_SHA384 = {0x13, 0x02};

    private static final int IDENTITY_LENGTH_OFFSET = 0;
    private static final int SUITE_OFFSET = 8;
    private static final int KEY_OFFSET = 12;
    private static final int IDENTITY_OFFSET = 48;

    private static final int EX_DATA_INDEX =
            LibSslDetach.CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, 0, 0, 0, 0);
    private static final long USE =
            stub("use", MethodType.methodType(int.class, long.class, long.class, long.class, long.class, long.class));
    private static final long FIND =
            stub("find", MethodType.methodType(int.class, long.class, long.class, long.class, long.class));

    private final int totalBytes;

    /**
     * Creates a key.
     *
     * @param identity sent in the clear, 1 to 128 bytes
     * @param key {@value #KEY_BYTES} bytes, copied; the caller wipes them
     */
    public ExternalPsk(byte[] identity, byte[] key) {
        super(LibC.calloc(1, IDENTITY_OFFSET + (long) identity.length), "calloc", "external PSK");
        this.totalBytes = IDENTITY_OFFSET + identity.length;
        if (key.length != KEY_BYTES) {
            close();
            throw new IllegalArgumentException("an external PSK has " + KEY_BYTES + " bytes, bytes=" + key.length);
        }
        RawMemory.putInt(address() + IDENTITY_LENGTH_OFFSET, identity.length);
        RawMemory.copy(TLS_AES_256_GCM_SHA384, 0, address() + SUITE_OFFSET, TLS_AES_256_GCM_SHA384.length);
        RawMemory.copy(key, 0, address() + KEY_OFFSET, KEY_BYTES);
        RawMemory.copy(identity, 0, address() + IDENTITY_OFFSET, identity.length);
    }

    /** Offers the key in the handshakes of a client's context, or accepts it in those of a server's. */
    public void useIn(SslCtx context) {
        if (LibSslPsk.SSL_CTX_set_ex_data(context.address(), EX_DATA_INDEX, address()) != 1) {
            throw OpenSslException.drained("SSL_CTX_set_ex_data failed");
        }
        LibSslPsk.SSL_CTX_set_psk_use_session_callback(context.address(), USE);
        LibSslPsk.SSL_CTX_set_psk_find_session_callback(context.address(), FIND);
    }

    /**
     * Implements {@code int (*SSL_psk_use_session_cb_func)(SSL *ssl, const EVP_MD *md, const unsigned char **id, size_t
     * *idlen, SSL_SESSION **sess)}. libssl owns the session; the identity is borrowed.
     */
    private static int use(long ssl, long digest, long identity, long length, long session) {
        try {
            long psk = of(ssl);
            RawMemory.putLong(identity, psk + IDENTITY_OFFSET);
            RawMemory.putLong(length, RawMemory.getInt(psk + IDENTITY_LENGTH_OFFSET));
            RawMemory.putLong(session, session(ssl, psk));
            return 1;
        } catch (Throwable t) {
            return 0;
        }
    }

    /**
     * Implements {@code int (*SSL_psk_find_session_cb_func)(SSL *ssl, const unsigned char *identity, size_t
     * identity_len, SSL_SESSION **sess)}. For an unknown identity the handshake continues without a key.
     */
    private static int find(long ssl, long identity, long length, long session) {
        try {
            long psk = of(ssl);
            RawMemory.putLong(session, isIdentity(psk, identity, length) ? session(ssl, psk) : 0);
            return 1;
        } catch (Throwable t) {
            return 0;
        }
    }

    private static long of(long ssl) {
        return LibSslPsk.SSL_CTX_get_ex_data(LibSslPsk.SSL_get_SSL_CTX(ssl), EX_DATA_INDEX);
    }

    private static boolean isIdentity(long psk, long identity, long length) {
        int expected = RawMemory.getInt(psk + IDENTITY_LENGTH_OFFSET);
        if (length != expected) {
            return false;
        }
        byte[] ours = new byte[expected];
        byte[] theirs = new byte[expected];
        RawMemory.copy(psk + IDENTITY_OFFSET, ours, 0, expected);
        RawMemory.copy(identity, theirs, 0, expected);
        return Arrays.equals(ours, theirs);
    }

    private static long session(long ssl, long psk) {
        long session = LibSslPsk.SSL_SESSION_new();
        long cipher = LibSslPsk.SSL_CIPHER_find(ssl, psk + SUITE_OFFSET);
        boolean made = session != 0
                && cipher != 0
                && LibSslPsk.SSL_SESSION_set1_master_key(session, psk + KEY_OFFSET, KEY_BYTES) == 1
                && LibSslPsk.SSL_SESSION_set_cipher(session, cipher) == 1
                && LibSslPsk.SSL_SESSION_set_protocol_version(session, OpenSslConstants.TLS1_3_VERSION) == 1;
        if (!made && session != 0) {
            LibSsl.SSL_SESSION_free(session);
        }
        return made ? session : 0;
    }

    private static long stub(String method, MethodType type) {
        try {
            MethodHandle handle = MethodHandles.lookup().findStatic(ExternalPsk.class, method, type);
            MemoryLayout[] parameters =
                    type.parameterList().stream().map(each -> LONG).toArray(MemoryLayout[]::new);
            return NativeLibrary.callback(handle, INT, parameters);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: " + method, e);
        }
    }

    @Override
    void free(long nativeAddress) {
        RawMemory.zero(nativeAddress, totalBytes);
        LibC.free(nativeAddress);
    }
}
