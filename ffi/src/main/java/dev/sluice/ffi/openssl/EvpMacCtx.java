package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The working state of a message authentication code ({@code EVP_MAC_CTX}). */
public final class EvpMacCtx extends NativeHandle {
    private EvpMacCtx(long address) {
        super(address, "EVP_MAC_CTX_new", "EVP_MAC_CTX");
    }

    /**
     * Creates a context for HMAC; keys are set by {@link LibCryptoAead#EVP_MAC_init}, any number of times.
     *
     * @param digest OpenSSL's name of the hash function, such as {@code SHA256}
     * @throws OpenSslException when this OpenSSL lacks it
     */
    public static EvpMacCtx hmac(String digest) {
        ErrorQueue.clear();
        try (Arena arena = Arena.ofConfined()) {
            long mac = LibCryptoAead.EVP_MAC_fetch(0, arena.allocateFrom("HMAC").address(), 0);
            if (mac == 0) {
                throw OpenSslException.drained("EVP_MAC_fetch of HMAC failed");
            }
            EvpMacCtx context;
            try {
                context = new EvpMacCtx(LibCryptoAead.EVP_MAC_CTX_new(mac));
            } finally {
                LibCryptoAead.EVP_MAC_free(mac); // the context holds its own reference
            }
            try {
                context.digest(arena, digest);
            } catch (Throwable t) {
                context.close();
                throw t;
            }
            return context;
        }
    }

    private void digest(Arena arena, String name) {
        MemorySegment params = arena.allocate(2L * OsslParam.BYTES, Long.BYTES);
        long entry = params.address();
        long key = arena.allocateFrom("digest").address();
        OsslParam.set(
                entry, key, OsslParam.UTF8_STRING, arena.allocateFrom(name).address(), name.length());
        OsslParam.end(entry + OsslParam.BYTES);
        if (LibCryptoAead.EVP_MAC_CTX_set_params(address(), entry) != 1) {
            throw OpenSslException.drained("HMAC does not take the digest " + name);
        }
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoAead.EVP_MAC_CTX_free(nativeAddress);
    }
}
