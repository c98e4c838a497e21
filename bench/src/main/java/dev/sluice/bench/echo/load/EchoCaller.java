package dev.sluice.bench.echo.load;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.TcpConnection;
import java.lang.foreign.MemorySegment;

/** One connection of the load: sends a message, compares the echo, sends the next. Confined to the loop's thread. */
final class EchoCaller implements ConnectionHandler {
    private final EchoLoad load;
    private final TcpConnection connection;
    private final int number;
    private final int messageBytes;
    private long sent;
    /** The position of the message in flight in the pattern. */
    private int start;
    /** The bytes of the message in flight that have returned. */
    private int returned;

    EchoCaller(EchoLoad load, TcpConnection connection, int number, int messageBytes) {
        this.load = load;
        this.connection = connection;
        this.number = number;
        this.messageBytes = messageBytes;
    }

    /** Starts receiving and sends the first message. */
    void begin() {
        connection.handler(this);
        connection.startReceiving();
        call();
    }

    /** Sends the next message. */
    void call() {
        start = load.pattern().start(number, sent);
        sent++;
        returned = 0;
        for (int done = 0; done < messageBytes; ) {
            int length = Math.min(messageBytes - done, BufferGeometry.PAYLOAD);
            connection.send(filled(start + done, length));
            done += length;
        }
    }

    void abort() {
        connection.abort();
    }

    private Slab filled(int from, int length) {
        Slab slab = load.loop().buffers().lease();
        if (slab == null) {
            throw new IllegalStateException("no free send buffer; use fewer connections or smaller messages");
        }
        slab.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + length);
        RawMemory.copy(load.pattern().bytes().address() + from, slab.payloadAddress(), length);
        return slab;
    }

    @Override
    public void onReceived(Connection from, Slab buffer) {
        int count = buffer.length();
        boolean exact = count <= messageBytes - returned && isNext(buffer, count);
        buffer.release();
        if (!exact) {
            load.breakOff(
                    "echo differs from the message, message=" + sent + ", at byte=" + returned + ", count=" + count);
            return;
        }
        returned += count;
        if (returned == messageBytes && load.onEchoed()) {
            call();
        }
    }

    private boolean isNext(Slab buffer, int count) {
        long begin = buffer.start();
        long expected = (long) start + returned;
        return MemorySegment.mismatch(
                        buffer.segment(), begin, begin + count, load.pattern().bytes(), expected, expected + count)
                < 0;
    }

    @Override
    public void onEndOfStream(Connection ended) {
        connection.abort();
    }

    @Override
    public void onSent(Connection to) {}

    @Override
    public void onFailed(Connection broken, ConnectionFailure failure) {
        load.breakOff("a connection broke: " + failure.message());
    }

    @Override
    public void onClosed(Connection closed) {
        load.onClosed(this);
    }
}
