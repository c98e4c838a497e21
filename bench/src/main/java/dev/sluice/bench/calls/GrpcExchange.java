package dev.sluice.bench.calls;

import dev.sluice.bench.harness.BenchException;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;

/** The method that both sides of gRPC use, and the settings that they share. Messages are bytes. */
final class GrpcExchange {
    static final String SERVICE = "calls";

    /** HTTP/2's default of 64 KiB would stop a message of 512 KiB several times. */
    static final int WINDOW_BYTES = 8 << 20;

    static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "exchange"))
            .build();

    private GrpcExchange() {}

    /** Returns the name and version of the library. */
    static String library() {
        return "grpc-java " + MethodDescriptor.class.getPackage().getImplementationVersion();
    }

    /** Compares a message. */
    static void check(Payload payload, byte[] message, int length) {
        if (message.length != length) {
            throw new BenchException("received a message of " + message.length + " bytes instead of " + length);
        }
        payload.check(MemorySegment.ofArray(message), 0, length, 0);
    }

    /** The encoding of messages: none. */
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
                throw new BenchException("no message: " + e.getMessage(), e);
            }
        }
    }
}
