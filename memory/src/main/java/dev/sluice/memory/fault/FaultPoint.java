package dev.sluice.memory.fault;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of calls that a test can let fail, one call at a time: the nth, wherever it is made.
 *
 * <p>Product code marks such a call by {@link #reach()}; a test arms one kind at a time by {@link #arm}. In production
 * that costs nothing: {@link #ON} is a static final field that is false unless the system property {@value #PROPERTY} is
 * set, as in this project's tests, so that the JIT compiler leaves out what depends on it.
 *
 * <pre>{@code
 * try (FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.EVP, 3, anyThread -> true, this::explode)) {
 *     ...                                  // the third call of OpenSSL's EVP runs explode() instead
 * }
 * }</pre>
 */
public enum FaultPoint {
    /** A call of libssl on a context, a connection or a session, which throws. */
    LIBSSL,
    /** A call of libcrypto on a cipher, a MAC or a key derivation, which throws. */
    EVP,
    /** A request to the transport of an event loop, which throws. */
    TRANSPORT,
    /** A lease of a buffer, or of memory for a connection's keys, which throws. */
    POOL,
    /** A lease of a buffer, which finds the pool exhausted. */
    POOL_EMPTY,
    /** A call of a handler of connections, which throws. */
    HANDLER;

    /** System property that makes faults possible; read once, when this class is initialized. */
    public static final String PROPERTY = "sluice.memory.faults";

    /** True when faults are possible at all. */
    public static final boolean ON = Boolean.getBoolean(PROPERTY);

    /** One at a time. Read by all threads that reach a point, written by tests. */
    private static volatile @Nullable Armed current;

    /**
     * Lets one call of a kind fail, in place of whatever was armed before.
     *
     * @param point the kind
     * @param call which call fails, counted from 1 on the threads that are chosen; 0 counts only
     * @param threads chooses whose calls count
     * @param fault runs in place of that call, on the thread that makes it: throws, but for {@link #POOL_EMPTY}
     * @return what to close when the test is over
     * @throws IllegalStateException when faults are not possible in this process
     */
    public static Armed arm(FaultPoint point, long call, Predicate<Thread> threads, Runnable fault) {
        if (!ON) {
            throw new IllegalStateException("no fault can be injected; start the JVM with -D" + PROPERTY + "=true");
        }
        Armed armed = new Armed(point, call, threads, fault);
        current = armed;
        return armed;
    }

    /** Fails if this call is the one that is to fail. */
    public void reach() {
        if (ON) {
            fails();
        }
    }

    /** Returns true if this call is the one that is to fail, and what is armed did not throw. */
    public boolean fails() {
        Armed armed = ON ? current : null;
        return armed != null && armed.point == this && armed.isHit();
    }

    /** Returns true while something of this kind is armed. */
    public boolean isArmed() {
        Armed armed = ON ? current : null;
        return armed != null && armed.point == this;
    }

    /** A fault that was armed. Its figures may be read from any thread. */
    public static final class Armed implements AutoCloseable {
        private final FaultPoint point;
        private final long call;
        private final Predicate<Thread> threads;
        private final Runnable fault;
        private final AtomicLong calls = new AtomicLong();

        private Armed(FaultPoint point, long call, Predicate<Thread> threads, Runnable fault) {
            this.point = point;
            this.call = call;
            this.threads = threads;
            this.fault = fault;
        }

        private boolean isHit() {
            if (!threads.test(Thread.currentThread()) || calls.incrementAndGet() != call) {
                return false;
            }
            fault.run();
            return true;
        }

        /** Returns how many calls have been counted. */
        public long calls() {
            return calls.get();
        }

        /** Returns true once the call that is to fail has been made. */
        public boolean hasHit() {
            return call > 0 && calls.get() >= call;
        }

        /** Disarms. Idempotent. */
        @Override
        public void close() {
            if (current == this) {
                current = null;
            }
        }
    }
}
