package dev.sluice.bench.jsse.server;

import dev.sluice.bench.load.HttpPage;
import dev.sluice.bench.load.TlsProfile;
import dev.sluice.bench.record.path.Credentials;
import dev.sluice.bench.record.path.MeasuredProvider;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import javax.net.ssl.SSLException;

/** A server of HTTP/1.1 over TLS 1.3 on Netty: one event loop on NIO, pooled direct buffers, one page. */
final class NettyHttps implements RunningServer {
    private static final int BACKLOG = 4096;

    private final MultiThreadIoEventLoopGroup group;
    private final Channel listener;
    private final String library;

    private NettyHttps(MultiThreadIoEventLoopGroup group, Channel listener, String library) {
        this.group = group;
        this.listener = listener;
        this.library = library;
    }

    /** Starts it with Netty's handler on a provider's engines. */
    static NettyHttps onJsse(MeasuredProvider provider, Credentials credentials) throws InterruptedException {
        SslContext context = new JdkSslContext(
                provider.context(credentials),
                false,
                List.of(TlsProfile.SUITE),
                IdentityCipherSuiteFilter.INSTANCE,
                null,
                ClientAuth.NONE,
                new String[] {TlsProfile.PROTOCOL},
                false);
        return start(context, provider.library());
    }

    /** Starts it with Netty's own engines over its bundled BoringSSL. */
    static NettyHttps onOpenSsl(Credentials credentials) throws InterruptedException, SSLException {
        OpenSsl.ensureAvailability();
        SslContext context = SslContextBuilder.forServer(
                        credentials.chain().toFile(), credentials.key().toFile())
                .sslProvider(SslProvider.OPENSSL)
                .protocols(TlsProfile.PROTOCOL)
                .ciphers(List.of(TlsProfile.SUITE))
                .build();
        return start(context, OpenSsl.versionString());
    }

    private static NettyHttps start(SslContext context, String library) throws InterruptedException {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        Page page = new Page();
        Channel listener = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel accepted) {
                        accepted.pipeline()
                                .addLast(context.newHandler(accepted.alloc()))
                                .addLast(new HttpServerCodec())
                                .addLast(page);
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
        return new NettyHttps(group, listener, library);
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public String library() {
        return library;
    }

    @Override
    public void close() {
        group.shutdownGracefully().awaitUninterruptibly();
    }

    /** The stateless handler of all connections. Write results are ignored: the load counts the pages. */
    @SuppressWarnings("FutureReturnValueIgnored")
    @Sharable
    private static final class Page extends ChannelInboundHandlerAdapter {
        private final ByteBuf content = Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(HttpPage.CONTENT_BYTES).writeZero(HttpPage.CONTENT_BYTES));

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof LastHttpContent) {
                context.write(response(), context.voidPromise());
            }
            ReferenceCountUtil.release(message);
        }

        private FullHttpResponse response() {
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content.duplicate());
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpPage.CONTENT_TYPE)
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, HttpPage.CONTENT_BYTES);
            return response;
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
