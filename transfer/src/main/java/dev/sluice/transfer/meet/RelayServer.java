package dev.sluice.transfer.meet;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.AcceptHandler;
import dev.sluice.net.BufferGeometry;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.EventLoop;
import dev.sluice.net.EventLoopConfig;
import dev.sluice.net.Listener;
import dev.sluice.net.ListenerOptions;
import dev.sluice.net.TcpConnection;
import dev.sluice.net.loop.EventLoops;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A relay: joins two peers that name the same id, in different roles, and passes on their bytes, which are ciphertext.
 *
 * <p>It holds nothing but ids, which are not secret, and forgets an id as soon as two peers are joined. Every limit of
 * {@link RelayLimits} that is met is answered by a {@link RelayAnswer}. One event loop: the network is the bound.
 *
 * <p>Thread-safe, apart from what is package-private, which belongs to the loop.
 */
public final class RelayServer implements AutoCloseable {
    private static final long SWEEP_MILLIS = 250;
    private static final long CLOSE_MILLIS = 1_000;
    private static final int BUFFERS_MAX = 8192;
    private static final Duration KEEPALIVE = Duration.ofSeconds(30);

    /** Refused connections that may wait until their answer has left; those above it are reset without one. */
    private static final int REFUSALS_MAX = 1024;

    private enum State {
        SERVING,
        /** Accepts nothing; the pairs go to their end. */
        DRAINING,
        STOPPED
    }

    private final RelayLimits limits;
    private final EventLoop loop;
    private final RelayAccounts accounts;
    private final RelayCounters counters = new RelayCounters();
    private final Map<RendezvousId, RelayVisitor> waiting = new HashMap<>();
    private final Set<RelayVisitor> visitors = new HashSet<>();
    private final Set<RelayPair> pairs = new HashSet<>();
    private final RelayLeaver leaver = new RelayLeaver(this::refusalLeft);
    private final CountDownLatch drained = new CountDownLatch(1);
    private @Nullable Listener listener;
    private State state = State.SERVING;
    private int connections;
    private int refusals;

    private RelayServer(EventLoop loop, RelayLimits limits) {
        this.loop = loop;
        this.limits = limits;
        this.accounts = new RelayAccounts(limits, System.nanoTime());
    }

    /**
     * Starts a relay.
     *
     * @param address port 0 picks one
     * @return the caller drains or closes it
     * @throws MeetException when the address is in use, not ours, or not permitted
     */
    public static RelayServer start(InetSocketAddress address, RelayLimits limits) throws MeetException {
        EventLoop loop = EventLoops.start(EventLoopConfig.defaults()
                .withName("relay")
                .withMaxBuffers(BUFFERS_MAX)
                .withCloseTimeoutMillis(CLOSE_MILLIS));
        RelayServer relay = new RelayServer(loop, limits);
        try {
            int descriptor = listen(address);
            relay.onLoop(() -> {
                relay.serve(descriptor);
                return Boolean.TRUE;
            });
            return relay;
        } catch (RuntimeException | MeetException e) {
            loop.close();
            throw e;
        }
    }

    /** Listens without the SO_REUSEPORT of loops, with which two relays would share an address unnoticed. */
    private static int listen(InetSocketAddress address) throws MeetException {
        try (MeetSockets sockets = new MeetSockets()) {
            return sockets.listen(address);
        }
    }

    private void serve(int descriptor) {
        Listener socket = loop.adopt(descriptor, ListenerOptions.defaults(), new Accepts());
        socket.keepAlive(KEEPALIVE);
        listener = socket;
        loop.schedule(SWEEP_MILLIS, this::sweep);
    }

    /** Returns the address that it listens on. */
    public InetSocketAddress address() {
        return onLoop(() -> {
            if (listener == null) {
                throw new IllegalStateException("relay is draining; it has no address any more");
            }
            return (InetSocketAddress) listener.address();
        });
    }

    /** Returns the counts so far, while it runs. */
    public RelayTotals totals() {
        return onLoop(counters::totals);
    }

