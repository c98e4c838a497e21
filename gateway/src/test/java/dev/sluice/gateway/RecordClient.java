package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.EngineStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * One on a real socket. That does not block; what it does not take within a while, since the other side has ceased to
 * read, is dropped.
 */
final class RecordClient extends RecordSender implements AutoCloseable {
    private static final long POLL_NANOS = 20_000;
    private static final int RECEIVE_BUFFER_BYTES = 16 * 1024;
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final SocketChannel socket;
    private boolean sendingOver;
    private boolean receivingOver;

    private RecordClient(SocketChannel socket, DirectEngine engine, RecordClients shared) {
        super(engine, shared);
        this.socket = socket;
    }

    /**
     * Connects a client.
     *
     * @param engine the client's from now on
     */
    static RecordClient connect(InetSocketAddress address, DirectEngine engine, RecordClients shared)
            throws IOException {
        SocketChannel socket = SocketChannel.open();
        RecordClient client = new RecordClient(socket, engine, shared);
        try {
            // What it does not read soon fills the other side's socket.
            socket.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()));
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.configureBlocking(false);
            client.shakeHands();
            return client;
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private void shakeHands() throws IOException {
        long end = System.nanoTime() + LIMIT.toNanos();
        int status = engine.handshake();
        while (status != EngineStatus.DONE) {
            collect();
            flush();
            if (status == EngineStatus.FAILED || receivingOver || System.nanoTime() - end > 0) {
                throw new IOException("no handshake: " + engine.failure());
            }
            receive();
            status = engine.handshake();
        }
        collect();
        flush();
        established();
    }

    @Override
    void flushSome(int bytes) {
        send(takeUnsent(bytes), PATIENCE);
    }

    /** Sends what waits to somebody who goes on reading, however slowly; false when that has ended. */
    boolean flushAll() {
        send(takeUnsent(unsent.size()), LIMIT);
        return !sendingOver;
    }

    private void send(byte[] bytes, Duration patience) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (!sendingOver && buffer.hasRemaining()) {
                if (socket.write(buffer) == 0) {
                    LockSupport.parkNanos(POLL_NANOS);
                    sendingOver = System.nanoTime() - end > 0;
                }
            }
        } catch (IOException gone) {
            sendingOver = true;
        }
    }

    // --- what is received -------------------------------------------------------------------------------------------

    @Override
    void read() {
        receive();
        int status = open();
        receivingOver |= status == EngineStatus.FAILED || status == EngineStatus.CLOSED;
    }

    private void receive() {
        int capacity = receivingOver ? 0 : engine.receiveCapacity();
        if (capacity == 0) {
            return;
        }
        try {
            int count = socket.read(
                    RawMemory.view(engine.receiveAddress(), capacity).asByteBuffer());
            engine.received(Math.max(0, count));
            if (count < 0) {
                engine.receivedEndOfStream();
                receivingOver = !isEstablished();
            } else if (count == 0) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        } catch (IOException gone) {
            engine.received(0);
            receivingOver = true;
        }
    }

    @Override
    void readToTheEnd() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!receivingOver && System.nanoTime() - end < 0) {
            read();
        }
    }

    // --- ends -------------------------------------------------------------------------------------------------------

    @Override
    void shutDown() throws IOException {
        socket.shutdownOutput();
        sendingOver = true;
    }

    @Override
    void reset() throws IOException {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        engine.close();
    }
}
