package dev.sluice.bench.calls;

import java.io.IOException;

/** A connected client of a {@link CallServer}. Confined to one thread. */
interface CallClient extends AutoCloseable {
    /**
     * Makes calls, and returns when the last response has arrived. Both sides compare what they receive.
     *
     * @param count the number of calls
     */
    void run(int count) throws IOException;

    @Override
    void close() throws IOException;
}
