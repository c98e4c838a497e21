package dev.sluice.testkit;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Somebody on the way between one TLS client and a server, who records all that the client sends, and may hold back what comes
 * behind its first records. Thread-safe; on platform threads, which leave no descriptors behind.
 */
public final class FlightRecorder implements AutoCloseable {
    private static final int HEADER_BYTES = 5;

    private final ServerSocket listener;
    private final int serverPort;
    private final int recordsAtOnce;
    private final CountDownLatch released = new CountDownLatch(1);
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    private final List<Socket> open = new ArrayList<>();
    private volatile boolean closed;

    private FlightRecorder(ServerSocket listener, int serverPort, int recordsAtOnce) {
        this.listener = listener;
        this.serverPort = serverPort;
        this.recordsAtOnce = recordsAtOnce;
    }

    /** Stands before a server on 127.0.0.1 and lets everything pass. */
    public static FlightRecorder before(int serverPort) {
        return holdingAfter(Integer.MAX_VALUE, serverPort);
    }

    /**
     * The same, but what comes behind so many of the client's records waits for {@link #release}. A client with early data
     * sends its ClientHello, a ChangeCipherSpec, and its early data, before it hears of the server.
     */
    public static FlightRecorder holdingAfter(int records, int serverPort) {
        try {
            FlightRecorder recorder =
                    new FlightRecorder(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()), serverPort, records);
            start("recorder", recorder::serve);
            return recorder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the client connects to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Lets what was held back pass. */
    public void release() {
        released.countDown();
    }

    /** All that the client has sent so far. */
    public byte[] recorded() {
        synchronized (recorded) {
            return recorded.toByteArray();
        }
    }

    private void serve() throws IOException {
        Socket client = remembered(listener.accept());
        Socket server = remembered(new Socket(InetAddress.getLoopbackAddress(), serverPort));
        start("to the client", () -> {
            server.getInputStream().transferTo(client.getOutputStream());
            client.shutdownOutput();
        });
        passRecords(client.getInputStream(), server.getOutputStream());
        server.shutdownOutput();
    }

    private void passRecords(InputStream from, OutputStream to) throws IOException {
        DataInputStream input = new DataInputStream(from);
        byte[] header = new byte[HEADER_BYTES];
        for (int records = 0; input.readNBytes(header, 0, HEADER_BYTES) == HEADER_BYTES; records++) {
            byte[] body = input.readNBytes(((header[3] & 0xFF) << 8) | (header[4] & 0xFF));
            synchronized (recorded) {
                recorded.writeBytes(header);
                recorded.writeBytes(body);
            }
            if (records >= recordsAtOnce) {
                awaitRelease();
            }
            to.write(header);
            to.write(body);
        }
    }

    private void awaitRelease() throws IOException {
        try {
            released.await();
            if (closed) {
                throw new IOException("closed");
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private Socket remembered(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        synchronized (open) {
            open.add(socket);
        }
        return socket;
    }

    /** What a thread does. */
    private interface Task {
        void run() throws IOException;
    }

    private static void start(String name, Task task) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                task.run();
            } catch (IOException gone) {
                // One side is gone: the other hears it by its own connection.
            }
        });
    }

    /** Ends both connections; what is held back is lost. */
    @Override
    public void close() {
        closed = true;
        release();
        try {
            listener.close();
            synchronized (open) {
                for (Socket socket : open) {
                    socket.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
