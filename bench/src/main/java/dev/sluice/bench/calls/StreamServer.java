package dev.sluice.bench.calls;

import java.io.IOException;

/** Responses of a fixed length to requests of a fixed length, and nothing around them. */
final class StreamServer implements CallServer {
    private final CallShape shape;
    private final int port;
    private final Acceptor acceptor;

    /** The source of the connection. */
    interface Acceptor {
        StreamEnd accept() throws IOException;
    }

    StreamServer(CallShape shape, int port, Acceptor acceptor) {
        this.shape = shape;
        this.port = port;
        this.acceptor = acceptor;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void serve() throws IOException {
        try (StreamEnd end = acceptor.accept()) {
            while (end.receive(shape.requestBytes())) {
                end.send(shape.responseBytes());
            }
        }
    }
}
