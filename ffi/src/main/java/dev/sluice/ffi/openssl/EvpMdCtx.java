package dev.sluice.ffi.openssl;

import dev.sluice.ffi.openssl.raw.LibCryptoOperations;

/** The working state of a signature over a message ({@code EVP_MD_CTX}). */
final class EvpMdCtx extends NativeHandle {
    EvpMdCtx() {
        super(LibCryptoOperations.EVP_MD_CTX_new(), "EVP_MD_CTX_new", "EVP_MD_CTX");
    }

    @Override
    void free(long nativeAddress) {
        LibCryptoOperations.EVP_MD_CTX_free(nativeAddress);
    }
}
