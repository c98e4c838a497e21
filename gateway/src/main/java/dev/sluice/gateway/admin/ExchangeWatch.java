package dev.sluice.gateway.admin;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs each request on a virtual thread of its own, and ends those that make no progress: a client that sends its request, or
 * reads the answer, too slowly. An interrupt closes the channel that the thread waits for.
 */
final class ExchangeWatch implements Executor {
    /** How long a request and its answer may take; an event of a stream counts as a new answer. */
    static final Duration TIME_MAX = Duration.ofSeconds(10);

    /** By thread, the value of {@link System#nanoTime} by which it has to be done. */
    private final Map<Thread, Long> deadlines = new ConcurrentHashMap<>();

    @Override
    public void execute(Runnable exchange) {
        Thread.ofVirtual().name("admin-request").start(() -> {
            extend();
            try {
                exchange.run();
            } finally {
                deadlines.remove(Thread.currentThread());
            }
        });
    }

    /** The calling thread has come further, and has its time again. */
    void extend() {
        allow(TIME_MAX);
    }

    /** The calling thread is about to do something that takes as long as this by itself. */
    void allow(Duration time) {
        deadlines.put(Thread.currentThread(), System.nanoTime() + time.toNanos());
    }

    /** Ends those whose time is over. To be called now and then. */
    void endOverdue() {
        endOverdue(System.nanoTime());
    }

    void endOverdue(long now) {
        deadlines.forEach((thread, deadline) -> {
            if (now - deadline > 0) {
                thread.interrupt();
            }
        });
    }

    /** Ends all, and waits until they have ended, {@link #TIME_MAX} at most. */
    void endAll() {
        long limit = System.nanoTime() + TIME_MAX.toNanos();
        while (!deadlines.isEmpty() && System.nanoTime() - limit < 0) {
            deadlines.keySet().forEach(Thread::interrupt);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** How many requests are being served. */
    int running() {
        return deadlines.size();
    }
}
