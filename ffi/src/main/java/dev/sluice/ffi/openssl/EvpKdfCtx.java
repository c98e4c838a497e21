package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import java.lang.foreign.Arena;

/** The working state of a key-derivation function ({@code EVP_KDF_CTX}), such as HKDF or TLS1-PRF. */
public final class EvpKdfCtx extends NativeHandle {
    private EvpKdfCtx(long address) {
        super(address, "EVP_KDF_CTX_new", "EVP_KDF_CTX");
    }

    /**
     * Fetches a function and creates a context for it.
     *
     * @param name OpenSSL's name, such as {@code HKDF}
     * @throws OpenSslException when this OpenSSL lacks the function
     */
    public static EvpKdfCtx fetch(String name) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            long kdf = LibCryptoAead.EVP_KDF_fetch(0, arena.allocateFrom(name).address(), 0);
            if (kdf == 0) {
                throw OpenSslException.drained("EVP_KDF_fetch of " + name + " failed");
            }
            try {
                return new EvpKdfCtx(LibCryptoAead.EVP_KDF_CTX_new(kdf));
            } finally {
                LibCryptoAead.EVP_KDF_free(kdf); // the context holds its own reference
            }
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoAead.EVP_KDF_CTX_free(nativeAddress);
    }
}
