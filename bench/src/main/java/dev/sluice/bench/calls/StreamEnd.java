package dev.sluice.bench.calls;

import java.io.IOException;

/** One end of a connection. One thread sends while another one receives. */
interface StreamEnd extends AutoCloseable {
    /** Sends as many bytes of the payload. */
    void send(int length) throws IOException;

    /** Receives as many bytes and compares them; returns false at the end of the stream. */
    boolean receive(int length) throws IOException;

    @Override
    void close() throws IOException;
}
