package dev.sluice.ffi.zstd;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.OutOfNativeMemoryException;

/**
 * The single owner of a context of libzstd, which {@link #close()} frees once. Charged to an account of {@link
 * Ledger#process()} named after the C type, one count per context; its size depends on what it has compressed.
 *
 * <p>Confined to one thread at a time.
 */
abstract class ZstdContext implements AutoCloseable {
    private final Ledger.Account account;
    private long address;

    /**
     * Takes ownership.
     *
     * @param address the result of libzstd; 0 is an error
     * @param type the C type, which names the account
     */
    ZstdContext(long address, String type) {
        if (address == 0) {
            throw new OutOfNativeMemoryException("libzstd refused a " + type
                    + ": the system or the container's limit is " + "exhausted; raise the limit");
        }
        this.account = Ledger.process().account(type);
        this.address = address;
        account.acquired(0);
    }

    /**
     * Returns the native address.
     *
     * @throws IllegalStateException after the close
     */
    final long address() {
        if (address == 0) {
            throw new IllegalStateException(account.owner() + " used after its close");
        }
        return address;
    }

    /** Returns whether a result of type {@code size_t} is an error: the negation of a small number. */
    static boolean isError(long result) {
        return result < 0;
    }

    abstract void free(long nativeAddress);

    @Override
    public final void close() {
        if (address != 0) {
            free(address);
            address = 0;
            account.released(0);
        }
    }
}
