package dev.sluice.transfer.meet;

import dev.sluice.ffi.libc.Constants;
import dev.sluice.ffi.libc.Errno;
import java.net.InetSocketAddress;

/**
 * An attempt to reach the peer: a connect and, through a relay, the request and its answers. Confined to one thread.
 *
 * <pre>
 * CONNECTING ──▶ MET                        directly
 * CONNECTING ──▶ ASKED ──▶ [WAITING] ──▶ MET  by a relay
 *       any  ──▶ FAILED
 * </pre>
 */
final class Dial implements AutoCloseable {
    /** The progress of an attempt. */
    enum State {
        CONNECTING,
        /** The relay has the request. */
        ASKED,
        /** The relay waits for the peer. */
        WAITING,
        MET,
        FAILED
    }

    private final MeetSockets sockets;
    private final MeetPath path;
    private final InetSocketAddress address;
    private final byte[] request;
    private int descriptor;
    private State state = State.CONNECTING;
    private String cause = "no answer";
    private boolean refused;

    private Dial(MeetSockets sockets, MeetPath path, InetSocketAddress address, byte[] request) throws MeetException {
        this.sockets = sockets;
        this.path = path;
        this.address = address;
        this.request = request;
        this.descriptor = sockets.connect(address);
        if (descriptor < 0) {
            fail(Errno.describe(descriptor));
        } else {
            sockets.watch(descriptor, Constants.EPOLLOUT);
        }
    }

    /** Starts a connection to the peer itself. */
    static Dial direct(MeetSockets sockets, MeetPath path, InetSocketAddress address) throws MeetException {
        return new Dial(sockets, path, address, new byte[0]);
    }

    /** Starts a connection by a relay. */
    static Dial relay(MeetSockets sockets, InetSocketAddress relay, RelayRequest request) throws MeetException {
        return new Dial(sockets, MeetPath.RELAY, relay, request.encode());
    }

    int descriptor() {
        return descriptor;
    }

    State state() {
        return state;
    }

    InetSocketAddress address() {
        return address;
    }

    boolean isOver() {
        return state == State.MET || state == State.FAILED;
    }

    /** Returns true when a relay has refused: trying again at once is of no use. */
    boolean isRefused() {
        return refused;
    }

    /** Returns path, address and cause, for the message of a failure. */
    String describe() {
        String where = switch (path) {
            case DIRECT -> "";
            case LAN -> "LAN ";
            case RELAY -> "relay ";
        };
        return where + AddressText.of(address) + ": " + cause;
    }

    /** Continues after the socket has become ready. */
    void advance() {
        if (state == State.CONNECTING) {
            connected();
        } else if (state == State.ASKED || state == State.WAITING) {
            answered();
        }
    }

    private void connected() {
        int result = sockets.connectResult(descriptor);
        if (result < 0) {
            fail(Errno.describe(result));
        } else if (request.length == 0) {
            state = State.MET;
        } else if (sockets.send(descriptor, request) != request.length) {
            fail("connection lost");
        } else {
            state = State.ASKED;
            sockets.keepAlive(descriptor);
            sockets.watch(descriptor, Constants.EPOLLIN);
        }
    }

    private void answered() {
        int code = sockets.receiveByte(descriptor);
        if (code == -Errno.EAGAIN || code == -Errno.EINTR) {
            return;
        }
        RelayAnswer answer = code < 0 ? null : RelayAnswer.of((byte) code);
        if (answer == RelayAnswer.JOINED) {
            state = State.MET;
        } else if (answer == RelayAnswer.WAITING) {
            state = State.WAITING;
            cause = "the peer did not come";
        } else {
            refused = answer != null;
            fail(code < 0 ? Errno.describe(code) : answer == null ? "not a relay" : answer.text());
        }
    }

    private void fail(String why) {
        cause = why;
        state = State.FAILED;
        close();
    }

    /** Gives the connected socket to the caller. */
    Met take() {
        sockets.forget(descriptor);
        Met met = new Met(descriptor, path, address);
        descriptor = -1;
        return met;
    }

    /** Gives the attempt up. Idempotent. */
    @Override
    public void close() {
        if (descriptor >= 0) {
            sockets.closeDescriptor(descriptor);
            descriptor = -1;
        }
    }
}
