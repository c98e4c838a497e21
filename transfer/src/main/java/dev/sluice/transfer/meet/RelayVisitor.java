package dev.sluice.transfer.meet;

import dev.sluice.ffi.libc.RawMemory;
import dev.sluice.memory.Slab;
import dev.sluice.net.Connection;
import dev.sluice.net.ConnectionFailure;
import dev.sluice.net.ConnectionHandler;
import dev.sluice.net.TcpConnection;
import org.jspecify.annotations.Nullable;

/** A peer of the relay that is not joined: its request arrives, then it waits. Confined to the relay's loop. */
final class RelayVisitor implements ConnectionHandler {
    private enum State {
        REQUESTING,
        WAITING,
        /** Joined to another peer, which changes the connection's handler. */
        JOINED,
        /** Refused or gone; the connection closes. */
        LEAVING
    }

    private final RelayServer relay;
    private final TcpConnection connection;
    private final RelayAccount account;
    private final byte[] bytes = new byte[RelayRequest.BYTES];
    private long deadline;
    private int received;
    private State state = State.REQUESTING;
    private @Nullable RelayRequest request;

    /**
     * Creates a visitor, which its account counts until it is joined or leaves.
     *
     * @param deadline of the request, in System.nanoTime
     */
    RelayVisitor(RelayServer relay, TcpConnection connection, RelayAccount account, long deadline) {
        this.relay = relay;
        this.connection = connection;
        this.account = account;
        this.deadline = deadline;
    }

    TcpConnection connection() {
        return connection;
    }

    RelayAccount account() {
        return account;
    }

    /** Returns the request, null before it has arrived. */
    @Nullable
    RelayRequest request() {
        return request;
    }

    /** Waits for the other peer. */
    void await(long until) {
        state = State.WAITING;
        deadline = until;
        relay.answer(connection, RelayAnswer.WAITING);
    }

    /** Notes that the connection has another handler from now on. */
    void join() {
        state = State.JOINED;
    }

    /** Refuses a peer that is late. */
    void sweep(long now) {
        if (now - deadline >= 0) {
            refuse(state == State.WAITING ? RelayAnswer.WAITED_TOO_LONG : RelayAnswer.REQUEST_TOO_SLOW);
        }
    }

    /** Answers with a reason and closes. */
    void refuse(RelayAnswer reason) {
        leave();
        relay.refuse(connection, reason);
    }

    private void leave() {
        if (state != State.LEAVING) {
            state = State.LEAVING;
            relay.left(this);
        }
    }

    @Override
    public void onReceived(Connection from, Slab buffer) {
        int count = buffer.length();
        boolean wanted = state == State.REQUESTING && count <= bytes.length - received;
        if (wanted) {
            RawMemory.copy(buffer.payloadAddress(), bytes, received, count);
            received += count;
        }
        buffer.release();
        if (!wanted) {
            refuse(RelayAnswer.BAD_REQUEST);
        } else if (received == bytes.length) {
            complete();
        }
    }

    private void complete() {
        RelayRequest decoded = RelayRequest.decode(bytes);
        request = decoded;
        if (decoded == null) {
            refuse(RelayAnswer.BAD_REQUEST);
        } else {
            // A waiting peer must not send. Receiving stays on, so that one that does is refused.
            relay.arrived(this, decoded);
        }
    }

    @Override
    public void onEndOfStream(Connection from) {
        leave();
        connection.close();
    }

    @Override
    public void onSent(Connection from) {
        // An answer has left.
    }

    @Override
    public void onFailed(Connection from, ConnectionFailure failure) {
        // onClosed follows.
    }

    @Override
    public void onClosed(Connection from) {
        leave();
        relay.closed();
    }
}
