package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoOperations;

/** The working state of a signature or a hash over a message ({@code EVP_MD_CTX}). */
public final class EvpMdCtx extends NativeHandle {
    /** Creates an empty state. */
    public EvpMdCtx() {
        super(LibCryptoOperations.EVP_MD_CTX_new(), "EVP_MD_CTX_new", "EVP_MD_CTX");
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoOperations.EVP_MD_CTX_free(nativeAddress);
    }
}
