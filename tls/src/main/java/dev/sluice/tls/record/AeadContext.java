package dev.sluice.tls.record;

import dev.sluice.ffi.RawMemory;
import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpCipher;
import dev.sluice.ffi.openssl.EvpCipherCtx;
import dev.sluice.ffi.openssl.LibCryptoAead;
import dev.sluice.ffi.openssl.OpenSslException;

/**
 * One AEAD cipher's sealing and opening contexts, which remember the key that they have loaded.
 *
 * <p>All addresses are native. The tag lies right behind the text. Confined to one thread.
 */
final class AeadContext implements AutoCloseable {
    private static final int EVP_CTRL_AEAD_GET_TAG = 16; // <openssl/evp.h>
    private static final int EVP_CTRL_AEAD_SET_TAG = 17;
    private static final long NO_KEY = 0;

    private final Aead aead;
    private final EvpCipher cipher;
    private final EvpCipherCtx sealing;
    private final EvpCipherCtx opening;
    private final long sealingContext;
    private final long openingContext;
    private long sealingKeyId = NO_KEY;
    private long openingKeyId = NO_KEY;

    /** @throws OpenSslException when this OpenSSL lacks the cipher */
    AeadContext(Aead aead) {
        this.aead = aead;
        this.cipher = EvpCipher.fetch(aead.opensslName());
        this.sealing = EvpCipherCtx.sealing(cipher);
        this.opening = EvpCipherCtx.opening(cipher);
        this.sealingContext = sealing.address();
        this.openingContext = opening.address();
    }

    /**
     * Encrypts and writes the tag behind the ciphertext.
     *
     * @param keyId names the key, not 0; the same id means the same key
     * @param nonce address of {@link Aead#NONCE_BYTES} bytes; the 4 bytes behind them are scratch
     * @param from the plaintext
     * @param to where the ciphertext goes: the same address, or memory that does not overlap
     */
    void seal(long keyId, long key, long nonce, long aad, int aadBytes, long from, long to, int textBytes) {
        long load = keyId == sealingKeyId ? 0 : key;
        sealingKeyId = keyId;
        long tag = to + textBytes;
        long outLength = nonce + Aead.NONCE_BYTES;
        int ok = LibCryptoAead.EVP_EncryptInit_ex(sealingContext, 0, 0, load, nonce)
                & LibCryptoAead.EVP_EncryptUpdate(sealingContext, 0, outLength, aad, aadBytes)
                & LibCryptoAead.EVP_EncryptUpdate(sealingContext, to, outLength, from, textBytes)
                & LibCryptoAead.EVP_EncryptFinal_ex(sealingContext, tag, outLength)
                & LibCryptoAead.EVP_CIPHER_CTX_ctrl(sealingContext, EVP_CTRL_AEAD_GET_TAG, Aead.TAG_BYTES, tag);
        if (ok != 1) {
            throw sealingFailed();
        }
    }

    /**
     * Decrypts if the tag behind the ciphertext is right.
     *
     * @param from the ciphertext
     * @param to where the plaintext goes: the same address, or memory that does not overlap
     * @return whether it was; if not, the plaintext has been overwritten with zero
     */
    boolean open(long keyId, long key, long nonce, long aad, int aadBytes, long from, long to, int textBytes) {
        long load = keyId == openingKeyId ? 0 : key;
        openingKeyId = keyId;
        long tag = from + textBytes;
        long outLength = nonce + Aead.NONCE_BYTES;
        int ok = LibCryptoAead.EVP_DecryptInit_ex(openingContext, 0, 0, load, nonce)
                & LibCryptoAead.EVP_DecryptUpdate(openingContext, 0, outLength, aad, aadBytes)
                & LibCryptoAead.EVP_DecryptUpdate(openingContext, to, outLength, from, textBytes)
                & LibCryptoAead.EVP_CIPHER_CTX_ctrl(openingContext, EVP_CTRL_AEAD_SET_TAG, Aead.TAG_BYTES, tag);
        if (ok == 1 && LibCryptoAead.EVP_DecryptFinal_ex(openingContext, tag, outLength) == 1) {
            return true;
        }
        // What was decrypted is not authentic: nobody may see it.
        RawMemory.zero(to, textBytes);
        ErrorQueue.clear();
        return false;
    }

    /** Frees the contexts, which wipes the keys that are loaded. */
    @Override
    public void close() {
        sealing.close();
        opening.close();
        cipher.close();
    }

    private OpenSslException sealingFailed() {
        sealingKeyId = NO_KEY;
        return OpenSslException.drained("sealing with " + aead.opensslName() + " failed");
    }
}
