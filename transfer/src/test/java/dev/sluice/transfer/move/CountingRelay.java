package dev.sluice.transfer.move;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A relay of TCP connections that counts the bytes that come back from the server, or those that go there. It resets
 * the connection whose bytes pass one of some counts, or ends all at a last count and each that comes later; or it
 * forwards nothing from then on. Its small buffers keep little that the client may never see.
 */
final class CountingRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 * 1024;

    /** The end of what the relay forwards. */
    private enum End {
        /** All connections are closed, also those that come later. */
        CLOSE,
        /** Nothing is forwarded any more, and nothing is closed. */
        SILENCE
    }

    private enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final InetSocketAddress server;
    private final Direction counted;
    private final Deque<Long> resets;
    private final long limit;
    private final End end;
    private final AtomicLong bytes = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    CountingRelay(InetSocketAddress server) throws IOException {
        this(server, Long.MAX_VALUE);
    }

    /** Creates a relay that ends all connections at a count of bytes. */
    CountingRelay(InetSocketAddress server, long limit) throws IOException {
        this(server, Direction.TO_CLIENT, List.of(), limit, End.CLOSE);
    }

    private CountingRelay(InetSocketAddress server, Direction counted, List<Long> resets, long limit, End end)
            throws IOException {
        this.counted = counted;
        this.server = server;
        this.resets = new ArrayDeque<>(resets);
        this.limit = limit;
        this.end = end;
        start(this::acceptAll);
    }

    /** Creates a relay that resets one connection at each of some counts, ascending. */
    static CountingRelay resettingAt(InetSocketAddress server, Long... counts) throws IOException {
        return new CountingRelay(server, Direction.TO_CLIENT, List.of(counts), Long.MAX_VALUE, End.CLOSE);
    }

    /** Creates a relay that resets one connection at each of some counts of bytes to the server, ascending. */
    static CountingRelay countingToServer(InetSocketAddress server, Long... counts) throws IOException {
        return new CountingRelay(server, Direction.TO_SERVER, List.of(counts), Long.MAX_VALUE, End.CLOSE);
    }

    /** Creates a relay that forwards nothing after a count of bytes, as if the network were gone. */
    static CountingRelay silentAfter(InetSocketAddress server, long limit) throws IOException {
        return new CountingRelay(server, Direction.TO_CLIENT, List.of(), limit, End.SILENCE);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Returns the bytes counted. */
    long bytes() {
        return bytes.get();
    }

    private synchronized void start(Runnable task) {
        threads.add(Thread.ofPlatform().daemon().start(task));
    }

    /** Returns the resets that have not happened. */
    synchronized int resetsLeft() {
        return resets.size();
    }

    private void acceptAll() {
        while (true) {
            Socket client;
            try {
                client = listener.accept();
            } catch (IOException e) {
                // The listener was closed: there are no more connections.
                return;
            }
            try {
                forward(client);
            } catch (IOException e) {
                close(client);
            }
        }
    }

    private void forward(Socket client) throws IOException {
        client.setSendBufferSize(BUFFER_BYTES);
        Socket upstream = new Socket();
        synchronized (this) {
            sockets.add(client);
            sockets.add(upstream);
        }
        upstream.setReceiveBufferSize(BUFFER_BYTES);
        upstream.connect(server);
        start(() -> copy(client, upstream, Direction.TO_SERVER));
        start(() -> copy(upstream, client, Direction.TO_CLIENT));
    }

    private void copy(Socket from, Socket to, Direction direction) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                long total = direction == counted ? bytes.addAndGet(read) : 0;
                if (end == End.SILENCE && bytes.get() > limit) {
                    closed.await();
                    return;
                }
                long over = direction == counted ? total - limit : 0;
                out.write(buffer, 0, (int) Math.max(0, Math.min(read, read - over)));
                if (over > 0) {
                    closeAll();
                    return;
                }
                if (isResetDue(total)) {
                    from.setSoLinger(true, 0);
                    to.setSoLinger(true, 0);
                    close(from);
                    close(to);
                    return;
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            close(from);
            close(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isResetDue(long total) {
        Long next = resets.peek();
        if (next == null || total < next) {
            return false;
        }
        resets.remove();
        return true;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void closeAll() {
        sockets.forEach(CountingRelay::close);
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
        closeAll();
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        Sender.joinAll(all);
    }
}
