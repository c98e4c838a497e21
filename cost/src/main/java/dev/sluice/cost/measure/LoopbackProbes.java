package dev.sluice.cost.measure;

import dev.sluice.cost.figures.CostException;
import dev.sluice.cost.figures.Figure.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * The kernel's costs of TCP over loopback, both ends on one thread: the yardstick that scales the base costs of a
 * gateway, measured on another machine, to this one.
 */
final class LoopbackProbes {
    private static final int MESSAGE_BYTES = 128;
    private static final int BULK_BYTES = 64 * 1024;

    /** Each leaves a port in TIME_WAIT for a minute. */
    private static final int CONNECTIONS_PER_ROUND = 100;

    private LoopbackProbes() {}

    static List<Probe> all(CpuClock clock) {
        return List.of(
                new OperationProbe(
                        "loopback/connection", Unit.MICROSECONDS, new Connection(), clock, CONNECTIONS_PER_ROUND),
                new OperationProbe("loopback/message", Unit.MICROSECONDS, new Transfer(MESSAGE_BYTES), clock),
                new OperationProbe("loopback/64-kib", Unit.MICROSECONDS, new Transfer(BULK_BYTES), clock));
    }

    /** A connection opened, accepted, used for a byte each way, and closed. */
    private static final class Connection implements OperationProbe.Operation {
        private final ServerSocketChannel listener = listen();
        private final ByteBuffer octet = ByteBuffer.allocate(1);

        @Override
        public void run() {
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel server = listener.accept()) {
                pass(client, server);
                pass(server, client);
            } catch (IOException e) {
                throw unavailable(e);
            }
        }

        private void pass(SocketChannel from, SocketChannel to) throws IOException {
            from.write(octet.clear());
            to.read(octet.clear());
        }

        @Override
        public void close() {
            closeQuietly(listener);
        }
    }

    /** Bytes from one end of a connection to the other. */
    private static final class Transfer implements OperationProbe.Operation {
        private final ServerSocketChannel listener = listen();
        private final SocketChannel client;
        private final SocketChannel server;
        private final ByteBuffer buffer;

        Transfer(int bytes) {
            this.buffer = ByteBuffer.allocate(bytes);
            try {
                this.client = SocketChannel.open(listener.getLocalAddress());
                this.server = listener.accept();
                client.configureBlocking(false);
            } catch (IOException e) {
                throw unavailable(e);
            }
        }

        /** Writes in parts: the kernel accepts what fits; the rest follows when that is read. */
        @Override
        public void run() {
            try {
                buffer.clear();
                int missing = buffer.capacity();
                ByteBuffer in = buffer.duplicate();
                while (missing > 0) {
                    client.write(buffer);
                    missing -= server.read(in.clear().limit(missing));
                }
            } catch (IOException e) {
                throw unavailable(e);
            }
        }

        @Override
        public void close() {
            closeQuietly(client);
            closeQuietly(server);
            closeQuietly(listener);
        }
    }

    private static ServerSocketChannel listen() {
        try {
            return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private static CostException unavailable(IOException cause) {
        return new CostException(
                "connections over loopback cannot be measured, cause: " + cause
                        + "; allow this process to listen and connect on 127.0.0.1",
                cause);
    }

    private static void closeQuietly(AutoCloseable channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
