package dev.sluice.net.client;

import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.Timer;
import dev.sluice.net.internal.peer.PeerConnection;
import dev.sluice.net.internal.peer.PeerOwner;
import dev.sluice.net.peer.ConnectionFailedException;
import dev.sluice.net.peer.ConnectionFailedException.Stage;
import dev.sluice.net.peer.TlsHandler;
import dev.sluice.net.peer.TlsPeer;
import dev.sluice.tls.engine.DirectEngine;
import dev.sluice.tls.engine.TlsSession;
import dev.sluice.tls.failure.EndReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The way to one connection: lookup, connects, handshake, all within one deadline. Confined to its loop.
 *
 * <pre>
 *   LOOKUP ──▶ CONNECT ──▶ HANDSHAKE ──▶ DONE
 *      └── failed, expired, abandoned ─────▲
 * </pre>
 */
final class ServerConnection implements AddressRace.Outcome, PeerOwner {
    private enum Phase {
        LOOKUP,
        CONNECT,
        HANDSHAKE,
        DONE
    }

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ClientLoop client;
    private final String host;
    private final int port;
    private final TlsHandler handler;
    private final long deadlineMillis;
    private final long beganNanos = System.nanoTime();
    private final CompletableFuture<TlsPeer> result = new CompletableFuture<>();
    private Phase phase = Phase.LOOKUP;
    private @Nullable Timer deadline;
    private @Nullable AddressRace race;
    private @Nullable PeerConnection peer;

    /** Creates a connection that has not started. */
    ServerConnection(ClientLoop client, String host, int port, TlsHandler handler, long deadlineMillis) {
        this.client = client;
        this.host = host;
        this.port = port;
        this.handler = handler;
        this.deadlineMillis = deadlineMillis;
    }

    /** Starts the lookup and the deadline. From any thread; a cancel of the result gives the connection up. */
    CompletableFuture<TlsPeer> start(AddressResolver resolver) {
        CompletableFuture<?> _ = result.whenComplete((made, thrown) -> {
            if (result.isCancelled()) {
                onLoop(this::abandon);
            }
        });
        onLoop(() -> deadline = client.loop().eventLoop().schedule(deadlineMillis, this::expired));
        Thread.ofVirtual().name("tls-lookup-" + host).start(() -> lookUp(resolver));
        return result;
    }

    private void onLoop(Runnable task) {
        try {
            client.loop().eventLoop().execute(task);
        } catch (RejectedExecutionException closed) {
            result.completeExceptionally(ConnectionFailedException.of(
                    Stage.CONNECT, failure(EndReason.LOOP_CLOSED, "the client is closed; make another one")));
        }
    }

    private void lookUp(AddressResolver resolver) {
        try {
            List<InetAddress> addresses = resolver.resolve(host);
            onLoop(() -> connect(addresses));
        } catch (IOException | RuntimeException e) {
            onLoop(() -> fail(
                    Stage.CONNECT,
                    failure(
                            EndReason.UNRESOLVED,
                            "the name has no address (" + e + "); check it, DNS and /etc/hosts")));
        }
    }

    private void connect(List<InetAddress> addresses) {
        if (phase != Phase.LOOKUP) {
            return;
        }
        if (addresses.isEmpty()) {
            fail(Stage.CONNECT, failure(EndReason.UNRESOLVED, "the name has no address; check it, DNS and /etc/hosts"));
            return;
        }
        phase = Phase.CONNECT;
        race = new AddressRace(client.loop().eventLoop(), addresses, port, leftMillis(), this);
        race.start();
    }

    private long leftMillis() {
        return Math.max(1, deadlineMillis - (System.nanoTime() - beganNanos) / NANOS_PER_MILLI);
    }

    @Override
    public void onWon(TcpConnection connection) {
        phase = Phase.HANDSHAKE;
        connection.keepAlive(client.loop().limits().keepAlive());
        String server = host + ':' + port;
        TlsSession session = client.sessions().take(server);
        try {
            DirectEngine engine = DirectEngine.client(
                    client.context(),
                    host,
                    session,
                    client.sessions().keeper(server),
                    client.loop().eventLoop().loopCrypto());
            long handshakeMillis = Math.min(
                    leftMillis(), client.loop().limits().handshakeDeadline().toMillis());
            peer = PeerConnection.start(client.loop(), connection, engine, handshakeMillis, this);
        } catch (RuntimeException e) {
            connection.abort();
            fail(Stage.HANDSHAKE, failure(EndReason.INTERNAL_ERROR, "the handshake could not start (" + e + ")"));
        } finally {
            if (session != null) {
                session.close();
            }
        }
    }

    @Override
    public void onLost(List<ConnectionFailure> failures) {
        EndReason reason = failures.getLast().reason();
        String causes = failures.stream().map(ConnectionFailure::message).collect(Collectors.joining("; "));
        fail(Stage.CONNECT, failure(reason, causes));
    }

    @Override
    public void onHandshakeFailed(SocketAddress remote, ConnectionFailure failure) {
        fail(Stage.HANDSHAKE, failure(failure.reason(), failure.message()));
    }

    @Override
    public void onClosedWithoutHandler() {
        fail(Stage.HANDSHAKE, failure(EndReason.LOOP_CLOSED, "the client was closed during the handshake"));
    }

    @Override
    public TlsHandler handlerOf(TlsPeer made) {
        done();
        if (!result.complete(made)) {
            made.abort(); // it was cancelled meanwhile
        }
        return handler;
    }

    private void expired() {
        deadline = null;
        boolean handshaking = phase == Phase.HANDSHAKE;
        Stage stage = handshaking ? Stage.HANDSHAKE : Stage.CONNECT;
        EndReason reason = handshaking ? EndReason.HANDSHAKE_TIMEOUT : EndReason.CONNECT_TIMEOUT;
        String step = phase == Phase.LOOKUP ? "the lookup of the name" : handshaking ? "the handshake" : "the connect";
        fail(
                stage,
                failure(
                        reason,
                        step + " was not complete within the connect deadline (" + deadlineMillis
                                + " ms); check the server and firewalls, or raise the deadline"));
    }

    private void fail(Stage stage, ConnectionFailure failure) {
        if (phase != Phase.DONE) {
            giveUp();
            result.completeExceptionally(ConnectionFailedException.of(stage, failure));
        }
    }

    private void abandon() {
        if (phase != Phase.DONE) {
            giveUp();
        }
    }

    private void giveUp() {
        AddressRace running = race;
        PeerConnection handshaking = phase == Phase.HANDSHAKE ? peer : null;
        done();
        if (running != null) {
            running.abandon();
        }
        if (handshaking != null) {
            handshaking.abort();
        }
    }

    private void done() {
        phase = Phase.DONE;
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    private ConnectionFailure failure(EndReason reason, String text) {
        return new ConnectionFailure(reason, "cannot connect to " + host + ':' + port + ": " + text);
    }
}
