package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.BenchException;
import java.lang.foreign.MemorySegment;

/** The comparison of a stream with a block that is sent again and again. Confined to the receiving thread. */
final class BlockCheck {
    private final MemorySegment block;
    private long received;

    BlockCheck(MemorySegment block) {
        this.block = block;
    }

    /** Returns the bytes that were received and right. */
    long received() {
        return received;
    }

    /**
     * Compares the next bytes of the stream.
     *
     * @throws BenchException when one differs
     */
    void accept(MemorySegment memory, long offset, long length) {
        long done = 0;
        while (done < length) {
            long at = received % block.byteSize();
            long now = Math.min(length - done, block.byteSize() - at);
            long from = offset + done;
            if (MemorySegment.mismatch(memory, from, from + now, block, at, at + now) >= 0) {
                throw new BenchException("received other bytes than were sent, position=" + received);
            }
            received += now;
            done += now;
        }
    }
}
