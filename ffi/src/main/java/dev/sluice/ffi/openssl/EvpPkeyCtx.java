package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import dev.sluice.ffi.openssl.raw.LibCryptoProviders;
import java.lang.foreign.Arena;

/** The working state of a public-key operation ({@code EVP_PKEY_CTX}). */
public final class EvpPkeyCtx extends NativeHandle {
    private EvpPkeyCtx(long address, String maker) {
        super(address, maker, "EVP_PKEY_CTX");
    }

    /** Creates a context for operations with a key, which the caller keeps. */
    static EvpPkeyCtx of(EvpPkey key) {
        ErrorQueue.clear();
        return new EvpPkeyCtx(LibCryptoOperations.EVP_PKEY_CTX_new(key.address(), 0), "EVP_PKEY_CTX_new");
    }

    /**
     * Creates a context for key generation.
     *
     * @param algorithm OpenSSL's name, such as {@code X25519}
     * @throws OpenSslException when this OpenSSL lacks it
     */
    static EvpPkeyCtx named(String algorithm) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            return new EvpPkeyCtx(
                    LibCryptoOperations.EVP_PKEY_CTX_new_from_name(
                            0, arena.allocateFrom(algorithm).address(), 0),
                    "EVP_PKEY_CTX_new_from_name of " + algorithm);
        }
    }

    /**
     * Creates a context that generates any number of keys.
     *
     * @param algorithm OpenSSL's name
     * @param group the elliptic curve; "" for none
     * @throws OpenSslException when this OpenSSL lacks it
     */
    public static EvpPkeyCtx generating(String algorithm, String group) {
        EvpPkeyCtx context = named(algorithm);
        try {
            EvpPkey.readyToGenerate(context.address(), group);
            return context;
        } catch (Throwable t) {
            context.close();
            throw t;
        }
    }

    /**
     * Creates a context that imports any number of keys.
     *
     * @param algorithm OpenSSL's name
     * @throws OpenSslException when this OpenSSL lacks it
     */
    public static EvpPkeyCtx importing(String algorithm) {
        EvpPkeyCtx context = named(algorithm);
        try {
            if (LibCryptoProviders.EVP_PKEY_fromdata_init(context.address()) != 1) {
                throw OpenSslException.drained("EVP_PKEY_fromdata_init of " + algorithm + " failed");
            }
            return context;
        } catch (Throwable t) {
            context.close();
            throw t;
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoOperations.EVP_PKEY_CTX_free(nativeAddress);
    }
}
