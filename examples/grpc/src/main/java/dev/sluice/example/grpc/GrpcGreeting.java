package dev.sluice.example.grpc;

import dev.sluice.jsse.SluiceProvider;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.File;

/** A gRPC server on Netty and one call to it: {@code java -jar grpc.jar CHAIN.pem KEY.pem ROOT.pem}. */
public final class GrpcGreeting {
    private static final MethodDescriptor<String, String> GREET = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodType.UNARY)
            .setFullMethodName("example.Greeter/Greet")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private GrpcGreeting() {}

    /** Prints the answer to a call. */
    public static void main(String[] arguments) throws Exception {
        SluiceProvider sluice = new SluiceProvider();
        SslContext serverTls = GrpcSslContexts.configure(
                        SslContextBuilder.forServer(new File(arguments[0]), new File(arguments[1])), SslProvider.JDK)
                .sslContextProvider(sluice) // after configure, which names the JDK's
                .build();
        SslContext clientTls = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                .sslContextProvider(sluice)
                .trustManager(new File(arguments[2]))
                .build();

        Server server = NettyServerBuilder.forPort(0)
                .sslContext(serverTls)
                .addService(ServerServiceDefinition.builder("example.Greeter")
                        .addMethod(GREET, ServerCalls.asyncUnaryCall((name, answer) -> {
                            answer.onNext("Hello, " + name);
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
        ManagedChannel channel = NettyChannelBuilder.forAddress("localhost", server.getPort())
                .sslContext(clientTls)
                .build();
        System.out.println(ClientCalls.blockingUnaryCall(channel, GREET, CallOptions.DEFAULT, "gRPC"));
        channel.shutdown();
        server.shutdown();
    }
}
