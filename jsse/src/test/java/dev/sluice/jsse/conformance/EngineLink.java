package dev.sluice.jsse.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** A connection in memory between a client's engine and a server's. */
final class EngineLink {
    private static final int STEPS_MAX = 100_000;

    private final EnginePeer client;
    private final EnginePeer server;
    private UnaryOperator<byte[]> toServer = UnaryOperator.identity();
    private UnaryOperator<byte[]> toClient = UnaryOperator.identity();

    EngineLink(SSLEngine client, SSLEngine server) {
        this.client = new EnginePeer(client);
        this.server = new EnginePeer(server);
    }

    EnginePeer client() {
        return client;
    }

    EnginePeer server() {
        return server;
    }

    /** Returns the other end. */
    EnginePeer other(EnginePeer peer) {
        return peer == client ? server : client;
    }

    /** Changes what the client sends, each time before it is delivered. */
    EngineLink tamperToServer(UnaryOperator<byte[]> change) {
        toServer = change;
        return this;
    }

    /** Changes what the server sends, each time before it is delivered. */
    EngineLink tamperToClient(UnaryOperator<byte[]> change) {
        toClient = change;
        return this;
    }

    /** Completes the handshake of both ends, and delivers what follows it, such as session tickets. */
    EngineLink handshake() {
        attempt();
        assertSucceeded();
        return this;
    }

    /** Asserts that both ends have completed their handshake without a failure. */
    void assertSucceeded() {
        if (client.failure() != null || server.failure() != null) {
            AssertionError error = new AssertionError("client: " + client.failure() + ", server: " + server.failure());
            if (client.failure() != null) {
                error.addSuppressed(client.failure());
            }
            if (server.failure() != null) {
                error.addSuppressed(server.failure());
            }
            throw error;
        }
        for (EnginePeer peer : new EnginePeer[] {client, server}) {
            assertThat(peer.count(HandshakeStatus.FINISHED))
                    .as("FINISHED, of %s", peer.statuses())
                    .isPositive();
            assertThat(peer.status()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        }
    }

    /** Starts the handshake and runs it until neither end can go on; an end that fails sends its alert. */
    EngineLink attempt() {
        try {
            client.engine().beginHandshake();
            server.engine().beginHandshake();
        } catch (SSLException e) {
            throw new AssertionError("beginHandshake", e);
        }
        settle();
        return this;
    }

    /** Runs both ends until neither can go on. */
    void settle() {
        boolean progress = true;
        for (int steps = 0; progress; steps++) {
            assertThat(steps).as("steps without an end").isLessThan(STEPS_MAX);
            progress = stepBoth();
            progress |= deliver();
        }
    }

    /** Runs one step of each end, without delivery. */
    boolean stepBoth() {
        boolean progress = client.step();
        progress |= server.step();
        return progress;
    }

    /** Moves what each end has to send to the other end. */
    boolean deliver() {
        byte[] fromClient = client.takeOutgoing();
        byte[] fromServer = server.takeOutgoing();
        if (fromClient.length > 0) {
            server.receive(toServer.apply(fromClient));
        }
        if (fromServer.length > 0) {
            client.receive(toClient.apply(fromServer));
        }
        return fromClient.length + fromServer.length > 0;
    }

    /** Sends data from one end, and asserts that the other receives exactly it. */
    void assertCarries(EnginePeer sender, byte[] data) throws SSLException {
        sender.send(data);
        settle();
        EnginePeer receiver = other(sender);
        assertThat(receiver.failure()).isNull();
        assertThat(receiver.takePlain()).isEqualTo(data);
    }

    /** Asserts that data passes in both directions. */
    void assertCarriesData() throws SSLException {
        assertCarries(client, "ping".getBytes(StandardCharsets.US_ASCII));
        assertCarries(server, "pong".getBytes(StandardCharsets.US_ASCII));
    }

    /** Closes both directions in the orderly way. */
    void close() throws SSLException {
        client.engine().closeOutbound();
        settle();
        server.engine().closeOutbound();
        settle();
    }

    /** Returns the failure of an end, which there must be. */
    static SSLException failureOf(EnginePeer peer) {
        assertThat(peer.failure()).as("failure").isNotNull();
        return Objects.requireNonNull(peer.failure());
    }
}
