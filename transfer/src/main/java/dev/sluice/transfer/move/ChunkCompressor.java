package dev.sluice.transfer.move;

import dev.sluice.ffi.libc.AccountedAllocator;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.zstd.ZstdCompressor;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.transfer.protocol.ProtocolLimits;
import java.lang.foreign.MemorySegment;

/**
 * The compression of what a stream of a source sends. The first chunk of a file decides on the rest: where it does not
 * shrink by a tenth, the file is compressed already or encrypted, and is sent as it is. Confined to the stream's
 * thread.
 */
final class ChunkCompressor implements AutoCloseable {
    /** The default of zstd. */
    private static final int LEVEL = 3;
    /** Shorter contents share a packet with others, and are not worth a frame. */
    private static final int LENGTH_MIN = 256;
    /** The part of a chunk that compression has to save. */
    private static final int SAVED_PART = 10;

    private static final int FRAME_BYTES_MAX = ProtocolLimits.CHUNK_BYTES - ProtocolLimits.CHUNK_BYTES / SAVED_PART;

    /** The finding about a file. */
    private enum Finding {
        /** No chunk was compressed yet. */
        NONE,
        /** The first chunk shrank. */
        COMPRESSIBLE,
        /** The first chunk did not shrink by enough. */
        INCOMPRESSIBLE
    }

    private final NativeAllocator allocator;
    private final ZstdCompressor compressor;
    private final MemorySegment frame;
    private Finding finding = Finding.NONE;
    private boolean closed;

    ChunkCompressor() {
        this(new MallocAllocator());
    }

    /** Creates a compressor with a frame from an allocator. */
    ChunkCompressor(NativeAllocator memory) {
        allocator = new AccountedAllocator(memory, Ledger.process().account("transfer compression"));
        compressor = new ZstdCompressor(LEVEL);
        try {
            frame = allocator.allocate(FRAME_BYTES_MAX, Long.BYTES);
        } catch (Throwable t) {
            compressor.close();
            throw t;
        }
    }

    /** Forgets the finding: the next chunk is of another file. */
    void nextFile() {
        finding = Finding.NONE;
    }

    /** Returns whether a chunk of this length is to be compressed. */
    boolean isWorth(int length) {
        return length >= LENGTH_MIN && finding != Finding.INCOMPRESSIBLE;
    }

    /**
     * Compresses a chunk to {@link #frame()}.
     *
     * @return the length of the frame; 0 when it is not enough shorter than the chunk
     */
    int compress(long chunk, int length) {
        int bytes = compressor.compress(chunk, length, frame.address(), length - length / SAVED_PART);
        if (finding == Finding.NONE) {
            finding = bytes > 0 ? Finding.COMPRESSIBLE : Finding.INCOMPRESSIBLE;
        }
        return bytes;
    }

    /** Returns the address of the frame. */
    long frame() {
        return frame.address();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            compressor.close();
            allocator.free(frame);
        }
    }
}
