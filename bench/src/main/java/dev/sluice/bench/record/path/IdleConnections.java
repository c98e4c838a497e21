package dev.sluice.bench.record.path;

import dev.sluice.memory.Ledger;
import dev.sluice.memory.Ledger.Balance;
import dev.sluice.tls.DirectPath;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.function.Supplier;

/** Established connections that are kept, one end of each, with nothing under way on them. */
final class IdleConnections {
    private static final int MAX_CONNECTIONS = 100_000;

    private final Supplier<Object> connect;

    /** Made at once, so that keeping a connection takes nothing more. */
    private final Object[] kept = new Object[MAX_CONNECTIONS];

    private int count;

    /** @param connect makes a connection and returns the end to keep; the other is gone by then */
    IdleConnections(Supplier<Object> connect) {
        this.connect = connect;
    }

    /** Opens more. */
    void open(int more) {
        for (int i = 0; i < more; i++) {
            kept[count++] = connect.get();
        }
    }

    /** Bytes of the Java heap that are in use, in the whole process. */
    long heapBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /**
     * Native bytes that the ledger accounts for, in the whole process; what OpenSSL allocates is not among them, and neither is
     * memory for keys of connections that are yet to come.
     */
    long ledgerBytes() {
        Balance unused = Ledger.process().balances().getOrDefault(DirectPath.UNUSED_KEYS, Balance.NOTHING);
        return Ledger.process().liveBytes() - unused.bytes();
    }
}
