package dev.sluice.bench.calls;

import io.grpc.Attributes;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerTransportFilter;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;

/** The server of unary calls by grpc-java, for one connection. */
final class GrpcServer implements CallServer {
    private static final long CLOSE_SECONDS_MAX = 20;

    private final CallShape shape;
    private final Payload payload;
    private final byte[] response;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Server server;

    /**
     * Starts a server.
     *
     * @param sockets protect the bytes
     */
    GrpcServer(CallShape shape, InetSocketAddress address, ServerSocketFactory sockets) throws IOException {
        this.shape = shape;
        this.payload = Payload.of(shape);
        this.response = Arrays.copyOf(payload.bytes().toArray(ValueLayout.JAVA_BYTE), shape.responseBytes());
        this.server = OkHttpServerBuilder.forPort(address, InsecureServerCredentials.create())
                .socketFactory(sockets)
                .flowControlWindow(GrpcExchange.WINDOW_BYTES)
                .directExecutor()
                .addTransportFilter(new End())
                .addService(ServerServiceDefinition.builder(GrpcExchange.SERVICE)
                        .addMethod(GrpcExchange.METHOD, ServerCalls.asyncUnaryCall(this::respond))
                        .build())
                .build()
                .start();
    }

    private void respond(byte[] request, StreamObserver<byte[]> responses) {
        GrpcExchange.check(payload, request, shape.requestBytes());
        responses.onNext(response);
        responses.onCompleted();
    }

    @Override
    public int port() {
        return server.getPort();
    }

    @Override
    public void serve() {
        try {
            ended.await();
            server.shutdown().awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The end of the connection. */
    private final class End extends ServerTransportFilter {
        @Override
        public void transportTerminated(Attributes transport) {
            ended.countDown();
        }
    }
}
