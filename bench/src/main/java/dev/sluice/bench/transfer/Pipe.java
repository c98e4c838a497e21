package dev.sluice.bench.transfer;

import java.io.IOException;

/** One way to carry a block from one thread to another over a socket. One thread sends, one receives. */
interface Pipe extends AutoCloseable {
    /** The bytes of one system call: the same for all pipes that choose it. */
    int CALL_BYTES = 256 * 1024;

    /** Sends the block once. */
    void send() throws IOException;

    /** Receives at least one byte; everything received goes through the check. */
    void receive(BlockCheck check) throws IOException;

    @Override
    void close() throws IOException;
}
