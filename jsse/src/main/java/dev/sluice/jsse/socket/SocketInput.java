package dev.sluice.jsse.socket;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The plaintext that a socket receives. */
final class SocketInput extends InputStream {
    private final EngineSocket socket;
    private final SocketConnection connection;

    SocketInput(EngineSocket socket, SocketConnection connection) {
        this.socket = socket;
        this.connection = connection;
    }

    @Override
    public int read() throws IOException {
        return connection.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        return length == 0 ? 0 : connection.read(target, offset, length);
    }

    @Override
    public int available() {
        return connection.available();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
