package dev.sluice.bench.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * The plain TCP server behind the gateway: an echo, an endless source, or a server that answers once and closes,
 * selected by the first byte of each connection. Uses a virtual thread per connection.
 */
final class HostileBackend implements AutoCloseable {
    /** First byte: echo all that follows. */
    static final byte ECHO = 'e';

    /** First byte: send endlessly. */
    static final byte PUSH = 'p';

    /** First byte: answer once as in HTTP/1.0, and close. */
    static final byte ANSWER = 'a';

    private static final int BACKLOG = 4096;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final byte[] RESPONSE = "HTTP/1.0 200 OK\r\n\r\nbye\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;

    private HostileBackend(ServerSocket listener) {
        this.listener = listener;
    }

    /** Starts the server on a free port of 127.0.0.1. */
    static HostileBackend start() {
        try {
            HostileBackend backend = new HostileBackend(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
            Thread.ofPlatform().daemon().name("backend").start(backend::acceptAll);
            return backend;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the port on 127.0.0.1. */
    int port() {
        return listener.getLocalPort();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void serve(Socket socket) {
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
