package dev.sluice.memory.fault;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of calls that a test can make fail: the nth call of a kind, at whatever place it is made.
 *
 * <p>Product code marks such a call with {@link #reach()}; a test arms one kind at a time with {@link #arm}. In
 * production the cost is zero: {@link #ON} is a static final field that is false unless the system property {@value
 * #PROPERTY} is set, as in this project's tests, so that the JIT compiler removes the dependent code.
 *
 * <pre>{@code
 * try (FaultPoint.Armed armed = FaultPoint.arm(FaultPoint.EVP, 3, anyThread -> true, this::explode)) {
 *     ...                                  // the third call of OpenSSL's EVP runs explode() instead
 * }
 * }</pre>
 */
public enum FaultPoint {
    /** A call of libssl on a context, a connection or a session; it throws. */
    LIBSSL,
    /** A call of libcrypto on a cipher, a MAC or a key derivation; it throws. */
    EVP,
    /** A request to the transport of an event loop; it throws. */
    TRANSPORT,
    /** A lease of a buffer, or of memory for a connection's keys; it throws. */
    POOL,
    /** A lease of a buffer; it finds the pool exhausted. */
    POOL_EMPTY,
    /** A call of a connection handler; it throws. */
    HANDLER;

    /** The system property that enables fault injection; read once, when this class is initialized. */
    public static final String PROPERTY = "sluice.memory.faults";

    /** True if fault injection is enabled. */
    public static final boolean ON = Boolean.getBoolean(PROPERTY);

    /**
     * The armed fault, at most one. Read by all threads that reach a point, written by tests.
     */
    private static volatile @Nullable Armed current;

    /**
     * Arms a fault for one call of a kind, replacing an earlier one.
     *
     * @param point the kind
     * @param call the number of the call that fails, counted from 1 on the chosen threads; 0 only counts
     * @param threads selects the threads whose calls count
     * @param fault runs in place of that call, on its thread; throws, except for {@link #POOL_EMPTY}
     * @return a handle that the test closes
     * @throws IllegalStateException when fault injection is disabled in this process
     */
    public static Armed arm(FaultPoint point, long call, Predicate<Thread> threads, Runnable fault) {
        if (!ON) {
            throw new IllegalStateException("fault injection is disabled; start the JVM with -D" + PROPERTY + "=true");
        }
        Armed armed = new Armed(point, call, threads, fault);
        current = armed;
        return armed;
    }

    /** Counts one call, and fails if it is the armed one. */
    public void reach() {
        if (ON) {
            fails();
        }
    }

    /** Counts one call, and returns true if it is the armed one and the fault did not throw. */
    public boolean fails() {
        Armed armed = ON ? current : null;
        return armed != null && armed.point == this && armed.isHit();
    }

    /** Returns whether a fault of this kind is armed. */
    public boolean isArmed() {
        Armed armed = ON ? current : null;
        return armed != null && armed.point == this;
    }

    /** An armed fault. Its figures may be read from any thread. */
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

        /** Returns the number of calls counted so far. */
        public long calls() {
            return calls.get();
        }

        /** Returns whether the armed call has been made. */
        public boolean hasHit() {
            return call > 0 && calls.get() >= call;
        }

        /** Disarms the fault. Idempotent. */
        @Override
        public void close() {
            if (current == this) {
                current = null;
            }
        }
    }
}
