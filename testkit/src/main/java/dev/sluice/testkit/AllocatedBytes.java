package dev.sluice.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What a thread has allocated on the Java heap: the JVM's own exact count. */
public final class AllocatedBytes {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

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
}
