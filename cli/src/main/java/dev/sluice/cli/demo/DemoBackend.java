package dev.sluice.cli.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;

/**
 * A small HTTP/1.1 server on the loopback address for trying the gateway out. It expects a PROXY protocol header on
 * every connection and shows what it says: TLS version, cipher, group, server name and so on.
 *
 * <table>
 * <caption>What it answers</caption>
 * <tr><td>{@code GET /}</td><td>a page for people</td></tr>
 * <tr><td>{@code GET /json}</td><td>the same for programs</td></tr>
 * <tr><td>{@code GET /bytes/N}</td><td>N bytes, always the same, N at most {@value #DOWNLOAD_BYTES_MAX}</td></tr>
 * <tr><td>{@code GET /bytes/N/sha256}</td><td>their SHA-256 in hexadecimal</td></tr>
 * <tr><td>{@code POST /sha256}</td><td>the SHA-256 of the request's body in hexadecimal</td></tr>
 * </table>
 *
 * <p>Not meant to be reached from elsewhere: it listens on 127.0.0.1 at a port that the kernel chooses. Thread-safe.
 */
final class DemoBackend implements AutoCloseable {
    /** Most bytes that one download may have: 64 GiB. */
    public static final long DOWNLOAD_BYTES_MAX = 64L << 30;

    private static final int BACKLOG = 4096;
    private static final long ACCEPT_PAUSE_NANOS = 50_000_000;

    private final ServerSocket listener;
    private final ExecutorService threads;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private DemoBackend(ServerSocket listener, ExecutorService threads) {
        this.listener = listener;
        this.threads = threads;
    }

    /**
     * Starts listening, with a virtual thread per connection.
     *
     * @throws IOException when there is no free port or descriptor
     */
    static DemoBackend start() throws IOException {
        return start(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("demo-connection").factory()));
    }

    /**
     * Starts listening.
     *
     * @param threads serve a connection each; shut down with the backend, also when this fails
     * @throws IOException when there is no free port or descriptor
     */
    static DemoBackend start(ExecutorService threads) throws IOException {
        DemoBackend backend;
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            backend = new DemoBackend(new ServerSocket(0, BACKLOG, loopback), threads);
        } catch (IOException e) {
            threads.shutdown();
            throw e;
        }
        Thread.ofPlatform().name("demo-accept").daemon().start(backend::acceptAll);
        return backend;
    }

    /** Returns the address that it listens on. */
    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Stops listening and closes all connections; their threads end soon after. */
    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdown();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                accepted(listener.accept());
            } catch (IOException closedOrOutOfDescriptors) {
                pause();
            }
        }
    }

    private void accepted(Socket socket) throws IOException {
        open.add(socket);
        try {
            threads.execute(() -> serve(socket));
        } catch (RejectedExecutionException closedMeanwhile) {
            open.remove(socket);
            socket.close();
        }
    }

    /** Out of descriptors, most likely: they come back when connections end. */
    private static void pause() {
        LockSupport.parkNanos(ACCEPT_PAUSE_NANOS);
    }

    private void serve(Socket socket) {
        try (socket) {
            new DemoConnection(socket).serve();
        } catch (IOException gone) {
            // The client went away or sent what is no HTTP: the gateway has counted it, nobody is left to tell.
        } finally {
            open.remove(socket);
        }
    }
}
