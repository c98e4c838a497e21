package dev.sluice.transfer.move;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A relay of TCP connections that counts the bytes that come back from the server, and ends all connections when they
 * reach a limit. Its small buffers keep little that the client may never see.
 */
final class CountingRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 128 * 1024;

    private final ServerSocket listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final InetSocketAddress server;
    private final long limit;
    private final AtomicLong bytes = new AtomicLong();
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    CountingRelay(InetSocketAddress server) throws IOException {
        this(server, Long.MAX_VALUE);
    }

    CountingRelay(InetSocketAddress server, long limit) throws IOException {
        this.server = server;
        this.limit = limit;
        start(this::acceptAll);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Returns the bytes forwarded from the server to its clients. */
    long bytes() {
        return bytes.get();
    }

    private synchronized void start(Runnable task) {
        threads.add(Thread.ofPlatform().daemon().start(task));
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket client = listener.accept();
                client.setSendBufferSize(BUFFER_BYTES);
                Socket upstream = new Socket();
                upstream.setReceiveBufferSize(BUFFER_BYTES);
                upstream.connect(server);
                synchronized (this) {
                    sockets.add(client);
                    sockets.add(upstream);
                }
                start(() -> copy(client, upstream, new AtomicLong(), Long.MAX_VALUE));
                start(() -> copy(upstream, client, bytes, limit));
            }
        } catch (IOException e) {
            // The listener was closed: there are no more connections.
            return;
        }
    }

    private void copy(Socket from, Socket to, AtomicLong count, long most) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                long over = count.addAndGet(read) - most;
                out.write(buffer, 0, (int) Math.max(0, Math.min(read, read - over)));
                if (over > 0) {
                    closeAll();
                    return;
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            closeAll();
        }
    }

    private synchronized void closeAll() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeAll();
        List<Thread> all;
        synchronized (this) {
            all = List.copyOf(threads);
        }
        Sender.joinAll(all);
    }
}
