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
 * <p>Exactly one owner at a time: who leased it, or who it was handed to. The owner calls {@link #release()} once. The
 * same object is leased again and again, so nothing is allocated. Confined to the thread of its pool.
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

    /** The number of this slab in its pool: 0 to {@code pool.maxSlabs() - 1}, the same for its whole life. */
    public int index() {
        return index;
    }

    /** All of the slab's memory, bounds-checked: for tests and the control path. */
    public MemorySegment segment() {
        return segment;
    }

    /** The native address of the slab's first byte: for the data path. */
    public long address() {
        return address;
    }

    /** The slab's size in bytes. */
    public int capacity() {
        return capacity;
    }

    /** Offset of the first payload byte. */
    public int start() {
        return start;
    }

    /** Offset behind the last payload byte. */
    public int end() {
        return end;
    }

    /** Bytes of payload. */
    public int length() {
        return end - start;
    }

    /** The native address of the first payload byte. */
    public long payloadAddress() {
        return address + start;
    }

    /**
     * Marks which bytes are payload.
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

    /** Takes {@code bytes} off the front of the payload, as after a short send. */
    public void consume(int bytes) {
        window(start + bytes, end);
    }

    /**
     * Gives the slab back to its pool; the caller must not touch it afterwards.
     *
     * @throws IllegalStateException when it was given back already
     */
    public void release() {
        pool.giveBack(this);
    }

    /** Whether somebody holds the slab now. */
    public boolean isLeased() {
        return leased;
    }

    /** Who stands behind this slab in its {@link SlabQueue}. */
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
