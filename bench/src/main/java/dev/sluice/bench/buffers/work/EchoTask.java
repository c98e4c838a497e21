package dev.sluice.bench.buffers.work;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * The published application without its framework: texts of 256 to 1,023 random bytes over loopback, each answered by
 * {@code "ack: "} and the text. Both sides copy each payload that arrives to a buffer of its own, which they leave to
 * the collector.
 */
final class EchoTask implements MeasuredTask {
    private static final String ACKNOWLEDGED = "ack: ";
    private static final int LEAST_BYTES = 256;
    private static final int MOST_BYTES = 1024;

    private final SplittableRandom random = new SplittableRandom(1);
    private final IntFunction<ByteBuffer> payloads;
    private final Thread server;
    private final TextChannel client;

    /**
     * Connects to a server of its own.
     *
     * @param payloads allocates the buffer of a payload
     */
    EchoTask(IntFunction<ByteBuffer> payloads) throws IOException {
        this.payloads = payloads;
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            this.client = new TextChannel(SocketChannel.open(listener.getLocalAddress()));
            TextChannel accepted = new TextChannel(listener.accept());
            this.server = Thread.ofPlatform().name("echo").daemon().start(() -> serve(accepted));
        }
    }

    @Override
    public void run(int times) throws IOException {
        for (int i = times; i > 0; i--) {
            byte[] bytes = new byte[random.nextInt(LEAST_BYTES, MOST_BYTES)];
            random.nextBytes(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            client.send(text);
            if (!client.receive().equals(ACKNOWLEDGED + text)) {
                throw new IllegalStateException("the answer is not the text that was sent");
            }
        }
    }

    private void serve(TextChannel channel) {
        try (channel) {
            while (true) {
                channel.send(ACKNOWLEDGED + channel.receive());
            }
        } catch (IOException e) {
            // The client has closed its end.
        }
    }

    @Override
    public void end() throws IOException, InterruptedException {
        client.close();
        server.join();
    }

    /** Texts behind their length, over buffers that are kept. */
    private final class TextChannel implements AutoCloseable {
        private static final int FRAME_BYTES_MAX = 8 * MOST_BYTES;

        private final SocketChannel channel;
        private final ByteBuffer input =
                ByteBuffer.allocateDirect(FRAME_BYTES_MAX).flip();
        private final ByteBuffer output = ByteBuffer.allocateDirect(FRAME_BYTES_MAX);

        TextChannel(SocketChannel channel) {
            this.channel = channel;
        }

        void send(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            output.clear().putInt(bytes.length).put(bytes).flip();
            while (output.hasRemaining()) {
                channel.write(output);
            }
        }

        String receive() throws IOException {
            await(Integer.BYTES);
            int length = input.getInt();
            await(length);
            ByteBuffer payload = payloads.apply(length);
            payload.put(input.slice(input.position(), length)).flip();
            input.position(input.position() + length);
            return StandardCharsets.UTF_8.decode(payload).toString();
        }

        private void await(int bytes) throws IOException {
            while (input.remaining() < bytes) {
                input.compact();
                int read = channel.read(input);
                input.flip();
                if (read < 0) {
                    throw new IOException("the other end is closed");
                }
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
