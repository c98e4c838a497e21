package dev.sluice.bench.storm;

import dev.sluice.bench.storm.StormTally.Fate;
import dev.sluice.memory.Slab;
import dev.sluice.net.ConnectHandler;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.TcpConnection;
import dev.sluice.tls.engine.TlsSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients that arrive at a fixed rate, independent of earlier ones; one in {@value #ONE_RESUMES_OF} resumes a session.
 *
 * <p>Resuming clients are complete: handshake, a message to the backend and back. The others send a prepared
 * ClientHello, and leave when the server has answered with its part of the handshake, which is nearly all of its cost:
 * so one core can send more of them than another can handle.
 *
 * <p>The thread never sleeps, and must have the lowest priority of its core.
 */
final class Storm implements AutoCloseable {
    static final int ONE_RESUMES_OF = 10;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** The number of clients started between two polls. */
    private static final int BEGIN_PER_TURN = 8;
    /** The maximum number of concurrent clients, limited by the ports. */
    private static final int UNDER_WAY_MAX = 8_000;
    /** Larger than an alert, by which some servers refuse. */
    private static final int ALERT_RECORD_BYTES = 7;

    private final Clients clients;
    private final List<TlsSession> sessions = new ArrayList<>();
    private final byte[] hello;

    Storm(Clients clients) {
        this.clients = clients;
        this.hello = clients.hello();
    }

    /** Creates sessions, each by a full handshake, replacing earlier ones. */
    void makeSessions(int port, int count) {
        clients.<Boolean>play(over -> {
            close();
            for (int i = 0; i < count; i++) {
                new TlsClient(clients, null, 1, new SessionMaker(over, count)).connect(port);
            }
        });
    }

    /** Runs a storm for a while, and waits for its remaining clients. */
    StormTally blow(int port, long millis, double perSecond) {
        return clients.play(over -> new Blow(over, port, millis, perSecond).turn());
    }

    @Override
    public void close() {
        sessions.forEach(TlsSession::close);
        sessions.clear();
    }

    private final class SessionMaker implements TlsClient.Owner {
        private final CompletableFuture<Boolean> over;
        private final int wanted;

        SessionMaker(CompletableFuture<Boolean> over, int wanted) {
            this.over = over;
            this.wanted = wanted;
        }

        @Override
        public void onReady(TlsClient client) {
            TlsSession session = client.session();
            if (session == null) {
                over.completeExceptionally(new IllegalStateException("the server sent no ticket"));
            } else {
                sessions.add(session);
            }
            client.abort();
            if (sessions.size() == wanted) {
                over.complete(true);
            }
        }

        @Override
        public void onMessage(TlsClient client) {}

        @Override
        public void onOver(TlsClient client, String why) {
            over.completeExceptionally(new IllegalStateException("cannot create a session: " + why));
        }
    }

    /** One storm. */
    private final class Blow {
        private final CompletableFuture<StormTally> over;
        private final int port;
        private final long millis;
        private final double perNano;
        private final long begin = System.nanoTime();
        private final StormTally tally = new StormTally();
        /** The attempts in order of their start; finished ones are removed at the head. */
        private final ArrayDeque<Attempt> attempts = new ArrayDeque<>();

        Blow(CompletableFuture<StormTally> over, int port, long millis, double perSecond) {
            this.over = over;
            this.port = port;
            this.millis = millis;
            this.perNano = perSecond / TimeUnit.SECONDS.toNanos(1);
        }

        void turn() {
            long elapsed = System.nanoTime() - begin;
            boolean blowing = elapsed < TimeUnit.MILLISECONDS.toNanos(millis);
            for (int i = 0; blowing && i < BEGIN_PER_TURN && isDue(elapsed); i++) {
                begin();
            }
            dropLost();
            if (blowing || !attempts.isEmpty()) {
                // Behind the handshakes of those that have begun: otherwise they would wait for a loop that is never
                // idle.
                clients.loop().executeLowPriority(this::turn);
            } else {
                over.complete(tally);
            }
            if (blowing) {
                tally.lasted(elapsed);
            }
        }

        private boolean isDue(long elapsed) {
            return tally.all() < elapsed * perNano && tally.all() - tally.ended() < UNDER_WAY_MAX;
        }

        private void begin() {
            boolean resumes = tally.all() % ONE_RESUMES_OF == 0;
            Attempt attempt = resumes ? new Resuming(this) : new Full(this);
            tally.begun();
            attempts.add(attempt);
            attempt.connect(port);
        }

        private void dropLost() {
            long now = System.nanoTime();
            for (Attempt first = attempts.peek(); first != null; first = attempts.peek()) {
                if (!first.isOver() && now - first.begin < PATIENCE_NANOS) {
                    return;
                }
                attempts.remove();
                if (!first.isOver()) {
                    first.end(Fate.LOST);
                }
            }
        }

        private TlsSession session() {
            return sessions.get((int) (tally.all() / ONE_RESUMES_OF % sessions.size()));
        }
    }

    /** One client. */
    private abstract static class Attempt {
        final Blow blow;
        final long begin = System.nanoTime();
        private boolean over;

        Attempt(Blow blow) {
            this.blow = blow;
        }

        abstract void connect(int port);

        abstract boolean resumes();

        abstract void abort();

        final boolean isOver() {
            return over;
        }

        final void end(Fate fate) {
            if (!over) {
                over = true;
                blow.tally.over(resumes(), fate, System.nanoTime() - begin);
                abort();
            }
        }
    }

    private final class Resuming extends Attempt implements TlsClient.Owner {
        private final TlsClient client;

        Resuming(Blow blow) {
            super(blow);
            client = new TlsClient(clients, blow.session(), 1, this);
        }

        @Override
        void connect(int port) {
            client.connect(port);
        }

        @Override
        boolean resumes() {
            return true;
        }

        @Override
        void abort() {
            client.abort();
        }

        @Override
        public void onReady(TlsClient ready) {
            if (!client.isResumed()) {
                blow.tally.notResumed();
            }
            end(Fate.SERVED);
        }

        @Override
        public void onMessage(TlsClient from) {}

        @Override
        public void onOver(TlsClient ended, String why) {
            end(Fate.REFUSED);
        }
    }

    private final class Full extends Attempt implements ConnectHandler, ConnectionHandler {
        private @Nullable TcpConnection tcp;
        private int arrived;

        Full(Blow blow) {
            super(blow);
        }

        @Override
        void connect(int port) {
            clients.connect(port, this);
        }

        @Override
        boolean resumes() {
            return false;
        }

        @Override
        void abort() {
            if (tcp != null) {
                tcp.abort();
            }
        }

        @Override
        public void onConnected(TcpConnection connected) {
            tcp = connected;
            connected.handler(this);
            if (isOver()) {
                connected.abort();
                return;
            }
            connected.startReceiving();
            clients.send(connected, hello);
        }

        @Override
        public void onConnectFailed(ConnectionFailure failure) {
            end(Fate.REFUSED);
        }

        @Override
        public void onReceived(Connection from, Slab buffer) {
            arrived += buffer.length();
            buffer.release();
            if (arrived > ALERT_RECORD_BYTES) {
                end(Fate.SERVED);
            }
        }

        @Override
        public void onSent(Connection to) {}

        @Override
        public void onEndOfStream(Connection from) {
            end(Fate.REFUSED);
        }

        @Override
        public void onFailed(Connection broken, ConnectionFailure failure) {
            end(Fate.REFUSED);
        }

        @Override
        public void onClosed(Connection closed) {
            end(Fate.REFUSED);
        }
    }
}
