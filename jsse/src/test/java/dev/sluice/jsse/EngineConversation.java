package dev.sluice.jsse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** Two engines that talk through buffers in memory. Closes both. */
final class EngineConversation implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int MAX_STEPS = 200;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** The place of the buffers. */
    enum Memory {
        DIRECT,
        HEAP;

        ByteBuffer allocate() {
            return this == DIRECT ? ByteBuffer.allocateDirect(BUFFER_BYTES) : ByteBuffer.allocate(BUFFER_BYTES);
        }
    }

    final SSLEngine client;
    final SSLEngine server;
    private final ByteBuffer toServer;
    private final ByteBuffer toClient;
    private final ByteBuffer plain;
    private int finished;

    EngineConversation(SSLEngine client, SSLEngine server) {
        this(client, server, Memory.DIRECT);
    }

    EngineConversation(SSLEngine client, SSLEngine server, Memory memory) {
        this.client = client;
        this.server = server;
        this.toServer = memory.allocate();
        this.toClient = memory.allocate();
        this.plain = memory.allocate();
    }

    /** Runs both handshakes to their ends, tickets included. */
    EngineConversation handshake() throws SSLException {
        client.beginHandshake();
        for (int i = 0; i < MAX_STEPS; i++) {
            boolean moved = step(client, toClient, toServer);
            moved |= step(server, toServer, toClient);
            if (!moved) {
                break;
            }
        }
        assertThat(client.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        assertThat(server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        assertThat(finished).as("FINISHED is reported once by each side").isGreaterThanOrEqualTo(2);
        return this;
    }

    /** Moves one engine on; returns false when it waits for its peer. */
    private boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        return switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                Runnable task = engine.getDelegatedTask();
                assertThat(task).isNotNull();
                task.run();
                yield true;
            }
            case NEED_WRAP -> {
                SSLEngineResult result = engine.wrap(NOTHING, out);
                count(result);
                yield result.bytesProduced() > 0 || result.getHandshakeStatus() == HandshakeStatus.FINISHED;
            }
            default -> in.position() > 0 && receive(engine, in) > 0;
        };
    }

    private int receive(SSLEngine engine, ByteBuffer in) throws SSLException {
        in.flip();
        try {
            SSLEngineResult result = engine.unwrap(in, plain);
            count(result);
            return result.bytesConsumed();
        } finally {
            in.compact();
        }
    }

    private void count(SSLEngineResult result) {
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
            finished++;
        }
    }

    /** Sends data from the client, and asserts that it arrives at the server. */
    void sendToServer(byte[] data) throws SSLException {
        assertThat(transfer(data, client, toServer, server)).isEqualTo(data);
    }

    /** Sends data from the server, and asserts that it arrives at the client. */
    void sendToClient(byte[] data) throws SSLException {
        assertThat(transfer(data, server, toClient, client)).isEqualTo(data);
    }

    private byte[] transfer(byte[] data, SSLEngine from, ByteBuffer wire, SSLEngine to) throws SSLException {
        ByteBuffer source = plain.isDirect()
                ? ByteBuffer.allocateDirect(data.length).put(data).flip()
                : ByteBuffer.wrap(data);
        byte[] arrived = {};
        plain.clear();
        while (source.hasRemaining()) {
            from.wrap(source, wire);
            while (wire.position() > 0 && receive(to, wire) > 0) {
                plain.flip();
                int before = arrived.length;
                arrived = Arrays.copyOf(arrived, before + plain.remaining());
                plain.get(arrived, before, plain.remaining());
                plain.clear();
            }
        }
        return arrived;
    }

    /** Closes both directions as the specification says, and asserts that both engines are done. */
    void shutDown() throws SSLException {
        client.closeOutbound();
        client.wrap(NOTHING, toServer);
        drainInto(server, toServer);
        server.closeOutbound();
        server.wrap(NOTHING, toClient);
        drainInto(client, toClient);
        for (SSLEngine each : new SSLEngine[] {client, server}) {
            assertThat(each.isInboundDone()).isTrue();
            assertThat(each.isOutboundDone()).isTrue();
        }
    }

    private void drainInto(SSLEngine engine, ByteBuffer wire) throws SSLException {
        while (wire.position() > 0 && receive(engine, wire) > 0) {
            plain.clear();
        }
    }

    @Override
    public void close() {
        for (SSLEngine each : new SSLEngine[] {client, server}) {
            try {
                each.closeOutbound();
                while (!each.isOutboundDone()) {
                    toServer.clear();
                    each.wrap(NOTHING, toServer);
                }
                each.closeInbound();
            } catch (SSLException e) {
                assertThat(each.isInboundDone()).isTrue();
            }
        }
    }
}
