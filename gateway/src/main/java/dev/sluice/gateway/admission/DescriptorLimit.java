package dev.sluice.gateway.admission;

import static dev.sluice.ffi.libc.Constants.RLIMIT_NOFILE;

import dev.sluice.config.model.GatewayConfig;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.ResourceLimit;
import java.lang.foreign.MemorySegment;

/** The number of connections that the descriptors of this process suffice for. */
public final class DescriptorLimit {
    /** Kept free for files, logs, the JVM itself and connections that are just being refused. */
    private static final int RESERVED = 128;

    /** Ring, epoll set, wake-up and spare of one loop. */
    private static final int PER_LOOP = 8;

    /** A client's and a backend's. */
    private static final int PER_CONNECTION = 2;

    private DescriptorLimit() {}

    /** The limit in force, RLIMIT_NOFILE of getrlimit(2). The JVM has raised it to the hard limit at its start. */
    public static long current() {
        try (LibC libc = new LibC()) {
            MallocAllocator allocator = new MallocAllocator();
            MemorySegment limits = allocator.allocate(ResourceLimit.BYTES, Long.BYTES);
            try {
                int result = libc.getrlimit(RLIMIT_NOFILE, limits.address());
                return result < 0 ? Integer.MAX_VALUE : ResourceLimit.soft(limits.address());
            } finally {
                allocator.free(limits);
            }
        }
    }

    /** Returns the number of client connections that a descriptor limit suffices for, at least 1. */
    public static int connections(long descriptors, GatewayConfig config) {
        long perLoop = (long) PER_LOOP + config.listeners().size();
        long left = descriptors - RESERVED - perLoop * config.loops();
        return Math.clamp(left / PER_CONNECTION, 1, Integer.MAX_VALUE);
    }
}
