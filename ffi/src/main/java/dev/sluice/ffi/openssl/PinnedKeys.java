package dev.sluice.ffi.openssl;

import static dev.sluice.ffi.internal.NativeLibrary.INT;
import static dev.sluice.ffi.internal.NativeLibrary.LONG;

import dev.sluice.ffi.internal.NativeLibrary;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibSslPinning;
import dev.sluice.ffi.openssl.raw.LibSslVerify;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The public keys that a peer may have, each named by the SHA-256 digest of its SubjectPublicKeyInfo, and the one that
 * it presented: for one connection. Replaces libssl's verification of the chain, so that names, authorities and dates
 * do not count; the peer still proves that it has the private key.
 *
 * <pre>
 *   0           4         8                        40
 *   +-----------+---------+------------------------+---------------------------+
 *   | presented | count   | the presented digest   | count digests of 32 bytes |
 *   +-----------+---------+------------------------+---------------------------+
 * </pre>
 *
 * <p>Must outlive the contexts that use it.
 */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by libssl, with parameters of its choice
public final class PinnedKeys extends NativeHandle {
    /** Size of a digest. */
    public static final int DIGEST_BYTES = 32;

    private static final int PRESENTED_OFFSET = 0;
    private static final int COUNT_OFFSET = PRESENTED_OFFSET + Integer.BYTES;
    private static final int DIGEST_OFFSET = COUNT_OFFSET + Integer.BYTES;
    private static final int PINS_OFFSET = DIGEST_OFFSET + DIGEST_BYTES;

    private static final int NOTHING_PRESENTED = 0;
    private static final int ACCEPTED = 1;
    private static final int REFUSED = 2;

    private static final long VERIFY = stub();

    /**
     * Creates a set of digests; an empty one refuses every key.
     *
     * @param digests of {@value #DIGEST_BYTES} bytes each, copied
     */
    public PinnedKeys(Collection<byte[]> digests) {
        super(filled(digests), "calloc", "pinned keys");
    }

    private static long filled(Collection<byte[]> digests) {
        for (byte[] digest : digests) {
            if (digest.length != DIGEST_BYTES) {
                throw new IllegalArgumentException(
                        "a digest has " + DIGEST_BYTES + " bytes, this one has " + digest.length);
            }
        }
        long memory = LibC.calloc(1, PINS_OFFSET + (long) digests.size() * DIGEST_BYTES);
        if (memory != 0) {
            RawMemory.putInt(memory + COUNT_OFFSET, digests.size());
            long at = memory + PINS_OFFSET;
            for (byte[] digest : digests) {
                RawMemory.copy(digest, 0, at, DIGEST_BYTES);
                at += DIGEST_BYTES;
            }
        }
        return memory;
    }

    /** Returns the digest of the key that the peer presented; null when it presented none. */
    public byte @Nullable [] presented() {
        if (RawMemory.getInt(address() + PRESENTED_OFFSET) == NOTHING_PRESENTED) {
            return null;
        }
        byte[] digest = new byte[DIGEST_BYTES];
        RawMemory.copy(address() + DIGEST_OFFSET, digest, 0, DIGEST_BYTES);
        return digest;
    }

    /** Returns whether the peer presented a key that is not in the set. */
    public boolean refused() {
        return RawMemory.getInt(address() + PRESENTED_OFFSET) == REFUSED;
    }

    /** Requires a certificate of each peer of a context, and accepts it by its key alone. */
    public void useIn(SslCtx context) {
        context.verify(OpenSslConstants.SSL_VERIFY_PEER | OpenSslConstants.SSL_VERIFY_FAIL_IF_NO_PEER_CERT);
        LibSslPinning.SSL_CTX_set_cert_verify_callback(context.address(), VERIFY, address());
    }

    /** Writes the digest of a certificate's SubjectPublicKeyInfo; returns false when OpenSSL refuses. */
    static boolean digest(long certificate, long out) {
        long pointer = LibC.calloc(1, Long.BYTES);
        try {
            int length = LibSslPinning.i2d_X509_PUBKEY(LibSslPinning.X509_get_X509_PUBKEY(certificate), pointer);
            if (length <= 0) {
                return false;
            }
            long der = RawMemory.getLong(pointer);
            int done = LibSslPinning.EVP_Digest(der, length, out, 0, LibCrypto.EVP_sha256(), 0);
            LibCrypto.CRYPTO_clear_free(der, length, 0, 0);
            return done == 1;
        } finally {
            LibC.free(pointer);
        }
    }

    /**
     * Implements {@code int (*)(X509_STORE_CTX *context, void *argument)}; see SSL_CTX_set_cert_verify_callback(3). No
     * exception may escape.
     */
    private static int verify(long context, long pins) {
        try {
            long digest = pins + DIGEST_OFFSET;
            boolean known = digest(LibSslPinning.X509_STORE_CTX_get0_cert(context), digest) && isPinned(pins, digest);
            RawMemory.putInt(pins + PRESENTED_OFFSET, known ? ACCEPTED : REFUSED);
            LibSslVerify.X509_STORE_CTX_set_error(
                    context, known ? OpenSslConstants.X509_V_OK : OpenSslConstants.X509_V_ERR_CERT_REJECTED);
            return known ? 1 : 0;
        } catch (Throwable t) {
            return 0;
        }
    }

    private static boolean isPinned(long pins, long digest) {
        int count = RawMemory.getInt(pins + COUNT_OFFSET);
        for (int i = 0; i < count; i++) {
            if (isEqual(digest, pins + PINS_OFFSET + (long) i * DIGEST_BYTES)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEqual(long a, long b) {
        long difference = 0;
        for (int i = 0; i < DIGEST_BYTES; i += Long.BYTES) {
            difference |= RawMemory.getLong(a + i) ^ RawMemory.getLong(b + i);
        }
        return difference == 0;
    }

    private static long stub() {
        try {
            MethodHandle handle = MethodHandles.lookup()
                    .findStatic(PinnedKeys.class, "verify", MethodType.methodType(int.class, long.class, long.class));
            return NativeLibrary.callback(handle, INT, LONG, LONG);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no such method: verify", e);
        }
    }

    @Override
    void free(long nativeAddress) {
        LibC.free(nativeAddress);
    }
}
