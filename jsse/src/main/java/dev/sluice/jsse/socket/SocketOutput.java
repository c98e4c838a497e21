package dev.sluice.jsse.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The plaintext that a socket sends: each write leaves as one or more records before it returns. */
final class SocketOutput extends OutputStream {
    private final EngineSocket socket;
    private final SocketConnection connection;

    SocketOutput(EngineSocket socket, SocketConnection connection) {
        this.socket = socket;
        this.connection = connection;
    }

    @Override
    public void write(int value) throws IOException {
        connection.write(value);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length > 0) {
            connection.write(source, offset, length);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
