package dev.sluice.transfer.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.memory.Ledger;
import dev.sluice.testkit.NativeBalance;
import io.grpc.CallOptions;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** grpc-java on both sides, over channels. */
@Timeout(120)
class GrpcTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final MethodDescriptor<byte[], byte[]> ECHO = method("echo", MethodDescriptor.MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> SILENT = method("silent", MethodDescriptor.MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> REPEAT =
            method("repeat", MethodDescriptor.MethodType.SERVER_STREAMING);
    private static final MethodDescriptor<byte[], byte[]> CONVERSE =
            method("converse", MethodDescriptor.MethodType.BIDI_STREAMING);
    private static final int REPEATS = 200;

    @RegisterExtension
    final NativeBalance<Map<String, Ledger.Balance>> balance =
            NativeBalance.of(Ledger.process()::balances, Ledger.process()::leaksSince);

    private ChannelServerSocket listening;
    private Server server;
    private ManagedChannel client;

    @BeforeEach
    void open() throws Exception {
        listening = new ChannelServerSocket(ADDRESS);
        server = OkHttpServerBuilder.forPort(ADDRESS, InsecureServerCredentials.create())
                .socketFactory(new Accepting())
                .addService(ServerServiceDefinition.builder("test")
                        .addMethod(ECHO, ServerCalls.asyncUnaryCall(GrpcTest::echo))
                        .addMethod(SILENT, ServerCalls.asyncUnaryCall((request, responses) -> {}))
                        .addMethod(REPEAT, ServerCalls.asyncServerStreamingCall(GrpcTest::repeat))
                        .addMethod(CONVERSE, ServerCalls.asyncBidiStreamingCall(GrpcTest::converse))
                        .build())
                .build()
                .start();
        client = OkHttpChannelBuilder.forAddress("localhost", 1)
                .usePlaintext()
                .socketFactory(new Connecting())
                .build();
    }

    @AfterEach
    void close() throws Exception {
        client.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
        server.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
        listening.close();
    }

    @Test
    void makesUnaryCalls() {
        for (int length : new int[] {0, 1, 512 * 1024, 3 << 20}) {
            byte[] request = random(length);
            assertThat(ClientCalls.blockingUnaryCall(client, ECHO, CallOptions.DEFAULT, request))
                    .isEqualTo(request);
        }
    }

    @Test
    void streamsFromTheServer() {
        byte[] request = random(20_000);
        Iterator<byte[]> responses =
                ClientCalls.blockingServerStreamingCall(client, REPEAT, CallOptions.DEFAULT, request);
        int count = 0;
        while (responses.hasNext()) {
            assertThat(responses.next()).isEqualTo(request);
            count++;
        }
        assertThat(count).isEqualTo(REPEATS);
    }

    @Test
    void streamsInBothDirections() throws Exception {
        BlockingQueue<byte[]> responses = new LinkedBlockingQueue<>();
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        StreamObserver<byte[]> requests = ClientCalls.asyncBidiStreamingCall(
                client.newCall(CONVERSE, CallOptions.DEFAULT), collecting(responses, ends));
        List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            sent.add(random(i * 1000));
            requests.onNext(sent.get(i));
        }
        requests.onCompleted();
        for (byte[] each : sent) {
            assertThat(responses.poll(20, TimeUnit.SECONDS)).isEqualTo(each);
        }
        assertThat(ends.poll(20, TimeUnit.SECONDS)).isEqualTo("completed");
    }

    @Test
    void keepsDeadlinesAndSizeLimits() {
        CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(50, TimeUnit.MILLISECONDS);
        assertStatus(Status.Code.DEADLINE_EXCEEDED, SILENT, soon, 0);
        assertStatus(Status.Code.RESOURCE_EXHAUSTED, ECHO, CallOptions.DEFAULT.withMaxInboundMessageSize(100), 101);
        byte[] request = random(10);
        assertThat(ClientCalls.blockingUnaryCall(client, ECHO, CallOptions.DEFAULT, request))
                .isEqualTo(request);
    }

    private void assertStatus(
            Status.Code code, MethodDescriptor<byte[], byte[]> method, CallOptions options, int length) {
        assertThatThrownBy(() -> ClientCalls.blockingUnaryCall(client, method, options, new byte[length]))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
    }

    // ---- the service

    private static void echo(byte[] request, StreamObserver<byte[]> responses) {
        responses.onNext(request);
        responses.onCompleted();
    }

    private static void repeat(byte[] request, StreamObserver<byte[]> responses) {
        for (int i = 0; i < REPEATS; i++) {
            responses.onNext(request);
        }
        responses.onCompleted();
    }

    private static StreamObserver<byte[]> converse(StreamObserver<byte[]> responses) {
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] request) {
                responses.onNext(request);
            }

            @Override
            public void onError(Throwable failure) {
                responses.onError(failure);
            }

            @Override
            public void onCompleted() {
                responses.onCompleted();
            }
        };
    }

    private static StreamObserver<byte[]> collecting(BlockingQueue<byte[]> responses, BlockingQueue<String> ends) {
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] response) {
                responses.add(response);
            }

            @Override
            public void onError(Throwable failure) {
                ends.add(failure.toString());
            }

            @Override
            public void onCompleted() {
                ends.add("completed");
            }
        };
    }

    // ---- sockets

    /** A factory of the server's socket. */
    private final class Accepting extends ServerSocketFactory {
        @Override
        public ServerSocket createServerSocket() {
            return listening;
        }

        @Override
        public ServerSocket createServerSocket(int port) {
            return listening;
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog) {
            return listening;
        }

        @Override
        public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
            return listening;
        }
    }

    /** A factory of client sockets: each is a channel of its own. */
    private final class Connecting extends SocketFactory {
        @Override
        public Socket createSocket() throws IOException {
            return connect();
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return connect();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress own, int ownPort) throws IOException {
            return connect();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return connect();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress own, int ownPort) throws IOException {
            return connect();
        }

        private Socket connect() throws IOException {
            try {
                Peers peers = Peers.open();
                listening.add(peers.server(), ADDRESS);
                return new ChannelStreamSocket(peers.client(), ADDRESS);
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    // ---- messages

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("test", name))
                .build();
    }

    /** Messages of plain bytes. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
