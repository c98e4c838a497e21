package dev.sluice.bench.calls;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/** The client of unary calls by grpc-java. */
final class GrpcClient implements CallClient {
    private static final long CLOSE_SECONDS_MAX = 20;

    private final CallShape shape;
    private final Payload payload;
    private final byte[] request;
    private final ManagedChannel channel;
    private volatile @Nullable Throwable failure;

    /**
     * Creates a client, which connects at its first call.
     *
     * @param sockets protect the bytes
     */
    GrpcClient(CallShape shape, int port, SocketFactory sockets) {
        this.shape = shape;
        this.payload = Payload.of(shape);
        this.request = Arrays.copyOf(payload.bytes().toArray(ValueLayout.JAVA_BYTE), shape.requestBytes());
        this.channel = OkHttpChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .socketFactory(sockets)
                .flowControlWindow(GrpcExchange.WINDOW_BYTES)
                .directExecutor()
                .build();
    }

    @Override
    public void run(int count) throws IOException {
        if (shape.depth() > 1) {
            pipeline(count);
            return;
        }
        for (int i = 0; i < count; i++) {
            check(ClientCalls.blockingUnaryCall(channel, GrpcExchange.METHOD, CallOptions.DEFAULT, request));
        }
    }

    private void pipeline(int count) throws IOException {
        Semaphore window = new Semaphore(shape.depth());
        StreamObserver<byte[]> responses = new Responses(window);
        for (int i = 0; i < count; i++) {
            window.acquireUninterruptibly();
            ClientCalls.asyncUnaryCall(channel.newCall(GrpcExchange.METHOD, CallOptions.DEFAULT), request, responses);
        }
        window.acquireUninterruptibly(shape.depth());
        Throwable failed = failure;
        if (failed != null) {
            throw new IOException("a call failed: " + failed, failed);
        }
    }

    private void check(byte[] response) {
        GrpcExchange.check(payload, response, shape.responseBytes());
    }

    /** The responses of calls in flight. */
    private final class Responses implements StreamObserver<byte[]> {
        private final Semaphore window;

        Responses(Semaphore window) {
            this.window = window;
        }

        @Override
        public void onNext(byte[] response) {
            check(response);
        }

        @Override
        public void onError(Throwable cause) {
            failure = cause;
            window.release();
        }

        @Override
        public void onCompleted() {
            window.release();
        }
    }

    @Override
    public void close() {
        try {
            channel.shutdown().awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
