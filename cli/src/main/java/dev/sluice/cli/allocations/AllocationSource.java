package dev.sluice.cli.allocations;

/**
 * The classes of the JDK that call {@code jdk.internal.misc.Unsafe.allocateMemory} for an application. What C code and
 * the JVM itself allocate, and {@code malloc} called through a linker, passes none of them.
 */
public enum AllocationSource {
    /** A direct buffer. */
    DIRECT_BUFFER("java.nio.DirectByteBuffer", "ByteBuffer.allocateDirect"),
    /** A segment of an arena. */
    ARENA("jdk.internal.foreign.SegmentFactories", "Arena.allocate"),
    /** The copy that a channel makes of a buffer on the heap. */
    CHANNEL_COPY("sun.nio.ch.Util", "copy of a heap buffer for I/O"),
    /** A library that uses the unsupported interface, such as Netty. */
    UNSAFE("sun.misc.Unsafe", "sun.misc.Unsafe.allocateMemory");

    private final String className;
    private final String label;

    AllocationSource(String className, String label) {
        this.className = className;
        this.label = label;
    }

    /** Returns the full name of the class. */
    String className() {
        return className;
    }

    /** Returns the allocating call, for display. */
    String label() {
        return label;
    }
}
