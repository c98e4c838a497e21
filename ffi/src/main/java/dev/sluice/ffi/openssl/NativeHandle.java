package dev.sluice.ffi.openssl;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;

/**
 * The one owner of an OpenSSL object: frees it at {@link #close()}, there and then, once. Charged to an account of
 * {@link Ledger#process()} that is named after the C type, one count per object; OpenSSL keeps their sizes to itself.
 *
 * <p>Confined: one thread at a time.
 */
public abstract class NativeHandle implements AutoCloseable {
    private final Ledger.Account account;
    private long address;

    /**
     * Takes ownership.
     *
     * @param address what OpenSSL returned; 0 is an error that takes the error queue
     * @param maker the C function that returned it, for the message
     * @param type the C type, which names the account
     */
    NativeHandle(long address, String maker, String type) {
        if (address == 0) {
            throw OpenSslException.drained(maker + " failed");
        }
        this.account = Ledger.process().account(type);
        this.address = address;
        account.acquired(0);
    }

    /**
     * The native address.
     *
     * @throws IllegalStateException when closed
     */
    public final long address() {
        if (address == 0) {
            throw new IllegalStateException(account.owner() + " used after its close");
        }
        if (FaultPoint.ON) {
            faultPoint().reach();
        }
        return address;
    }

    /** The kind of the calls that are made on the object: who asks for its address makes one. */
    FaultPoint faultPoint() {
        return FaultPoint.EVP;
    }

    /** Whether the object is freed. */
    public final boolean isClosed() {
        return address == 0;
    }

    /** Gives ownership to the C side, which frees the object from now on. */
    final long handOver() {
        long given = address;
        if (given == 0) {
            throw new IllegalStateException(account.owner() + " used after its close");
        }
        address = 0;
        account.released(0);
        return given;
    }

    abstract void free(long nativeAddress);

    @Override
    public final void close() {
        if (address != 0) {
            free(handOver());
        }
    }
}
