package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import java.lang.foreign.Arena;

/** A cipher implementation ({@code EVP_CIPHER}), fetched once and shared by its contexts. */
public final class EvpCipher extends NativeHandle {
    private EvpCipher(long address) {
        super(address, "EVP_CIPHER_fetch", "EVP_CIPHER");
    }

    /**
     * Fetches a cipher from the default provider.
     *
     * @param name OpenSSL's name, such as {@code AES-128-GCM}
     * @throws OpenSslException when this OpenSSL, or its FIPS configuration, lacks the cipher
     */
    public static EvpCipher fetch(String name) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            return new EvpCipher(
                    LibCryptoAead.EVP_CIPHER_fetch(0, arena.allocateFrom(name).address(), 0));
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoAead.EVP_CIPHER_free(nativeAddress);
    }
}
