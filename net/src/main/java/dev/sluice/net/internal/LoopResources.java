package dev.sluice.net.internal;

import dev.sluice.ffi.MmapAllocator;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.SlabPool;
import dev.sluice.net.BackendUnavailableException;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.LoopStatistics;

/** What a loop owns in native memory and descriptors. Made and closed on the loop's thread. */
final class LoopResources implements AutoCloseable {
    private static final int SLABS_PER_CHUNK = 16;

    private final LibC libc;
    private final Sockets sockets;
    private final SlabPool buffers;
    private final Transport transport;
    private final String backendReason;

    private LoopResources(EventLoopConfig config, LoopStatistics statistics) {
        NativeAllocator allocator = new MmapAllocator();
        this.libc = new LibC();
        this.sockets = new Sockets(libc, allocator);
        this.buffers = new SlabPool(
                allocator,
                Ledger.process().account(config.name() + " buffers"),
                BufferGeometry.SLAB_BYTES,
                Math.min(SLABS_PER_CHUNK, config.maxBuffers()),
                config.maxBuffers());
        if (config.backend() == EventLoop.Backend.IO_URING) {
            throw new BackendUnavailableException("the io_uring backend is not built yet; use epoll");
        }
        this.transport = new EpollTransport(libc, sockets, buffers, statistics, allocator);
        this.backendReason = "epoll: the only backend built so far";
    }

    static LoopResources open(EventLoopConfig config, LoopStatistics statistics) {
        return new LoopResources(config, statistics);
    }

    Sockets sockets() {
        return sockets;
    }

    SlabPool buffers() {
        return buffers;
    }

    Transport transport() {
        return transport;
    }

    String backendReason() {
        return backendReason;
    }

    @Override
    public void close() {
        transport.close();
        sockets.close();
        buffers.close();
        libc.close();
    }
}
