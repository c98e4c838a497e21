package dev.sluice.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that takes the gateway's plaintext. On platform threads: virtual ones make the JDK open descriptors that it
 * keeps, which would look like leaks.
 */
public final class TestBackend implements AutoCloseable {
    private final ServerSocket listener;
    private final Conversation conversation;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The handling of each connection, which is closed afterwards. */
    public interface Conversation {
        void with(Socket socket) throws Exception;
    }

    private TestBackend(ServerSocket listener, Conversation conversation) {
        this.listener = listener;
        this.conversation = conversation;
    }

    public static TestBackend serving(Conversation conversation) {
        return servingAt(0, conversation);
    }

    /** At a port that another one had before. */
    static TestBackend servingAt(int port, Conversation conversation) {
        try {
            return servingAt(new ServerSocket(port, 100, InetAddress.getLoopbackAddress()), conversation);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Serves at a socket that listens, such as one that speaks TLS. */
    static TestBackend servingAt(ServerSocket listener, Conversation conversation) {
        TestBackend backend = new TestBackend(listener, conversation);
        Thread.ofPlatform().daemon().name("backend-accept").start(backend::acceptAll);
        return backend;
    }

    /** Sends back what comes, and ends when the other side does. */
    public static TestBackend echoing() {
        return serving(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
    }

    /** Sends a text, and ends. */
    public static TestBackend saying(String text) {
        return serving(socket -> {
            socket.getOutputStream().write(text.getBytes(UTF_8));
            socket.shutdownOutput();
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        });
    }

    /** Reads the head of an HTTP request. */
    public static String head(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new EOFException("in a head: " + head);
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /** Stops listening; what is open goes on. */
    void stopListening() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Connections that are open now. */
    int open() {
        return open.size();
    }

    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                if (closed) {
                    socket.close(); // close() may not have seen it
                }
                Thread.ofPlatform().daemon().name("backend").start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            conversation.with(socket);
        } catch (Exception gone) {
            // Peers in these tests break connections on purpose; what matters is asserted at the other end.
        } finally {
            open.remove(socket);
        }
    }
}
