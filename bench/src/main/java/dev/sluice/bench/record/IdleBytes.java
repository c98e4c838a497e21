package dev.sluice.bench.record;

import dev.sluice.bench.process.Answer;

/**
 * The memory of one end of an idle established connection.
 *
 * @param heap bytes of the Java heap
 * @param ledger native bytes allocated by Sluice
 * @param openssl native bytes allocated by OpenSSL
 */
record IdleBytes(double heap, double ledger, double openssl) {
    double total() {
        return heap + ledger + openssl;
    }

    /**
     * Opens connections in three equal steps. The first loads classes; the increase of the third is that of connections
     * only.
     */
    static IdleBytes measure(CountedProcess counted, int connections) {
        counted.process().ask("idle", connections);
        Answer before = counted.process().ask("idle", connections);
        long opensslBefore = counted.liveBytes();
        Answer after = counted.process().ask("idle", connections);
        long openssl = counted.liveBytes() - opensslBefore;
        return new IdleBytes(
                (after.number("heap") - before.number("heap")) / connections,
                (after.number("ledger") - before.number("ledger")) / connections,
                (double) openssl / connections);
    }
}
