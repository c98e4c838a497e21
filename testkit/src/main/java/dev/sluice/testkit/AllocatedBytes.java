package dev.sluice.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What a thread has allocated on the Java heap: the JVM's own exact count. */
public final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final int ROUNDS_MAX = 200;

    private AllocatedBytes() {}

    /** Bytes that this thread has allocated since it began. */
    public static long byThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Bytes that an action allocates on this thread. Run it often enough before, so that it is compiled. */
    public static long during(Runnable action) {
        long start = THREADS.getCurrentThreadAllocatedBytes();
        action.run();
        return THREADS.getCurrentThreadAllocatedBytes() - start;
    }

    /**
     * The least that an action allocates on this thread once it is compiled: repeats it until it allocates nothing, and
     * gives up after {@value #ROUNDS_MAX} times. On a busy machine the compilers need many rounds until they are done, and
     * may allocate on this thread at any time.
     */
    public static long leastDuring(Runnable action) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS_MAX && least > 0; round++) {
            least = Math.min(least, during(action));
        }
        return least;
    }
}
