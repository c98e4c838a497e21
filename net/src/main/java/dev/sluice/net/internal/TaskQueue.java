package dev.sluice.net.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Tasks on their way to a loop from other threads, and the wake-up that belongs to them.
 *
 * <p>No wake-up is lost: a producer adds first and then asks whether a wake-up is pending; the loop clears that mark
 * first and then takes tasks. So either the loop sees the task, or the producer sees the mark cleared and wakes. And
 * none goes to a closed descriptor, whose number may be somebody else's by then: waking and closing exclude each other.
 */
final class TaskQueue {
    private final String loopName;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean wakePending = new AtomicBoolean();
    private final Object wakeLock = new Object();
    private @Nullable Transport transport;
    private volatile boolean closed;

    TaskQueue(String loopName) {
        this.loopName = loopName;
    }

    /** Wakes this transport for tasks from now on. */
    void open(Transport toWake) {
        synchronized (wakeLock) {
            transport = toWake;
        }
    }

    /**
     * Adds a task and wakes the loop.
     *
     * @throws RejectedExecutionException when the loop takes no more
     */
    void add(Runnable task) {
        tasks.add(task);
        if (closed && tasks.remove(task)) {
            throw new RejectedExecutionException("the event loop " + loopName + " is closed");
        }
        if (wakePending.compareAndSet(false, true)) {
            synchronized (wakeLock) {
                if (transport != null) {
                    transport.wakeUp();
                }
            }
        }
    }

    /** Starts a round in which the loop takes tasks: what is added from now on wakes it again. */
    void beginRound() {
        // Read first: a write is a fence, and most turns have nothing to clear.
        if (wakePending.get()) {
            wakePending.set(false);
        }
    }

    /** Takes out the oldest task, or null. */
    @Nullable
    Runnable poll() {
        return tasks.poll();
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Takes no more tasks; those that wait can still be polled. */
    void refuseMore() {
        closed = true;
    }

    /** Wakes nobody any more; the transport may be closed after this. */
    void forgetTransport() {
        synchronized (wakeLock) {
            transport = null;
        }
    }
}
