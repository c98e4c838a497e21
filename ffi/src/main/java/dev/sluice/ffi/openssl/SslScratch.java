package dev.sluice.ffi.openssl;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.openssl.raw.LibCrypto;
import dev.sluice.memory.Ledger;

/**
 * The output parameters of one connection: a few native bytes, so that no call allocates.
 *
 * <pre>
 *   0          8          16      20      24
 *   +----------+----------+-------+-------+
 *   | first    | second   | errno | (pad) |
 *   | pointer  | pointer  |       |       |
 *   +----------+----------+-------+-------+
 * </pre>
 */
final class SslScratch implements AutoCloseable {
    private static final int BYTES = 24;
    private static final int SECOND_OFFSET = 8;
    private static final int ERRNO_OFFSET = 16;
    private static final Ledger.Account ACCOUNT = Ledger.process().account("SSL scratch");

    private final long address;

    SslScratch() {
        this.address = LibCrypto.CRYPTO_zalloc(BYTES, 0, 0);
        if (address == 0) {
            throw OpenSslException.drained("CRYPTO_zalloc of " + BYTES + " bytes failed");
        }
        ACCOUNT.acquired(BYTES);
    }

    long first() {
        return address;
    }

    long second() {
        return address + SECOND_OFFSET;
    }

    /** Returns the address that receives errno. */
    long errnoAddress() {
        return address + ERRNO_OFFSET;
    }

    int errno() {
        return RawMemory.getInt(address + ERRNO_OFFSET);
    }

    /** Frees the memory; called once, by the single owner. */
    @Override
    public void close() {
        LibCrypto.CRYPTO_clear_free(address, BYTES, 0, 0);
        ACCOUNT.released(BYTES);
    }
}
