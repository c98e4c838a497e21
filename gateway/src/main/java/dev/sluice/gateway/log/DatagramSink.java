package dev.sluice.gateway.log;

import dev.sluice.ffi.libc.Errno;
import dev.sluice.ffi.libc.LibC;
import dev.sluice.ffi.libc.UnixDatagrams;
import java.util.function.Function;

/** A Unix socket for datagrams. It is connected when there is something to write, and anew after a failure. */
final class DatagramSink implements LogSink {
    private static final int CLOSED = -1;

    private final LibC libc = new LibC();
    private final String path;
    private final Function<LogEntry, byte[]> encoder;
    private int descriptor = CLOSED;
    private int failed;

    /**
     * Creates a sink.
     *
     * @param encoder returns the datagram of an entry
     */
    DatagramSink(String path, Function<LogEntry, byte[]> encoder) {
        this.path = path;
        this.encoder = encoder;
    }

    @Override
    public Outcome write(LogEntry entry) {
        int result = connect();
        if (result >= 0) {
            result = UnixDatagrams.send(libc, descriptor, encoder.apply(entry));
        }
        if (result >= 0) {
            return Outcome.TAKEN;
        }
        failed = -result;
        return switch (failed) {
            case Errno.EAGAIN, Errno.EINTR -> Outcome.BUSY;
            case Errno.EMSGSIZE -> Outcome.REFUSED;
            default -> {
                disconnect();
                yield Outcome.UNREACHABLE;
            }
        };
    }

    private int connect() {
        if (descriptor == CLOSED) {
            int connected = UnixDatagrams.connect(libc, path);
            if (connected < 0) {
                return connected;
            }
            descriptor = connected;
        }
        return 0;
    }

    private void disconnect() {
        if (descriptor != CLOSED) {
            libc.close(descriptor);
            descriptor = CLOSED;
        }
    }

    @Override
    public String problem() {
        return path + ": " + Errno.describe(failed);
    }

    @Override
    public void close() {
        disconnect();
        libc.close();
    }
}
