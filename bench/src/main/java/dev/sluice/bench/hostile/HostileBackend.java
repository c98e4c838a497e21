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
 * The plain TCP server behind the gateway: an echo, a source without end, or a server that answers once and closes, as
 * the first byte of each connection asks. A virtual thread for each.
 */
final class HostileBackend implements AutoCloseable {
    /** First byte: sends back all that follows. */
    static final byte ECHO = 'e';

    /** First byte: sends without end. */
    static final byte PUSH = 'p';

    /** First byte: answers as HTTP/1.0 does, and closes. */
    static final byte ANSWER = 'a';

    private static final int BACKLOG = 4096;
    private static final int PIECE_BYTES = 64 * 1024;
    private static final byte[] RESPONSE = "HTTP/1.0 200 OK\r\n\r\nbye\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener;

    private HostileBackend(ServerSocket listener) {
        this.listener = listener;
    }

    /** Listens on a free port of 127.0.0.1 and serves. */
    static HostileBackend start() {
        try {
            HostileBackend backend = new HostileBackend(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
            Thread.ofPlatform().daemon().name("backend").start(backend::acceptAll);
            return backend;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port on 127.0.0.1. */
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
            // Hostile clients are reset, and their connections here as well.
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
