package dev.sluice.transfer.meet;

import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import java.util.concurrent.TimeUnit;

/**
 * Two joined peers: what one sends the other receives, from the same buffer. Confined to the relay's loop.
 *
 * <ul>
 *   <li>Back-pressure: a peer is not received from while the other one holds more than {@link #HELD_BYTES_MAX}.
 *   <li>Rate: a peer is not received from while an account owes bytes.
 *   <li>Ends: the end of one direction is passed on; a connection that breaks takes the other down with a reset.
 * </ul>
 */
final class RelayPair implements ConnectionHandler {
    /** The most bytes held for a slow peer, besides a late buffer. */
    static final long HELD_BYTES_MAX = 128 * 1024;

    /** Reasons not to receive from a peer: bits of a set. */
    private static final int SLOW_RECEIVER = 1;

    private static final int OWED_BYTES = 2;

    private final RelayServer relay;
    private final Side host;
    private final Side guest;
    private long movedAt;

    /** One peer: what comes from it. */
    private static final class Side {
        private final Connection connection;
        private final RelayAccount account;
        private int stopped;
        private Stream stream = Stream.OPEN;

        private Side(RelayVisitor visitor) {
            this.connection = visitor.connection();
            this.account = visitor.account();
        }

        private boolean isClosed() {
            return stream == Stream.CLOSED_WHOLE || stream == Stream.CLOSED_TORN;
        }

        private void stop(int reason) {
            if (stopped == 0) {
                connection.stopReceiving();
            }
            stopped |= reason;
        }

        private void resume(int reason) {
            if ((stopped & reason) != 0) {
                stopped &= ~reason;
                if (stopped == 0 && !isClosed()) {
                    connection.startReceiving();
                }
            }
        }

        private void abort() {
            if (!isClosed()) {
                connection.abort();
            }
        }
    }

    /** The progress of the bytes from a peer. */
    private enum Stream {
        OPEN,
        ENDED,
        /** Closed after its end. */
        CLOSED_WHOLE,
        /** Closed before its end. */
        CLOSED_TORN
    }

    RelayPair(RelayServer relay, RelayVisitor host, RelayVisitor guest, long now) {
        this.relay = relay;
        this.host = new Side(host);
        this.guest = new Side(guest);
        this.movedAt = now;
    }

    /** Becomes the handler of both connections, which are receiving or not, and passes on from now on. */
    void start() {
        host.connection.handler(this);
        guest.connection.handler(this);
        host.connection.startReceiving();
        guest.connection.startReceiving();
    }

    /** Counts this pair, or no longer, with the addresses of both peers. */
    void addToAccounts(int count) {
        host.account.addPairs(count);
        if (!host.account.equals(guest.account)) {
            guest.account.addPairs(count);
        }
    }

    /** Returns true when nothing has moved for so long. */
    boolean isIdle(long now, long limitNanos) {
        return now - movedAt >= limitNanos;
    }

    /** Ends both connections with a reset. */
    void abort() {
        host.abort();
        guest.abort();
    }

    private Side side(Connection connection) {
        return connection.equals(host.connection) ? host : guest;
    }

    private Side opposite(Side side) {
        return side.equals(host) ? guest : host;
    }

    @Override
    public void onReceived(Connection connection, Slab buffer) {
        Side from = side(connection);
        Side to = opposite(from);
        int count = buffer.length();
        if (to.isClosed()) {
            buffer.release();
            return;
        }
        to.connection.send(buffer);
        if (to.connection.queuedBytes() > HELD_BYTES_MAX) {
            from.stop(SLOW_RECEIVER);
        }
        charge(from, to, count);
    }

    private void charge(Side from, Side to, int count) {
        long now = System.nanoTime();
        movedAt = now;
        relay.counters().passed(count);
        long pause = relay.accounts().total().charge(count, now);
        pause = later(pause, from.account.charge(count, now));
        if (!to.account.equals(from.account)) {
            pause = later(pause, to.account.charge(count, now));
        }
        if (pause == RelayAccount.USED_UP) {
            relay.counters().refused(RelayAnswer.QUOTA_USED_UP);
            abort();
        } else if (pause > 0) {
            from.stop(OWED_BYTES);
            long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(pause));
            connection(from).loop().schedule(millis, () -> from.resume(OWED_BYTES));
        }
    }

    private static Connection connection(Side side) {
        return side.connection;
    }

    private static long later(long a, long b) {
        return a == RelayAccount.USED_UP || b == RelayAccount.USED_UP ? RelayAccount.USED_UP : Math.max(a, b);
    }

    @Override
    public void onSent(Connection connection) {
        movedAt = System.nanoTime();
        if (connection.queuedBytes() <= HELD_BYTES_MAX / 2) {
            opposite(side(connection)).resume(SLOW_RECEIVER);
        }
    }

    @Override
    public void onEndOfStream(Connection connection) {
        Side from = side(connection);
        from.stream = Stream.ENDED;
        Side to = opposite(from);
        if (!to.isClosed()) {
            to.connection.shutdownOutput();
        }
    }

    @Override
    public void onFailed(Connection connection, ConnectionFailure failure) {
        opposite(side(connection)).abort();
    }

    @Override
    public void onClosed(Connection connection) {
        Side from = side(connection);
        Side other = opposite(from);
        from.stream = from.stream == Stream.ENDED ? Stream.CLOSED_WHOLE : Stream.CLOSED_TORN;
        if (from.stream == Stream.CLOSED_TORN || other.stream == Stream.OPEN) {
            other.abort();
        }
        if (other.isClosed()) {
            relay.ended(this);
        }
        relay.closed();
    }
}
