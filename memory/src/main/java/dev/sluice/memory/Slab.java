package dev.sluice.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A fixed piece of native memory that a {@link SlabPool} leases out, with a window that marks the bytes in use.
 *
 * <pre>
 *   0            start             end            capacity
 *   +--------------+-----------------+----------------+
 *   |   headroom   |     payload     |    tailroom    |
 *   +--------------+-----------------+----------------+
 *   0 &lt;= start &lt;= end &lt;= capacity
 * </pre>
 *
 * <p>A leased slab has exactly one owner, which calls {@link #release()} once. Slab objects are reused, so leasing
 * allocates nothing. Confined to the thread of its pool.
 */
public final class Slab {
    private final SlabPool pool;
    private final int index;
    private final MemorySegment segment;
    private final long address;
    private final int capacity;
    private int start;
    private int end;
    private boolean leased;
    private @Nullable Slab next;

    Slab(SlabPool pool, int index, MemorySegment segment) {
        this.pool = pool;
        this.index = index;
        this.segment = segment;
        this.address = segment.address();
        this.capacity = Math.toIntExact(segment.byteSize());
    }

    /** Returns the index of this slab in its pool: 0 to {@code pool.maxSlabs() - 1}, constant for its lifetime. */
    public int index() {
        return index;
    }

    /** Returns the slab's memory, bounds-checked, for tests and the control path. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns the native address of the slab's first byte, for the data path. */
    public long address() {
        return address;
    }

    /** Returns the slab's size in bytes. */
    public int capacity() {
        return capacity;
    }

    /** Returns the offset of the first payload byte. */
    public int start() {
        return start;
    }

    /** Returns the offset after the last payload byte. */
    public int end() {
        return end;
    }

    /** Returns the payload length in bytes. */
    public int length() {
        return end - start;
    }

    /** Returns the native address of the first payload byte. */
    public long payloadAddress() {
        return address + start;
    }

    /**
     * Sets the payload window.
     *
     * @throws IndexOutOfBoundsException unless {@code 0 <= start <= end <= capacity}
     */
    public void window(int start, int end) {
        if (start < 0 || end < start || end > capacity) {
            throw new IndexOutOfBoundsException(
                    "window outside the slab: start=" + start + ", end=" + end + ", capacity=" + capacity);
        }
        this.start = start;
        this.end = end;
    }

    /** Removes {@code bytes} from the front of the payload, as after a short send. */
    public void consume(int bytes) {
        window(start + bytes, end);
    }

    /**
     * Returns the slab to its pool; the caller must not use it afterwards.
     *
     * @throws IllegalStateException when it was released already
     */
    public void release() {
        pool.giveBack(this);
    }

    /** Returns whether the slab is leased. */
    public boolean isLeased() {
        return leased;
    }

    /** Returns the next slab in the same {@link SlabQueue}. */
    @Nullable
    Slab next() {
        return next;
    }

    void next(@Nullable Slab slab) {
        next = slab;
    }

    void leased(boolean now) {
        leased = now;
        start = 0;
        end = 0;
    }
}
