package dev.sluice.bench.transfer;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSocket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The kinds of sockets between the two threads. */
enum Wire {
    /** TCP over loopback. */
    TCP("TCP over loopback"),
    /** A pair of Unix stream sockets. */
    UNIX("a pair of Unix sockets");

    private static final InetSocketAddress LOOPBACK = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final String title;

    Wire(String title) {
        this.title = title;
    }

    /** Returns the name for display. */
    String title() {
        return title;
    }

    /**
     * Both ends of a connection; the caller closes what they own.
     *
     * @param <S> the type of a socket
     */
    record Connected<S>(S sender, S receiver) {}

    /** Connects the sockets of channels. */
    Connected<ChannelSocket> channelSockets() throws IOException {
        if (this == UNIX) {
            return pair();
        }
        try (ChannelListener listener = ChannelListener.open(LOOPBACK)) {
            ChannelSocket sender = ChannelSocket.connect(listener.address(), LIMIT);
            return new Connected<>(sender, listener.accept(LIMIT));
        }
    }

    private static Connected<ChannelSocket> pair() {
        try (LibC libc = new LibC();
                Arena arena = Arena.ofConfined()) {
            long pair = arena.allocate(Long.BYTES).address();
            int result = libc.socketpair(Constants.AF_UNIX, Constants.SOCK_STREAM | Constants.SOCK_CLOEXEC, 0, pair);
            if (result < 0) {
                throw new BenchException("no pair of sockets: " + Errno.describe(result));
            }
            return new Connected<>(
                    ChannelSocket.of(RawMemory.getInt(pair)), ChannelSocket.of(RawMemory.getInt(pair + Integer.BYTES)));
        }
    }

    /** Connects the JDK's sockets, which block. */
    Connected<SocketChannel> socketChannels() throws IOException {
        if (this == TCP) {
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(LOOPBACK)) {
                return connect(listener, listener.getLocalAddress());
            }
        }
        Path directory = Files.createTempDirectory("sluice-bench-");
        Path file = directory.resolve("pipe");
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
        try (ServerSocketChannel listener =
                ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address)) {
            return connect(listener, address);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private static Connected<SocketChannel> connect(ServerSocketChannel listener, SocketAddress address)
            throws IOException {
        SocketChannel sender = SocketChannel.open(address);
        return new Connected<>(sender, listener.accept());
    }
}
