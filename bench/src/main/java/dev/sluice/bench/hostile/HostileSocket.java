package dev.sluice.bench.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A TCP connection of a hostile client. A failure is no error: the gateway may end it at any time. */
final class HostileSocket implements AutoCloseable {
    /** Longer than any time limit of the gateway. */
    static final int PATIENCE_MILLIS = 30_000;

    private static final int SCRATCH_BYTES = 16 * 1024;

    private final Socket socket = new Socket();

    /**
     * Connects with a given receive buffer.
     *
     * @param receiveBytes size of the kernel's receive buffer; 0 for its default
     */
    static HostileSocket connect(int port, int receiveBytes) throws IOException {
        HostileSocket hostile = new HostileSocket();
        try {
            if (receiveBytes > 0) {
                hostile.socket.setReceiveBufferSize(receiveBytes);
            }
            hostile.socket.setTcpNoDelay(true);
            hostile.socket.setSoTimeout(PATIENCE_MILLIS);
            hostile.socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            return hostile;
        } catch (IOException e) {
            hostile.close();
            throw e;
        }
    }

    /** Sends bytes in one piece, if the kernel accepts that. */
    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Reads at least one received byte; returns -1 at the end of the stream. */
    int read(byte[] to) throws IOException {
        return socket.getInputStream().read(to);
    }

    /**
     * Reads until the gateway ends the connection in any way.
     *
     * @throws IOException also when it does not in {@value #PATIENCE_MILLIS} ms
     */
    void awaitEnd() throws IOException {
        byte[] scratch = new byte[SCRATCH_BYTES];
        while (read(scratch) >= 0) {
            // Any end is allowed.
        }
    }

    /** Sends FIN and continues to receive. */
    void shutDown() throws IOException {
        socket.shutdownOutput();
    }

    /** Closes with RST. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
