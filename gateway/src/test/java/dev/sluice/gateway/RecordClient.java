package dev.sluice.gateway;

import static dev.sluice.gateway.GatewayFixture.LIMIT;

import dev.sluice.ffi.RawMemory;
import dev.sluice.tls.DirectEngine;
import dev.sluice.tls.EngineStatus;
import dev.sluice.tls.TlsFailure;
import dev.sluice.tls.record.ConnectionKeys;
import dev.sluice.tls.record.ContentType;
import dev.sluice.tls.record.RecordChannel;
import dev.sluice.tls.record.RecordProtector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A TLS client on a real socket that completes an honest handshake, and then sends any record that it is told to, well
 * protected. What is sealed waits until {@link #flush}. The socket does not block; what it does not take within a while,
 * since the other side has ceased to read, is dropped.
 */
final class RecordClient implements AutoCloseable {
    private static final long POLL_NANOS = 20_000;
    private static final int RECEIVE_BUFFER_BYTES = 16 * 1024;
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final SocketChannel socket;
    private final DirectEngine engine;
    private final RecordClients shared;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private @Nullable RecordChannel channel;
    private boolean sendingOver;
    private boolean receivingOver;

    private RecordClient(SocketChannel socket, DirectEngine engine, RecordClients shared) {
        this.socket = socket;
        this.engine = engine;
        this.shared = shared;
    }

    /** @param engine the client's from now on */
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
            takeUnsent();
            flush();
            if (status == EngineStatus.FAILED || receivingOver || System.nanoTime() - end > 0) {
                throw new IOException("no handshake: " + engine.failure());
            }
            receive();
            status = engine.handshake();
        }
        takeUnsent();
        flush();
        channel = engine.channel();
        if (channel == null) {
            throw new IOException("the client's engine did not leave libssl: " + engine.cutOver());
        }
    }

    private RecordChannel channel() {
        RecordChannel established = channel;
        if (established == null) {
            throw new IllegalStateException("no handshake yet");
        }
        return established;
    }

    boolean isTls13() {
        return channel().suite().isTls13();
    }

    // --- what is sent -----------------------------------------------------------------------------------------------

    /** Seals a record of any type, of any length that its header can tell. */
    void seal(int contentType, byte[] payload) {
        MemorySegment scratch = shared.scratch();
        RecordProtector protector = shared.protector(channel().suite().aead());
        long keys = ConnectionKeys.sealing(channel().keys());
        long at = scratch.address() + channel().headroom();
        RawMemory.copy(payload, 0, at, payload.length);
        int bytes = isTls13()
                ? protector.seal(keys, at, payload.length, contentType)
                : protector.seal12(keys, at, payload.length, contentType);
        addUnsent(scratch.address(), bytes);
    }

    /** Seals a TLS 1.3 record with zeros behind its type. */
    void sealPadded(int contentType, byte[] payload, int zeros) {
        byte[] inner = Arrays.copyOf(payload, payload.length + 1 + zeros);
        inner[payload.length] = (byte) contentType;
        // The last zero stands where the type does, so that the one before the zeros is it.
        seal(0, inner);
    }

    /** Seals a KeyUpdate, and what follows under the next key. Without effect in TLS 1.2. */
    void updateKey(boolean requestingTheSame) {
        if (requestingTheSame) {
            channel().requestKeyUpdate();
        } else {
            channel().updateKey();
        }
        long address = shared.scratch().address();
        addUnsent(address, channel().writeControl(address));
    }

    /** Sends bytes as they are, such as a record that is not protected. */
    void raw(byte[] bytes) {
        unsent.writeBytes(bytes);
    }

    /** Changes a bit of what waits to be sent; where nothing waits, seals a record first. */
    void flipBit(int bit) {
        if (unsent.size() == 0) {
            seal(ContentType.APPLICATION_DATA, new byte[] {1});
        }
        byte[] bytes = unsent.toByteArray();
        bytes[bit / Byte.SIZE % bytes.length] ^= (byte) (1 << (bit % Byte.SIZE));
        unsent.reset();
        unsent.writeBytes(bytes);
    }

    /** Sends what waits, in one piece where the socket takes it so. */
    void flush() {
        send(unsent.size(), PATIENCE);
    }

    /** Sends what waits to somebody who goes on reading, however slowly; false when that has ended. */
    boolean flushAll() {
        send(unsent.size(), LIMIT);
        return !sendingOver;
    }

    /** Sends some of what waits. */
    void flushSome(int bytes) {
        send(Math.min(bytes, unsent.size()), PATIENCE);
    }

    private void send(int count, Duration patience) {
        byte[] bytes = unsent.toByteArray();
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, count);
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
        unsent.reset();
        unsent.write(bytes, count, bytes.length - count);
    }

    private void takeUnsent() {
        while (engine.sendLength() > 0) {
            int length = engine.sendLength();
            addUnsent(engine.sendAddress(), length);
            engine.sent(length);
        }
    }

    private void addUnsent(long address, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(address, bytes, 0, length);
        unsent.writeBytes(bytes);
    }

    // --- what is received -------------------------------------------------------------------------------------------

    /** Reads and opens what has come. */
    void read() {
        receive();
        MemorySegment scratch = shared.scratch();
        int status = engine.read(scratch.address(), RecordClients.SCRATCH_BYTES);
        while (status > 0) {
            byte[] bytes = new byte[status];
            RawMemory.copy(scratch.address(), bytes, 0, status);
            received.writeBytes(bytes);
            takeUnsent();
            status = engine.read(scratch.address(), RecordClients.SCRATCH_BYTES);
        }
        takeUnsent();
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
                receivingOver = channel == null;
            } else if (count == 0) {
                LockSupport.parkNanos(POLL_NANOS);
            }
        } catch (IOException gone) {
            engine.received(0);
            receivingOver = true;
        }
    }

    /** Reads until the other side has ended, or for a while. */
    void readToTheEnd() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!receivingOver && System.nanoTime() - end < 0) {
            read();
        }
    }

    /** All plaintext that has come. */
    byte[] received() {
        return received.toByteArray();
    }

    /** What was wrong with what has come; null when nothing was. An alert of the other side's is nothing wrong. */
    @Nullable
    String complaint() {
        TlsFailure failure = engine.failure();
        if (failure == null || failure.reason().startsWith("alert_received_")) {
            return null;
        }
        return failure.reason().equals("truncated") ? null : failure.toString();
    }

    // --- ends -------------------------------------------------------------------------------------------------------

    /** Sends FIN. */
    void shutDown() throws IOException {
        socket.shutdownOutput();
        sendingOver = true;
    }

    /** Closes by RST. */
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
