package dev.sluice.gateway.earlydata;

import dev.sluice.memory.NativeAllocator;

/** One of the parts of a {@link StrikeRegister}, with a lock of its own. */
final class Stripe implements AutoCloseable {
    private final StrikeTable[] tables;
    private long newestPeriod;
    private boolean closed;

    /**
     * Creates a stripe.
     *
     * @param periods how many are remembered, the present one included
     * @param strikesPerPeriod how many each of them may have
     */
    Stripe(int periods, int strikesPerPeriod, NativeAllocator allocator) {
        this.tables = new StrikeTable[periods];
        for (int i = 0; i < periods; i++) {
            tables[i] = new StrikeTable(strikesPerPeriod, allocator);
        }
    }

    /** Looks a key up in all periods, and notes it in the present one. */
    synchronized ReplayVerdict strike(long key, long period) {
        if (closed) {
            return ReplayVerdict.REGISTER_FULL;
        }
        advance(period);
        for (StrikeTable table : tables) {
            if (table.contains(key)) {
                return ReplayVerdict.REPLAYED;
            }
        }
        return table(newestPeriod).add(key) ? ReplayVerdict.FRESH : ReplayVerdict.REGISTER_FULL;
    }

    /** Empties what is too old. A thread that comes with the period before writes into the present one. */
    private void advance(long period) {
        long begun = Math.min(period - newestPeriod, tables.length);
        for (long i = 0; i < begun; i++) {
            table(period - i).clear();
        }
        newestPeriod = Math.max(newestPeriod, period);
    }

    private StrikeTable table(long period) {
        return tables[(int) (period % tables.length)];
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (StrikeTable table : tables) {
            table.close();
        }
    }
}
