package dev.sluice.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;

/** The bytes that a thread has allocated on the Java heap, as counted exactly by the JVM. */
public final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int ROUNDS_MAX = 200;
    private static final int PAUSES_MAX = 60;
    private static final long PAUSE_NANOS = 50_000_000;

    private AllocatedBytes() {}

    /** Returns the bytes that this thread has allocated since its start. */
    public static long byThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /**
     * Returns the bytes that a live thread has allocated since its start.
     *
     * @param id its {@link Thread#threadId()}
     */
    public static long byThread(long id) {
        return THREADS.getThreadAllocatedBytes(id);
    }

    /** Returns the bytes that an action allocates on this thread. Warm it up first, so that it is compiled. */
    public static long during(Runnable action) {
        long start = THREADS.getCurrentThreadAllocatedBytes();
        action.run();
        return THREADS.getCurrentThreadAllocatedBytes() - start;
    }

    /**
     * Returns the least that an action allocates on this thread once it is compiled: repeats it until it allocates
     * nothing, at most {@value #ROUNDS_MAX} times and then with pauses for a few seconds. On a busy machine,
     * compilation takes many rounds, more time than they do, and may allocate on this thread at any time.
     */
    public static long leastDuring(Runnable action) {
        long least = Long.MAX_VALUE;
        long pauses = 0;
        for (int round = 0; least > 0 && pauses < PAUSES_MAX; round++) {
            least = Math.min(least, during(action));
            if (round >= ROUNDS_MAX) {
                LockSupport.parkNanos(PAUSE_NANOS);
                pauses++;
            }
        }
        return least;
    }
}
