package dev.sluice.bench.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The plain TCP server behind the gateway: an echo, an endless source, or a server that answers once and closes,
 * selected by the first byte of each connection. Uses a virtual thread per connection. It can fail, and come back.
 */
public final class HostileBackend implements AutoCloseable {
    /** First byte: echo all that follows. */
    public static final byte ECHO = 'e';

    /** First byte: send endlessly. */
    static final byte PUSH = 'p';

    /** First byte: answer once as in HTTP/1.0, and close. */
    static final byte ANSWER = 'a';

    private static final int BACKLOG = 4096;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final byte[] RESPONSE = "HTTP/1.0 200 OK\r\n\r\nbye\n".getBytes(StandardCharsets.US_ASCII);

    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final int port;
    private ServerSocket listener;

    private HostileBackend(ServerSocket listener) {
        this.listener = listener;
        this.port = listener.getLocalPort();
        acceptFrom(listener);
    }

    /** Starts the server on a free port of 127.0.0.1. */
    public static HostileBackend start() {
        return new HostileBackend(listen(0));
    }

    private static ServerSocket listen(int port) {
        try {
            ServerSocket listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            return listener;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Resets all connections, and refuses new ones until {@link #restore()}. */
    public void fail() {
        close();
        for (Socket connection : connections) {
            try (connection) {
                connection.setSoLinger(true, 0);
            } catch (IOException gone) {
                // Its client was faster.
            }
        }
    }

    /** Accepts connections again, at the same port. */
    public void restore() {
        listener = listen(port);
        acceptFrom(listener);
    }

    private void acceptFrom(ServerSocket accepting) {
        Thread.ofPlatform().daemon().name("backend").start(() -> {
            while (!accepting.isClosed()) {
                try {
                    Socket socket = accepting.accept();
                    Thread.ofVirtual().start(() -> serve(socket));
                } catch (IOException closed) {
                    return;
                }
            }
        });
    }

    private void serve(Socket socket) {
        connections.add(socket);
        try (socket) {
            InputStream input = socket.getInputStream();
            OutputStream output = socket.getOutputStream();
            switch (input.read()) {
                case ECHO -> input.transferTo(output);
                case PUSH -> push(output);
                case ANSWER -> output.write(RESPONSE);
                default -> input.transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException gone) {
            // Hostile clients are reset, and so are their connections here.
        } finally {
            connections.remove(socket);
        }
    }

    private static void push(OutputStream output) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        while (true) {
            output.write(piece);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
