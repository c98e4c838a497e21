package dev.sluice.bench.claims;

import dev.sluice.ffi.libc.MallocAllocator;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.context.TlsContext;
import dev.sluice.tls.engine.MemoryEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The experiment's server: a thread that serves one connection at a time. Answers the first message and reads the rest.
 */
final class Peer implements AutoCloseable {
    private static final int READ_BYTES = 16_384;
    private static final byte[] ANSWER = {'O', 'K', '\n'};

    private final TlsContext context;
    private final ServerSocketChannel listener;
    private final Thread thread;

    private Peer(TlsContext context, ServerSocketChannel listener) {
        this.context = context;
        this.listener = listener;
        this.thread = Thread.ofPlatform().name("experiment server").daemon().unstarted(this::serve);
    }

    static Peer start(TlsContext context) throws IOException {
        Peer peer = new Peer(
                context, ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        peer.thread.start();
        return peer;
    }

    SocketAddress address() throws IOException {
        return listener.getLocalAddress();
    }

    private void serve() {
        MallocAllocator allocator = new MallocAllocator();
        MemorySegment memory = allocator.allocate(READ_BYTES, Long.BYTES);
        try {
            while (true) {
                serve(listener.accept(), memory.address());
            }
        } catch (ClosedChannelException e) {
            // The end.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            allocator.free(memory);
        }
    }

    /** Serves a connection; its client reports failures. */
    private void serve(SocketChannel channel, long memory) {
        try (BlockingTls server = new BlockingTls(MemoryEngine.server(context), channel)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            server.handshake();
            server.read(memory, READ_BYTES);
            RawMemory.copy(ANSWER, 0, memory, ANSWER.length);
            server.write(memory, ANSWER.length);
            while (server.read(memory, READ_BYTES) > 0) {
                // As fast as it arrives.
            }
        } catch (IOException e) {
            // The client ended it, or reports the failure.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
