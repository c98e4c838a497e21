package dev.sluice.bench.buffers.work;

import dev.sluice.bench.harness.Identity;
import dev.sluice.bench.harness.Role;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.List;

/** The ways to allocate a buffer, and how each is freed. */
public enum BufferKind {
    /** A buffer on the heap. */
    HEAP("heap", Role.PEER, Release.ANY_THREAD),
    /** The same, with each object allocated outside of the thread's allocation buffer. */
    HEAP_WITHOUT_TLAB("heap, -XX:-UseTLAB", Role.PEER, Release.ANY_THREAD),
    /** A direct buffer, freed by the collector. */
    DIRECT("allocateDirect", Role.PEER, Release.COLLECTOR),
    /** A direct buffer, freed at once. */
    DIRECT_CLEANED("allocateDirect, cleaned", Role.PEER, Release.ANY_THREAD),
    /** A segment in an arena of one thread. */
    ARENA_CONFINED("Arena.ofConfined", Role.PEER, Release.OWN_THREAD),
    /** A segment in an arena of all threads. */
    ARENA_SHARED("Arena.ofShared", Role.PEER, Release.ANY_THREAD),
    /** A segment that the collector frees. */
    ARENA_AUTO("Arena.ofAuto", Role.PEER, Release.COLLECTOR),
    /** A segment that is never freed. */
    ARENA_GLOBAL("Arena.global, never freed", Role.FLOOR, Release.NEVER),
    /** A slice of one segment, freed with all others. */
    SLICING("slicing allocator, freed at once", Role.FLOOR, Release.OWN_THREAD),
    /** Memory of the C library. */
    MALLOC("malloc and free", Role.PEER, Release.ANY_THREAD),
    /** Netty's older pool. */
    NETTY_POOLED("Netty, pooled", Role.PEER, Release.ANY_THREAD),
    /** Netty's newer pool. */
    NETTY_ADAPTIVE("Netty, adaptive", Role.PEER, Release.ANY_THREAD),
    /** Agrona's view of a direct buffer. */
    AGRONA("Agrona", Role.PEER, Release.ANY_THREAD),
    /** Sluice's pool. */
    SLAB("Sluice slab", Role.SUBJECT, Release.OWN_THREAD);

    /** The threads that may free a buffer. */
    public enum Release {
        /** The thread that allocated it. */
        OWN_THREAD,
        /** Each thread. */
        ANY_THREAD,
        /** The collector's. */
        COLLECTOR,
        /** None: every buffer stays until the process ends. */
        NEVER
    }

    private final String label;
    private final Role role;
    private final Release release;

    BufferKind(String label, Role role, Release release) {
        this.label = label;
        this.role = role;
        this.release = release;
    }

    /** Returns the treatment's identity. */
    public Identity identity() {
        return Identity.of(label, role);
    }

    /** Returns the threads that may free it. */
    public Release release() {
        return release;
    }

    /** Returns the options of the JVM that it needs. */
    public List<String> flags() {
        return switch (this) {
            case HEAP_WITHOUT_TLAB -> List.of("-XX:-UseTLAB");
            case AGRONA -> List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
            case NETTY_POOLED, NETTY_ADAPTIVE ->
                List.of("-Dio.netty.leakDetection.level=disabled", "--sun-misc-unsafe-memory-access=allow");
            default -> List.of();
        };
    }

    /**
     * Opens a source.
     *
     * @param byteSize the size of each buffer
     * @param live number of buffers in use at a time
     */
    BufferSource<?> open(int byteSize, int live) {
        return switch (this) {
            case HEAP, HEAP_WITHOUT_TLAB -> new ByteBufferSource(byteSize, ByteBuffer::allocate, _ -> {});
            case DIRECT -> new ByteBufferSource(byteSize, ByteBuffer::allocateDirect, _ -> {});
            case DIRECT_CLEANED -> new ByteBufferSource(byteSize, ByteBuffer::allocateDirect, BufferCleaner::clean);
            case ARENA_CONFINED -> new ArenaSource(byteSize, Arena::ofConfined, ArenaSource.End.CLOSED);
            case ARENA_SHARED -> new ArenaSource(byteSize, Arena::ofShared, ArenaSource.End.CLOSED);
            case ARENA_AUTO -> new ArenaSource(byteSize, Arena::ofAuto, ArenaSource.End.LEFT);
            case ARENA_GLOBAL -> new ArenaSource(byteSize, Arena::global, ArenaSource.End.LEFT);
            case SLICING -> new SlicingSource(byteSize, live);
            case MALLOC -> new MallocSource(byteSize);
            case NETTY_POOLED -> NettySource.pooled(byteSize);
            case NETTY_ADAPTIVE -> NettySource.adaptive(byteSize);
            case AGRONA -> new AgronaSource(byteSize);
            case SLAB -> new SlabSource(byteSize, live);
        };
    }
}
