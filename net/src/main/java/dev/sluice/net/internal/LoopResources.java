package dev.sluice.net.internal;

import dev.sluice.ffi.libc.AccountedAllocator;
import dev.sluice.ffi.libc.Kernel;
import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.MmapAllocator;
import dev.sluice.ffi.uring.Ring;
import dev.sluice.ffi.uring.UringUnavailableException;
import dev.sluice.memory.Ledger;
import dev.sluice.memory.NativeAllocator;
import dev.sluice.memory.fault.FaultPoint;
import dev.sluice.net.BackendUnavailableException;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.LoopStatistics;
import dev.sluice.tls.engine.LoopCrypto;
import org.jspecify.annotations.Nullable;

/** The native memory and descriptors that a loop owns. Made and closed on the loop's thread. */
final class LoopResources implements AutoCloseable {
    private final EventLoopConfig config;
    private final LoopStatistics statistics;
    private final Kernel kernel;
    private final NativeAllocator pages;
    private final Ledger.Account ringAccount;
    private final Sockets sockets;
    private final LoopBuffers buffers;
    private final Transport transport;
    private String backendReason = "";
    private @Nullable LoopCrypto loopCrypto;

    private LoopResources(EventLoopConfig config, Kernel kernel, LoopStatistics statistics) {
        Ledger.Account account = Ledger.process().account(config.name() + " transport");
        this.config = config;
        this.statistics = statistics;
        this.kernel = kernel;
        this.pages = new AccountedAllocator(new MmapAllocator(), account);
        this.ringAccount = account;
        this.sockets = new Sockets(kernel, new AccountedAllocator(new MallocAllocator(), account));
        this.buffers = new LoopBuffers(config.name(), config.maxBuffers());
        try {
            Transport opened = openTransport();
            this.transport = FaultPoint.ON ? new FaultyTransport(opened) : opened;
        } catch (RuntimeException e) {
            closeAllButTransport();
            throw e;
        }
    }

    /**
     * Takes what a loop needs.
     *
     * @param kernel owned by the resources from now on
     * @throws BackendUnavailableException when the configuration insists on what cannot run; nothing is held then
     */
    static LoopResources open(EventLoopConfig config, Kernel kernel, LoopStatistics statistics) {
        return new LoopResources(config, kernel, statistics);
    }

    private Transport openTransport() {
        if (config.backend() == EventLoop.Backend.EPOLL) {
            backendReason = "epoll: selected by the configuration";
            return openEpoll();
        }
        try {
            return openUring();
        } catch (UringUnavailableException e) {
            if (config.backend() == EventLoop.Backend.IO_URING) {
                throw new BackendUnavailableException("io_uring cannot run here: " + e.getMessage()
                        + "; or let the backend be chosen automatically, which takes epoll");
            }
            backendReason = "epoll: io_uring cannot run here: " + e.getMessage();
            return openEpoll();
        }
    }

    private Transport openUring() {
        Ring ring = Ring.open(kernel, ringAccount, config.ringEntries());
        try {
            Transport opened = new UringTransport(kernel, sockets, buffers, statistics, pages, ring);
            backendReason = "io_uring: granted by the kernel (" + ring.description() + ")";
            return opened;
        } catch (RuntimeException e) {
            ring.close();
            throw e;
        }
    }

    private Transport openEpoll() {
        return new EpollTransport(kernel, sockets, buffers, statistics, pages);
    }

    Sockets sockets() {
        return sockets;
    }

    LoopBuffers buffers() {
        return buffers;
    }

    /** Returns how many buffers are leased, of the loop and of its TLS engines; from any thread, recent. */
    int leasedBuffers() {
        LoopCrypto path = loopCrypto;
        return buffers.leasedCount() + (path == null ? 0 : path.leasedBuffers());
    }

    LoopCrypto loopCrypto() {
        LoopCrypto path = loopCrypto;
        if (path == null) {
            path = new LoopCrypto(
                    new MallocAllocator(), new MmapAllocator(), LoopCrypto.MIN_BUFFER_BYTES, config.maxBuffers());
            loopCrypto = path;
        }
        return path;
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
        closeAllButTransport();
    }

    private void closeAllButTransport() {
        sockets.close();
        if (loopCrypto != null) {
            loopCrypto.close();
        }
        try {
            buffers.close();
        } finally {
            kernel.close();
        }
    }
}
