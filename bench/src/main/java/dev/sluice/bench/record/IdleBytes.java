package dev.sluice.bench.record;

import dev.sluice.bench.process.Answer;

/**
 * What one end of an established connection holds while nothing is under way on it.
 *
 * @param heap bytes of the Java heap
 * @param ledger native bytes that Sluice has allocated
 * @param openssl native bytes that OpenSSL has allocated
 */
record IdleBytes(double heap, double ledger, double openssl) {
    double total() {
        return heap + ledger + openssl;
    }

    /** Opens connections in three steps of as many each. The first loads classes; what the third adds is theirs alone. */
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
