package dev.sluice.transfer.move;

import dev.sluice.ffi.libc.AccountedAllocator;
import dev.sluice.ffi.libc.IoVec;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.ffi.zstd.ZstdDecompressor;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.transfer.protocol.ProtocolLimits;
import dev.sluice.transfer.protocol.Wire;
import dev.sluice.transfer.tree.TransferException;
import dev.sluice.transfer.tree.TransferFailure;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The decompression of what a stream of a target receives. A frame arrives in the pieces of several records and is
 * decompressed in one call, to the length asked for and no byte more. Confined to the stream's thread.
 */
final class ChunkDecompressor implements AutoCloseable {
    private final NativeAllocator allocator;
    private final ZstdDecompressor decompressor;
    private final MemorySegment frame;
    private int frameLength;
    private boolean closed;

    ChunkDecompressor() {
        this(new MallocAllocator());
    }

    /** Creates a decompressor with room for a frame from an allocator. */
    ChunkDecompressor(NativeAllocator memory) {
        allocator = new AccountedAllocator(memory, Ledger.process().account("transfer compression"));
        decompressor = new ZstdDecompressor();
        try {
            frame = allocator.allocate(ProtocolLimits.CHUNK_BYTES, Long.BYTES);
        } catch (Throwable t) {
            decompressor.close();
            throw t;
        }
    }

    /** Takes a frame from a wire. */
    void take(Wire wire, int length, BandwidthLimit limit) throws IOException {
        frameLength = 0;
        while (frameLength < length) {
            int here = wire.scatter(length - frameLength);
            if (here == 0) {
                throw new TransferException(TransferFailure.PEER_VANISHED, "the stream ended inside DATA");
            }
            limit.acquire(here);
            for (int i = 0; i < wire.pieceCount(); i++) {
                int piece = (int) IoVec.length(wire.pieces(), i);
                RawMemory.copy(IoVec.base(wire.pieces(), i), frame.address() + frameLength, piece);
                frameLength += piece;
            }
            wire.taken(here);
        }
    }

    /**
     * Decompresses the frame.
     *
     * @param to memory for {@code length} bytes
     * @throws TransferException PROTOCOL_VIOLATION unless the frame holds exactly so many bytes
     */
    void decompress(long to, int length) throws TransferException {
        if (!decompressor.decompress(frame.address(), frameLength, to, length)) {
            throw new TransferException(
                    TransferFailure.PROTOCOL_VIOLATION,
                    "DATA is no zstd frame of " + length + " bytes of contents: frame=" + frameLength + " bytes");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            decompressor.close();
            allocator.free(frame);
        }
    }
}