    /**
     * Stops accepting, refuses the peers that wait, lets the pairs come to their end, and stops.
     *
     * @param grace the most time for the pairs
     * @return the counts
     */
    public RelayTotals drain(Duration grace) throws InterruptedException {
        onLoop(() -> {
            startDrain();
            return Boolean.TRUE;
        });
        if (!drained.await(grace.toNanos(), TimeUnit.NANOSECONDS)) {
            onLoop(() -> {
                List.copyOf(pairs).forEach(RelayPair::abort);
                return Boolean.TRUE;
            });
            drained.await(2 * CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        }
        RelayTotals totals = totals();
        close();
        return totals;
    }

    /** Resets all connections and stops. Idempotent. */
    @Override
    public void close() {
        loop.close();
    }

    private <T> T onLoop(Supplier<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(action.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get(2 * CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the relay's loop was asked", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the relay's loop does not answer", e);
        }
    }

    // ---- on the loop

    RelayCounters counters() {
        return counters;
    }

    RelayAccounts accounts() {
        return accounts;
    }

    /** A handler of new connections. */
    private final class Accepts implements AcceptHandler {
        @Override
        public void onAccepted(TcpConnection connection, SocketAddress peer) {
            accepted(connection, peer);
        }

        @Override
        public void onAcceptFailed(ConnectionFailure failure) {
            // The listener tries again by itself; peers wait in the kernel's queue meanwhile.
        }
    }

    private void accepted(TcpConnection connection, SocketAddress peer) {
        long now = System.nanoTime();
        counters.accepted();
        connections++;
        RelayAccount account = accounts.of(peer, now);
        RelayAnswer reason = account == null ? RelayAnswer.RELAY_FULL : reasonToRefuse(account, now);
        if (account == null || reason != null) {
            refuse(connection, reason == null ? RelayAnswer.RELAY_FULL : reason);
            return;
        }
        RelayVisitor visitor = new RelayVisitor(
                this, connection, account, now + limits.requestLimit().toNanos());
        visitors.add(visitor);
        count(visitor, 1);
        connection.handler(visitor);
        connection.startReceiving();
    }

    private @Nullable RelayAnswer reasonToRefuse(RelayAccount account, long now) {
        if (state != State.SERVING) {
            return RelayAnswer.DRAINING;
        }
        if (!account.tryRequest(now)) {
            return RelayAnswer.TOO_MANY_REQUESTS;
        }
        if (!account.hasBytes(now) || !accounts.total().hasBytes(now)) {
            return RelayAnswer.QUOTA_USED_UP;
        }
        if (!accounts.total().mayWait()) {
            return RelayAnswer.RELAY_FULL;
        }
        return account.mayWait() ? null : RelayAnswer.ADDRESS_FULL;
    }

    private void count(RelayVisitor visitor, int change) {
        visitor.account().addWaiting(change);
        accounts.total().addWaiting(change);
    }

    /** Takes a visitor whose request is complete. */
    void arrived(RelayVisitor visitor, RelayRequest request) {
        RelayVisitor other = waiting.get(request.id());
        RelayRequest otherRequest = other == null ? null : other.request();
        if (other == null || otherRequest == null) {
            waiting.put(request.id(), visitor);
            visitor.await(System.nanoTime() + limits.waitLimit().toNanos());
        } else if (otherRequest.role() == request.role()) {
            visitor.refuse(RelayAnswer.ID_IN_USE);
        } else if (!accounts.total().mayJoin()) {
            visitor.refuse(RelayAnswer.RELAY_FULL);
        } else if (!visitor.account().mayJoin() || !other.account().mayJoin()) {
            visitor.refuse(RelayAnswer.ADDRESS_FULL);
        } else {
            join(request.role() == PeerRole.HOST ? visitor : other, request.role() == PeerRole.HOST ? other : visitor);
        }
    }

    private void join(RelayVisitor host, RelayVisitor guest) {
        left(host);
        left(guest);
        host.join();
        guest.join();
        RelayPair pair = new RelayPair(this, host, guest, System.nanoTime());
        pairs.add(pair);
        pair.addToAccounts(1);
        accounts.total().addPairs(1);
        counters.joined();
        answer(host.connection(), RelayAnswer.JOINED);
        answer(guest.connection(), RelayAnswer.JOINED);
        pair.start();
    }

    /** Forgets a visitor, which is joined or leaves. */
    void left(RelayVisitor visitor) {
        if (visitors.remove(visitor)) {
            count(visitor, -1);
        }
        RelayRequest request = visitor.request();
        if (request != null) {
            waiting.remove(request.id(), visitor);
        }
    }

    /** Forgets a pair, both of whose connections are closed. */
    void ended(RelayPair pair) {
        if (pairs.remove(pair)) {
            pair.addToAccounts(-1);
            accounts.total().addPairs(-1);
        }
    }

    /** Notes that a connection is closed. */
    void closed() {
        connections--;
        if (state == State.DRAINING && connections == 0) {
            state = State.STOPPED;
            drained.countDown();
        }
    }

    private void refusalLeft() {
        refusals--;
        closed();
    }

    /** Answers with a reason and closes; only resets when too many refused connections linger. */
    void refuse(TcpConnection connection, RelayAnswer reason) {
        counters.refused(reason);
        connection.handler(leaver);
        refusals++;
        if (refusals > REFUSALS_MAX) {
            connection.abort();
        } else {
            connection.stopReceiving();
            answer(connection, reason);
            connection.close();
        }
    }

    /** Sends one answer. */
    void answer(TcpConnection connection, RelayAnswer answer) {
        Slab buffer = loop.buffers().lease();
        if (buffer == null) {
            connection.abort();
            return;
        }
        buffer.window(BufferGeometry.HEADROOM, BufferGeometry.HEADROOM + 1);
        RawMemory.putByte(buffer.payloadAddress(), answer.code());
        connection.send(buffer);
    }

    private void sweep() {
        long now = System.nanoTime();
        List.copyOf(visitors).forEach(visitor -> visitor.sweep(now));
        long idleNanos = limits.idleLimit().toNanos();
        for (RelayPair pair : List.copyOf(pairs)) {
            if (pair.isIdle(now, idleNanos)) {
                counters.expired();
                pair.abort();
            }
        }
        accounts.sweep(now);
        if (state != State.STOPPED) {
            loop.schedule(SWEEP_MILLIS, this::sweep);
        }
    }

    private void startDrain() {
        if (state == State.SERVING) {
            state = State.DRAINING;
            if (listener != null) {
                listener.close();
                listener = null;
            }
            List.copyOf(visitors).forEach(visitor -> visitor.refuse(RelayAnswer.DRAINING));
            connections++;
            closed();
        }
    }
}
