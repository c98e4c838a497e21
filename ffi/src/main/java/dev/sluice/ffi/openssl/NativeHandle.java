package dev.sluice.ffi.openssl;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.fault.FaultPoint;

/**
 * The single owner of an OpenSSL object, which {@link #close()} frees once. Charged to an account of {@link
 * Ledger#process()} named after the C type, one count per object; OpenSSL does not report their sizes.
 *
 * <p>Confined to one thread at a time.
 */
public abstract class NativeHandle implements AutoCloseable {
    private final Ledger.Account account;
    private long address;

    /**
     * Takes ownership.
     *
     * @param address the result of OpenSSL; 0 is an error, which drains the error queue
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
     * Returns the native address.
     *
     * @throws IllegalStateException after the close
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

    /** Returns the fault-injection point of calls on the object; reading its address counts as a call. */
    FaultPoint faultPoint() {
        return FaultPoint.EVP;
    }

    /** Returns whether the object is freed. */
    public final boolean isClosed() {
        return address == 0;
    }

    /** Transfers ownership to the C side, which frees the object from now on. */
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
