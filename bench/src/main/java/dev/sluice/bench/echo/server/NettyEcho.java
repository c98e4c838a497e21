package dev.sluice.bench.echo.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringBufferRingConfig;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringFixedBufferRingAllocator;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.util.Version;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * An echo server on Netty: one event loop, pooled direct buffers, one flush per readiness event. On io_uring it uses
 * Netty's fastest mode: multishot receives with a ring of provided buffers.
 */
final class NettyEcho implements RunningEcho {
    private static final int BACKLOG = 4096;
    private static final short BUFFER_GROUP = 1;
    private static final short BUFFERS = 4096;
    private static final int BUFFER_BYTES = 16 * 1024;

    private final MultiThreadIoEventLoopGroup group;
    private final Channel listener;
    private final String transport;

    private NettyEcho(MultiThreadIoEventLoopGroup group, Channel listener, String transport) {
        this.group = group;
        this.listener = listener;
        this.transport = transport;
    }

    static NettyEcho onNio() throws InterruptedException {
        return start(NioIoHandler.newFactory(), NioServerSocketChannel.class, false, "NIO");
    }

    /**
     * Creates a server on io_uring.
     *
     * @throws IllegalStateException when Netty cannot use io_uring here, with the cause
     */
    static NettyEcho onIoUring() throws InterruptedException {
        if (!IoUring.isAvailable()) {
            throw new IllegalStateException("Netty cannot use io_uring here: " + IoUring.unavailabilityCause());
        }
        boolean provided = IoUring.isRegisterBufferRingSupported();
        IoUringIoHandlerConfig config = new IoUringIoHandlerConfig();
        if (provided) {
            config.setBufferRingConfig(IoUringBufferRingConfig.builder()
                    .bufferGroupId(BUFFER_GROUP)
                    .bufferRingSize(BUFFERS)
                    .batchSize(BUFFERS / 2)
                    .allocator(new IoUringFixedBufferRingAllocator(BUFFER_BYTES))
                    .build());
        }
        return start(
                IoUringIoHandler.newFactory(config),
                IoUringServerSocketChannel.class,
                provided,
                "io_uring" + (provided ? ", provided buffers" : ""));
    }

    private static NettyEcho start(
            IoHandlerFactory handlers, Class<? extends ServerChannel> channel, boolean provided, String transport)
            throws InterruptedException {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, handlers);
        Echo echo = new Echo();
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        accepted.pipeline().addLast(echo);
                    }
                });
        if (provided) {
            bootstrap.childOption(IoUringChannelOption.IO_URING_BUFFER_GROUP_ID, BUFFER_GROUP);
        }
        Channel listener = bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
        return new NettyEcho(group, listener, transport);
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public String describe() {
        return "Netty "
                + Optional.ofNullable(Version.identify().get("netty-transport"))
                        .map(Version::artifactVersion)
                        .orElse("of unknown version")
                + ", " + transport;
    }

    @Override
    public void close() {
        group.shutdownGracefully().awaitUninterruptibly();
    }

    /** The stateless handler of all connections. Write results are ignored: the load counts the echoes. */
    @SuppressWarnings("FutureReturnValueIgnored")
    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // The load ends its connections with a reset.
        }
    }
}
