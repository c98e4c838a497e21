package dev.sluice.ffi.openssl.agreement;

import static dev.sluice.ffi.openssl.raw.OpenSslConstants.RSA_PKCS1_PSS_PADDING;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpPkey;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.ffi.openssl.raw.LibCryptoHandshake;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.LibCryptoProviders;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Signatures of TLS 1.3 (RFC 8446 section 4.2.3) over a digest: ECDSA, and RSASSA-PSS with a salt of its size. */
public final class Signer {
    private static final int SALT_LENGTH_OF_DIGEST = -1; // RSA_PSS_SALTLEN_DIGEST of openssl/rsa.h
    private static final int NAME_BYTES = 32;

    /** The digests that are signed. */
    public enum Digest {
        SHA256,
        SHA384,
        SHA512;

        private long address() {
            return switch (this) {
                case SHA256 -> LibCrypto.EVP_sha256();
                case SHA384 -> LibCryptoHandshake.EVP_sha384();
                case SHA512 -> LibCryptoHandshake.EVP_sha512();
            };
        }
    }

    private Signer() {}

    /** Returns OpenSSL's name of a key's algorithm, such as {@code EC}, {@code RSA} or {@code ED25519}. */
    public static String algorithm(EvpPkey key) {
        return RawMemory.getString(LibCryptoProviders.EVP_PKEY_get0_type_name(key.address()));
    }

    /** Returns OpenSSL's name of an elliptic key's curve, such as {@code prime256v1}; "" for another key. */
    public static String curve(EvpPkey key) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(NAME_BYTES);
            MemorySegment length = arena.allocate(Long.BYTES, Long.BYTES);
            int found = LibCryptoHandshake.EVP_PKEY_get_group_name(
                    key.address(), name.address(), NAME_BYTES, length.address());
            return found == 1 ? name.getString(0) : "";
        }
    }

    /** Returns the size of the largest signature that a key makes. */
    public static int signatureBytes(EvpPkey key) {
        return LibCryptoProviders.EVP_PKEY_get_size(key.address());
    }

    /**
     * Signs a digest by ECDSA.
     *
     * @param out destination of the signature
     * @param length address of 8 bytes: the room at the destination, then the size of the signature
     */
    public static void ecdsa(EvpPkey key, long digest, int digestBytes, long out, long length) {
        sign(key, null, digest, digestBytes, out, length);
    }

    /** Signs a digest by RSASSA-PSS. */
    public static void pss(EvpPkey key, Digest of, long digest, int digestBytes, long out, long length) {
        sign(key, of, digest, digestBytes, out, length);
    }

    private static void sign(EvpPkey key, @Nullable Digest pss, long digest, int bytes, long out, long length) {
        long room = RawMemory.getLong(length);
        long context = LibCryptoOperations.EVP_PKEY_CTX_new(key.address(), 0);
        try {
            boolean signed = context != 0
                    && LibCryptoOperations.EVP_PKEY_sign_init(context) == 1
                    && (pss == null || usePss(context, pss))
                    && LibCryptoOperations.EVP_PKEY_sign(context, out, length, digest, bytes) == 1;
            // Without memory ECDSA's function succeeds with a size that is none.
            signed = signed && RawMemory.getLong(length) > 0 && RawMemory.getLong(length) <= room;
            if (!signed) {
                throw OpenSslException.drained("the signature of CertificateVerify failed");
            }
        } finally {
            LibCryptoOperations.EVP_PKEY_CTX_free(context);
        }
    }

    private static boolean usePss(long context, Digest digest) {
        return LibCryptoHandshake.EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && LibCryptoHandshake.EVP_PKEY_CTX_set_signature_md(context, digest.address()) == 1
                && LibCryptoHandshake.EVP_PKEY_CTX_set_rsa_pss_saltlen(context, SALT_LENGTH_OF_DIGEST) == 1;
    }
}
