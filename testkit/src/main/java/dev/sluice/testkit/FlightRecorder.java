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
 * A proxy between one TLS client and a server that records all bytes of the client, and may delay those after its first
 * records. Thread-safe; uses platform threads, which leave no descriptors behind.
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

    /** Creates a proxy to a server on 127.0.0.1 that passes everything. */
    public static FlightRecorder before(int serverPort) {
        return holdingAfter(Integer.MAX_VALUE, serverPort);
    }

    /**
     * Creates a proxy that delays everything after so many records of the client until {@link #release}. A client with
     * early data sends its ClientHello, a ChangeCipherSpec and its early data before the server's answer.
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

    /** Returns the port for the client. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Passes the delayed bytes. */
    public void release() {
        released.countDown();
    }

    /** Returns all bytes sent by the client so far. */
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

    /** The work of a thread. */
    private interface Task {
        void run() throws IOException;
    }

    private static void start(String name, Task task) {
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                task.run();
            } catch (IOException gone) {
                // One side is gone: the other learns it from its own connection.
            }
        });
    }

    /** Ends both connections; delayed bytes are lost. */
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
