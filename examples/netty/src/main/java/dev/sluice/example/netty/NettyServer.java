package dev.sluice.example.netty;

import dev.sluice.jsse.SluiceProvider;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** An HTTPS server on Netty: {@code java -jar netty.jar CHAIN.pem KEY.pem}. */
public final class NettyServer {
    private static final int BODY_BYTES_MAX = 1024 * 1024;

    private NettyServer() {}

    /** Serves until the process ends. */
    public static void main(String[] arguments) throws Exception {
        SslContext tls = SslContextBuilder.forServer(new File(arguments[0]), new File(arguments[1]))
                .sslProvider(SslProvider.JDK)
                .sslContextProvider(new SluiceProvider())
                .build();

        Channel server = new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory()))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(tls.newHandler(channel.alloc()))
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(BODY_BYTES_MAX))
                                .addLast(new Greeting());
                    }
                })
                .bind("localhost", 0)
                .sync()
                .channel();
        System.out.println("https://localhost:" + ((InetSocketAddress) server.localAddress()).getPort() + "/");
        server.closeFuture().sync();
    }

    /** The same answer to each request. */
    private static final class Greeting extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            ByteBuf body = Unpooled.copiedBuffer("Hello from Netty\n", StandardCharsets.UTF_8);
            HttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            response.headers()
                    .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_PLAIN)
                    .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }
    }
}
