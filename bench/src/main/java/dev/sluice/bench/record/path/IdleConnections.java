package dev.sluice.bench.record.path;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.Ledger.Balance;
import dev.sluice.tls.engine.LoopCrypto;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.function.Supplier;

/** Idle established connections, one end of each. */
final class IdleConnections {
    private static final int MAX_CONNECTIONS = 100_000;

    private final Supplier<Object> connect;

    /** Allocated at once, so that keeping a connection allocates nothing more. */
    private final Object[] kept = new Object[MAX_CONNECTIONS];

    private int count;

    /**
     * Creates an instance.
     *
     * @param connect creates a connection and returns the end to keep; the other is already closed
     */
    IdleConnections(Supplier<Object> connect) {
        this.connect = connect;
    }

    /** Opens more connections. */
    void open(int more) {
        for (int i = 0; i < more; i++) {
            kept[count++] = connect.get();
        }
    }

    /** Returns the bytes of the Java heap in use, in the whole process. */
    long heapBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /**
     * Returns the native bytes accounted in the ledger, in the whole process; excludes OpenSSL's allocations and key
     * memory for future connections.
     */
    long ledgerBytes() {
        Balance unused = Ledger.process().balances().getOrDefault(LoopCrypto.UNUSED_KEYS, Balance.NOTHING);
        return Ledger.process().liveBytes() - unused.bytes();
    }
}
