package dev.sluice.bench.transfer.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A relay of TCP connections on loopback that forwards every byte some time after it came, like a long line without
 * losses. The line holds up to {@link #LINE_BYTES} in each direction; beyond that, the sender waits.
 */
final class DelayRelay implements AutoCloseable {
    private static final int LINE_BYTES = 320 << 20;
    private static final int CALL_BYTES = 256 << 10;

    private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final InetSocketAddress server;
    private final long delayNanos;
    private final List<Socket> sockets = new ArrayList<>();

    /**
     * Starts a relay.
     *
     * @param port of the server on 127.0.0.1
     * @param delayNanos the time that a byte takes in one direction
     */
    DelayRelay(int port, long delayNanos) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.delayNanos = delayNanos;
        start(this::acceptAll);
    }

    int port() {
        return listener.getLocalPort();
    }

    private static void start(Runnable task) {
        Thread.ofPlatform().daemon().name("delay").start(task);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket upstream = new Socket();
                upstream.connect(server);
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                synchronized (this) {
                    sockets.add(client);
                    sockets.add(upstream);
                }
                join(client, upstream);
                join(upstream, client);
            }
        } catch (IOException e) {
            // The listener was closed: there are no more connections.
            return;
        }
    }

    private void join(Socket from, Socket to) throws IOException {
        Line line = new Line(from.getInputStream(), to.getOutputStream());
        start(line::read);
        start(() -> {
            line.write();
            closeQuietly(from, to);
        });
    }

    /** Ends a connection when its line has delivered the end of one direction: the other side has nothing to say. */
    private static void closeQuietly(Socket from, Socket to) {
        try {
            to.shutdownOutput();
            if (from.isOutputShutdown()) {
                from.close();
                to.close();
            }
        } catch (IOException e) {
            // It was closed already.
            return;
        }
    }

    /** One direction of a connection. */
    private final class Line {
        /** Bytes on their way, with the time at which they arrive. */
        private static final class Piece {
            private final byte[] bytes;
            private final long due;

            Piece(byte[] bytes, long due) {
                this.bytes = bytes;
                this.due = due;
            }
        }

        private final InputStream in;
        private final OutputStream out;
        private final Deque<Piece> pieces = new ArrayDeque<>();
        private long onTheWay;
        private boolean ended;

        Line(InputStream in, OutputStream out) {
            this.in = in;
            this.out = out;
        }

        void read() {
            byte[] buffer = new byte[CALL_BYTES];
            try {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    byte[] copy = Arrays.copyOf(buffer, count);
                    put(new Piece(copy, System.nanoTime() + delayNanos));
                }
            } catch (IOException | InterruptedException e) {
                // The connection has ended.
                end();
                return;
            }
            end();
        }

        void write() {
            try {
                for (Piece piece = take(); piece != null; piece = take()) {
                    for (long left = piece.due - System.nanoTime(); left > 0; left = piece.due - System.nanoTime()) {
                        LockSupport.parkNanos(left);
                    }
                    out.write(piece.bytes);
                }
            } catch (IOException | InterruptedException e) {
                // The connection has ended.
                return;
            }
        }

        private synchronized void put(Piece piece) throws InterruptedException {
            while (onTheWay > LINE_BYTES) {
                wait();
            }
            pieces.add(piece);
            onTheWay += piece.bytes.length;
            notifyAll();
        }

        private synchronized @Nullable Piece take() throws InterruptedException {
            while (pieces.isEmpty() && !ended) {
                wait();
            }
            Piece piece = pieces.poll();
            if (piece != null) {
                onTheWay -= piece.bytes.length;
                notifyAll();
            }
            return piece;
        }

        private synchronized void end() {
            ended = true;
            notifyAll();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        synchronized (this) {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
