package dev.sluice.bench.calls;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;

/** The threads of servers and senders. */
final class Serving {
    private Serving() {}

    /** The work of a thread. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }

    /** Starts a platform thread; its failure ends the process's row, since the other side waits in vain. */
    static Thread start(Work work) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                work.run();
            } catch (IOException e) {
                throw new BenchException("a side of the calls failed: " + e.getMessage(), e);
            }
        });
    }

    /** Waits for the end of a thread. */
    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
