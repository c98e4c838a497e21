package dev.sluice.bench.record.path;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** Two {@link SSLEngine}s: one wraps from a buffer of plaintext into one of records, the other unwraps that. */
final class SslEnginePath implements RecordPath {
    private static final int MAX_STEPS = 100;
    private static final int NETWORK_BYTES = 64 * 1024;

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer plain;
    private final ByteBuffer opened;
    private final ByteBuffer[] records = new ByteBuffer[BATCH];
    private final int bytes;

    /**
     * Connects two engines.
     *
     * @param buffers allocates a buffer, on the heap or direct
     */
    SslEnginePath(SSLEngine client, SSLEngine server, IntFunction<ByteBuffer> buffers, String suite, int bytes) {
        this.client = client;
        this.server = server;
        this.bytes = bytes;
        this.plain = buffers.apply(bytes);
        this.opened = buffers.apply(client.getSession().getApplicationBufferSize() + bytes);
        for (int i = 0; i < BATCH; i++) {
            records[i] = buffers.apply(client.getSession().getPacketBufferSize());
        }
        connect(buffers);
        String agreed = client.getSession().getCipherSuite();
        if (!agreed.equals(suite)) {
            throw new IllegalStateException("the engines rejected the suite " + suite + " and chose " + agreed);
        }
    }

    /** Runs both ends until neither makes progress, which delivers the tickets too. */
    private void connect(IntFunction<ByteBuffer> buffers) {
        ByteBuffer toServer = buffers.apply(NETWORK_BYTES).flip();
        ByteBuffer toClient = buffers.apply(NETWORK_BYTES).flip();
        try {
            client.beginHandshake();
            server.beginHandshake();
            stepWhileAnythingMoves(toServer, toClient);
            if (server.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
                // Netty's client still has its last flight to send, and sends it with the first bytes only.
                wrap(client, plain.rewind(), toServer);
                stepWhileAnythingMoves(toServer, toClient);
            }
        } catch (SSLException e) {
            throw new IllegalStateException("the handshake failed: " + e.getMessage(), e);
        }
        RecordPath.require(
                client.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                        && server.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING,
                "the handshake, which ended at " + client.getHandshakeStatus() + " and " + server.getHandshakeStatus()
                        + ",");
    }

    private void stepWhileAnythingMoves(ByteBuffer toServer, ByteBuffer toClient) throws SSLException {
        boolean moved = true;
        for (int i = 0; i < MAX_STEPS && moved; i++) {
            moved = step(client, toClient, toServer);
            moved |= step(server, toServer, toClient);
        }
    }

    /** Runs one possible step of an engine; returns whether it made progress. Buffers are in read mode. */
    private boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        runTasks(engine);
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            wrap(engine, plain.position(bytes), out);
            return true;
        }
        int before = in.remaining();
        if (before > 0) {
            engine.unwrap(in, opened.clear());
            runTasks(engine);
        }
        return in.remaining() < before;
    }

    private static void wrap(SSLEngine engine, ByteBuffer from, ByteBuffer out) throws SSLException {
        out.compact();
        engine.wrap(from, out);
        out.flip();
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    @Override
    public int seal() {
        return wrap(records[0]);
    }

    @Override
    public void sealBatch() {
        for (ByteBuffer record : records) {
            wrap(record);
        }
    }

    @Override
    public int openBatch() {
        int count = 0;
        for (ByteBuffer record : records) {
            count += unwrap(record);
        }
        return count;
    }

    @Override
    public int sealAndOpen() {
        wrap(records[0]);
        return unwrap(records[0]);
    }

    private int wrap(ByteBuffer record) {
        try {
            SSLEngineResult result = client.wrap(plain.rewind(), record.clear());
            RecordPath.require(result.bytesConsumed() == bytes, "wrapping all bytes into one record");
            return result.bytesProduced();
        } catch (SSLException e) {
            throw new IllegalStateException("wrapping failed: " + e.getMessage(), e);
        }
    }

    private int unwrap(ByteBuffer record) {
        try {
            SSLEngineResult result = server.unwrap(record.flip(), opened.clear());
            RecordPath.require(result.bytesProduced() == bytes, "unwrapping");
            return result.bytesProduced();
        } catch (SSLException e) {
            throw new IllegalStateException("unwrapping failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        // The engines' resources end with the process: closing them properly is another exchange of alerts.
    }
}
