package dev.sluice.bench.buffers.work;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/**
 * Segments with an arena each.
 *
 * @param byteSize the size of each
 * @param arenas opens an arena
 * @param end the end of an arena
 */
record ArenaSource(int byteSize, Supplier<Arena> arenas, End end) implements BufferSource<ArenaSource.Piece> {
    /** The ends of arenas. */
    enum End {
        /** By a call of {@code close}. */
        CLOSED,
        /** By the collector, or never. */
        LEFT
    }

    /** A segment with its arena. */
    record Piece(Arena arena, MemorySegment segment) {}

    @Override
    public Piece allocate() {
        Arena arena = arenas.get();
        return new Piece(arena, arena.allocate(byteSize));
    }

    @Override
    public void free(Piece piece) {
        if (end == End.CLOSED) {
            piece.arena.close();
        }
    }

    @Override
    public void touch(Piece piece) {
        touch(piece.segment, byteSize);
    }

    @Override
    public void zero(Piece piece) {}

    /** Writes a byte to each page of a segment. */
    static void touch(MemorySegment segment, int byteSize) {
        for (long at = 0; at < byteSize; at += PAGE_BYTES) {
            segment.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
        }
    }
}
