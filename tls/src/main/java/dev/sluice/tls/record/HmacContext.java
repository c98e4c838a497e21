package dev.sluice.tls.record;

import dev.sluice.ffi.openssl.ErrorQueue;
import dev.sluice.ffi.openssl.EvpMacCtx;
import dev.sluice.ffi.openssl.raw.LibCryptoAead;
import org.jspecify.annotations.Nullable;

/**
 * A context for HMAC that serves many keys. When a key cannot be set for want of memory, OpenSSL 3 leaves the context
 * in a state in which the next use crashes: so it is discarded then, and made anew at its next use.
 */
public final class HmacContext implements AutoCloseable {
    private final String digest;
    private @Nullable EvpMacCtx context;

    /**
     * Creates a context.
     *
     * @param digest OpenSSL's name of the hash function, such as {@code SHA256}
     * @throws dev.sluice.ffi.openssl.OpenSslException when this OpenSSL lacks it
     */
    public HmacContext(String digest) {
        this.digest = digest;
        this.context = EvpMacCtx.hmac(digest);
    }

    /** Returns the address of the {@code EVP_MAC_CTX}, valid until the next {@link #discard()}. */
    public long address() {
        EvpMacCtx existing = context;
        if (existing == null) {
            existing = EvpMacCtx.hmac(digest);
            context = existing;
        }
        return existing.address();
    }

    /**
     * Overwrites the key.
     *
     * @param zeros address of {@code length} zeros
     */
    void forget(long zeros, int length) {
        if (context != null && LibCryptoAead.EVP_MAC_init(context.address(), zeros, length, 0) != 1) {
            ErrorQueue.clear();
            discard();
        }
    }

    /** Frees the context, which wipes its key. To be called whenever a function of it has failed. */
    public void discard() {
        if (context != null) {
            context.close();
            context = null;
        }
    }

    @Override
    public void close() {
        discard();
    }
}
