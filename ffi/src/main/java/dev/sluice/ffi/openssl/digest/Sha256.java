package dev.sluice.ffi.openssl.digest;

import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.EvpMdCtx;
import dev.sluice.ffi.openssl.OpenSslException;
import dev.sluice.ffi.openssl.raw.LibCryptoOperations;
import java.lang.foreign.Arena;

/**
 * The hash SHA-256 over native memory in place, one message after another. The algorithm is fetched once, since a fetch
 * costs as much as hashing a kilobyte. Allocates nothing after its creation. Confined to one thread at a time.
 */
public final class Sha256 implements AutoCloseable {
    /** The size of a hash. */
    public static final int BYTES = 32;

    private final EvpMdCtx context = new EvpMdCtx();
    private final long digest;
    private final long out;

    /** Creates a hash at the start of a message. */
    public Sha256() {
        try (Arena arena = Arena.ofConfined()) {
            digest = LibCryptoOperations.EVP_MD_fetch(
                    0, arena.allocateFrom("SHA2-256").address(), 0);
        }
        if (digest == 0) {
            context.close();
            throw OpenSslException.drained("EVP_MD_fetch of SHA2-256 failed");
        }
        out = LibC.calloc(1, BYTES);
        try {
            if (out == 0) {
                throw new OutOfMemoryError("calloc refused " + BYTES + " bytes for a hash");
            }
            start();
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    /** Adds bytes to the message. */
    public void update(long address, long length) {
        check(LibCryptoOperations.EVP_DigestUpdate(context.address(), address, length), "EVP_DigestUpdate");
    }

    /** Writes the hash of the message, {@link #BYTES} bytes, and starts the next message. */
    public void finish(long toAddress) {
        check(LibCryptoOperations.EVP_DigestFinal_ex(context.address(), toAddress, 0), "EVP_DigestFinal_ex");
        start();
    }

    /** Copies the hash of the message into an array and starts the next message. */
    public void finish(byte[] to, int index) {
        finish(out);
        RawMemory.copy(out, to, index, BYTES);
    }

    /** Drops the message and starts the next. */
    public void start() {
        check(LibCryptoOperations.EVP_DigestInit_ex2(context.address(), digest, 0), "EVP_DigestInit_ex2");
    }

    @Override
    public void close() {
        if (!context.isClosed()) {
            context.close();
            LibCryptoOperations.EVP_MD_free(digest);
            LibC.free(out);
        }
    }

    private static void check(int result, String call) {
        if (result != 1) {
            throw OpenSslException.drained(call + " failed");
        }
    }
}
