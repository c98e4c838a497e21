package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.OpenSslConstants;
import java.util.function.LongToIntFunction;

/** The working state of a cipher ({@code EVP_CIPHER_CTX}), for one direction: sealing or opening. */
public final class EvpCipherCtx extends NativeHandle {
    private EvpCipherCtx(long address) {
        super(address, "EVP_CIPHER_CTX_new", "EVP_CIPHER_CTX");
    }

    /** Creates a context that encrypts with a cipher; key and nonce are set per record. */
    public static EvpCipherCtx sealing(EvpCipher cipher) {
        return make(
                "EVP_EncryptInit_ex", context -> LibCryptoAead.EVP_EncryptInit_ex(context, cipher.address(), 0, 0, 0));
    }

    /** Creates a context that decrypts with a cipher; key and nonce are set per record. */
    public static EvpCipherCtx opening(EvpCipher cipher) {
        return make(
                "EVP_DecryptInit_ex", context -> LibCryptoAead.EVP_DecryptInit_ex(context, cipher.address(), 0, 0, 0));
    }

    private static EvpCipherCtx make(String function, LongToIntFunction init) {
        ErrorQueue.clear();
        EvpCipherCtx context = new EvpCipherCtx(LibCryptoAead.EVP_CIPHER_CTX_new());
        try {
            if (init.applyAsInt(context.address()) != 1) {
                throw OpenSslException.drained(function + " failed");
            }
            return context;
        } catch (Throwable t) {
            context.close();
            throw t;
        }
    }

    /**
     * Sets the nonce length, as a program does that does not know its cipher. For measurements.
     *
     * @return true if the cipher accepts it
     */
    public boolean nonceBytes(int length) {
        return LibCryptoOperations.EVP_CIPHER_CTX_ctrl(address(), OpenSslConstants.EVP_CTRL_AEAD_SET_IVLEN, length, 0)
                == 1;
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoAead.EVP_CIPHER_CTX_free(nativeAddress);
    }
}
