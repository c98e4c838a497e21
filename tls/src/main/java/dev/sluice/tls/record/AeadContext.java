package dev.sluice.tls.record;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpCipher;
import dev.sluice.ffi.openssl.EvpCipherCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.fault.FaultPoint;
import org.jspecify.annotations.Nullable;

/**
 * The sealing and opening contexts of one AEAD cipher, which cache the loaded key.
 *
 * <p>All addresses are native. The tag follows the text immediately. Confined to one thread.
 */
final class AeadContext implements AutoCloseable {
    private static final long NO_KEY = 0;

    private final Aead aead;
    private final EvpCipher cipher;
    private final EvpCipherCtx sealing;
    private final EvpCipherCtx opening;
    private final long sealingContext;
    private final long openingContext;
    private final TagParameter tagParameter;
    private long sealingKeyId = NO_KEY;
    private long openingKeyId = NO_KEY;

    /** Takes ownership of the cipher and the contexts, unless it throws. */
    private AeadContext(
            Aead aead, EvpCipher cipher, EvpCipherCtx sealing, EvpCipherCtx opening, NativeAllocator allocator) {
        this.aead = aead;
        this.cipher = cipher;
        this.sealing = sealing;
        this.opening = opening;
        this.sealingContext = sealing.address();
        this.openingContext = opening.address();
        this.tagParameter = new TagParameter(allocator);
    }

    /**
     * Creates both contexts.
     *
     * @throws OpenSslException when this OpenSSL lacks the cipher
     */
    static AeadContext of(Aead aead, NativeAllocator allocator) {
        EvpCipher cipher = EvpCipher.fetch(aead.opensslName());
        EvpCipherCtx sealing = null;
        EvpCipherCtx opening = null;
        try {
            sealing = EvpCipherCtx.sealing(cipher);
            opening = EvpCipherCtx.opening(cipher);
            return new AeadContext(aead, cipher, sealing, opening, allocator);
        } catch (Throwable t) {
            closeMade(opening);
            closeMade(sealing);
            cipher.close();
            throw t;
        }
    }

    private static void closeMade(@Nullable EvpCipherCtx context) {
        if (context != null) {
            context.close();
        }
    }

    /**
     * Encrypts and appends the tag to the ciphertext.
     *
     * @param keyId identifies the key, not 0
     * @param nonce address of {@link Aead#NONCE_BYTES} bytes; the next 4 bytes are scratch
     * @param from the plaintext
     * @param to destination of the ciphertext: the same address, or memory that does not overlap
     */
    void seal(long keyId, long key, long nonce, long aad, int aadBytes, long from, long to, int textBytes) {
        FaultPoint.EVP.reach();
        long load = keyId == sealingKeyId ? 0 : key;
        sealingKeyId = keyId;
        long tag = to + textBytes;
        long outLength = nonce + Aead.NONCE_BYTES;
        int ok = LibCryptoAead.EVP_EncryptInit_ex(sealingContext, 0, 0, load, nonce)
                & LibCryptoAead.EVP_EncryptUpdate(sealingContext, 0, outLength, aad, aadBytes)
                & LibCryptoAead.EVP_EncryptUpdate(sealingContext, to, outLength, from, textBytes)
                & LibCryptoAead.EVP_EncryptFinal_ex(sealingContext, tag, outLength)
                & LibCryptoAead.EVP_CIPHER_CTX_get_params(sealingContext, tagParameter.at(tag));
        if (ok != 1) {
            throw sealingFailed();
        }
    }

    /**
     * Decrypts if the tag after the ciphertext is valid.
     *
     * @param from the ciphertext
     * @param to destination of the plaintext: the same address, or memory that does not overlap
     * @return true if the tag is valid; otherwise the plaintext has been overwritten with zeros
     */
    boolean open(long keyId, long key, long nonce, long aad, int aadBytes, long from, long to, int textBytes) {
        FaultPoint.EVP.reach();
        long load = keyId == openingKeyId ? 0 : key;
        openingKeyId = keyId;
        long tag = from + textBytes;
        long outLength = nonce + Aead.NONCE_BYTES;
        int ok = LibCryptoAead.EVP_DecryptInit_ex2(openingContext, 0, load, nonce, tagParameter.at(tag))
                & LibCryptoAead.EVP_DecryptUpdate(openingContext, 0, outLength, aad, aadBytes)
                & LibCryptoAead.EVP_DecryptUpdate(openingContext, to, outLength, from, textBytes);
        if (ok == 1 && LibCryptoAead.EVP_DecryptFinal_ex(openingContext, tag, outLength) == 1) {
            return true;
        }
        // The decrypted bytes are not authentic and must not be exposed.
        RawMemory.zero(to, textBytes);
        ErrorQueue.clear();
        return false;
    }

    /** Frees the contexts, which wipes the loaded keys. */
    @Override
    public void close() {
        sealing.close();
        opening.close();
        tagParameter.close();
        cipher.close();
    }

    private OpenSslException sealingFailed() {
        sealingKeyId = NO_KEY;
        return OpenSslException.drained("sealing with " + aead.opensslName() + " failed");
    }
}
