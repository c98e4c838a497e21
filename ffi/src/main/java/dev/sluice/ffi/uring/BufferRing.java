package dev.sluice.ffi.uring;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.NativeAllocator;
import java.lang.foreign.MemorySegment;

/**
 * A ring of provided buffers, from which the kernel takes one when bytes have arrived. The ring owns its entries, not
 * the buffers; the flags of a completion name the buffer taken.
 *
 * <pre>
 *   struct io_uring_buf, linux/io_uring.h       struct io_uring_buf_reg
 *   0          8       12      14     16        0           8              12     14      16         40
 *   +----------+-------+-------+------+         +-----------+--------------+------+-------+----------+
 *   |   addr   |  len  |  bid  | resv |         | ring_addr | ring_entries | bgid | flags | resv[3]  |
 *   +----------+-------+-------+------+         +-----------+--------------+------+-------+----------+
 * </pre>
 *
 * The ring's 16-bit tail overlaps resv of entry 0, which is therefore never written as part of that entry.
 */
public final class BufferRing implements AutoCloseable {
    /** The maximum number of entries that the kernel accepts. */
    public static final int MOST_ENTRIES = 32_768;

    static final int ADDR_OFFSET = 0;
    static final int LEN_OFFSET = 8;
    static final int BID_OFFSET = 12;
    static final int TAIL_OFFSET = 14;
    static final int ENTRY_BYTES = 16;

    static final int REG_RING_ADDR_OFFSET = 0;
    static final int REG_RING_ENTRIES_OFFSET = 8;
    static final int REG_BGID_OFFSET = 12;
    static final int REG_BYTES = 40;

    private static final int PAGE_BYTES = 4096;

    private final Ring ring;
    private final NativeAllocator allocator;
    private final MemorySegment memory;
    private final long address;
    private final int group;
    private final int mask;
    private int tail;
    private int provided;

    private BufferRing(Ring ring, NativeAllocator allocator, int entries, int group) {
        this.ring = ring;
        this.allocator = allocator;
        this.memory = allocator.allocate((long) entries * ENTRY_BYTES, PAGE_BYTES);
        this.address = memory.address();
        this.group = group;
        this.mask = entries - 1;
    }

    /**
     * Creates a ring of buffers and registers it.
     *
     * @param entries a power of two up to {@link #MOST_ENTRIES}
     * @param group the buffer group that receives name
     * @throws UringUnavailableException when the kernel refuses: it is older than 5.19
     */
    public static BufferRing register(Ring ring, NativeAllocator allocator, int entries, int group) {
        BufferRing buffers = new BufferRing(ring, allocator, entries, group);
        int result = buffers.register(UringConstants.IORING_REGISTER_PBUF_RING);
        if (result < 0) {
            allocator.free(buffers.memory);
            throw new UringUnavailableException("kernel refused a ring of " + entries + " provided buffers: "
                    + Errno.describe(result) + "; requires Linux 5.19 or later");
        }
        return buffers;
    }

    private int register(int operation) {
        try (RingScratch argument = new RingScratch(REG_BYTES)) {
            RawMemory.putLong(argument.address() + REG_RING_ADDR_OFFSET, address);
            RawMemory.putInt(argument.address() + REG_RING_ENTRIES_OFFSET, mask + 1);
            RawMemory.putShort(argument.address() + REG_BGID_OFFSET, (short) group);
            return UringSyscalls.register(ring.kernel(), ring.descriptor(), operation, argument.address(), 1);
        }
    }

    /** Returns the number of buffers available to the kernel. */
    public int provided() {
        return provided;
    }

    /** Returns the number of free entries. */
    public int room() {
        return mask + 1 - provided;
    }

    /**
     * Adds a buffer; visible to the kernel after {@link #publish()}.
     *
     * @param id 0 to 65,535; returned in the completion that used it
     */
    public void provide(long bufferAddress, int length, int id) {
        long entry = address + (long) (tail & mask) * ENTRY_BYTES;
        RawMemory.putLong(entry + ADDR_OFFSET, bufferAddress);
        RawMemory.putInt(entry + LEN_OFFSET, length);
        RawMemory.putShort(entry + BID_OFFSET, (short) id);
        tail++;
        provided++;
    }

    /** Publishes the added buffers to the kernel. */
    public void publish() {
        RawMemory.putShortRelease(address + TAIL_OFFSET, (short) tail);
    }

    /** Accounts for a buffer used by a completion and returns its id. */
    public int taken(int completionFlags) {
        provided--;
        return completionFlags >>> UringConstants.IORING_CQE_BUFFER_SHIFT;
    }

    /** Unregisters and frees the ring; the buffers' owners may reuse them. */
    @Override
    public void close() {
        register(UringConstants.IORING_UNREGISTER_PBUF_RING);
        allocator.free(memory);
    }
}
