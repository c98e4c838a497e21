package dev.sluice.doctor.probe;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A socket's input until a deadline, after which it throws {@link SocketTimeoutException}: a server that drips bytes
 * gains no time.
 */
final class DeadlineStream extends InputStream {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Socket socket;
    private final long deadline;

    /**
     * Creates an instance.
     *
     * @param time time until the deadline
     */
    DeadlineStream(Socket socket, Duration time) {
        this.socket = socket;
        this.deadline = System.nanoTime() + time.toNanos();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        long millis = (deadline - System.nanoTime()) / NANOS_PER_MILLI;
        if (millis <= 0) {
            throw new SocketTimeoutException("deadline exceeded");
        }
        socket.setSoTimeout(Math.toIntExact(millis));
        return socket.getInputStream().read(to, offset, length);
    }
}
