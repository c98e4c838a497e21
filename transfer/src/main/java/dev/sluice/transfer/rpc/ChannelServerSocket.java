package dev.sluice.transfer.rpc;

import dev.sluice.transfer.channel.SecureChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A java.net.ServerSocket whose connections are channels that somebody else has accepted and authenticated, for
 * libraries that know nothing else. Thread-safe.
 */
public final class ChannelServerSocket extends ServerSocket {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final InetSocketAddress address;
    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        CLOSED
    }

    /** A channel to accept, or the close. */
    private record Event(@Nullable ChannelStreamSocket socket) {}

    /**
     * Creates a socket.
     *
     * @param address the address to report; nothing is bound
     * @throws IOException never
     */
    public ChannelServerSocket(InetSocketAddress address) throws IOException {
        this.address = address;
    }

    /**
     * Passes a channel on to the thread that accepts.
     *
     * @param channel owned from now on; closed if this socket is
     */
    public void add(SecureChannel channel, InetSocketAddress peer) throws IOException {
        ChannelStreamSocket socket = new ChannelStreamSocket(channel, peer);
        synchronized (events) {
            if (state == State.OPEN) {
                events.add(new Event(socket));
                return;
            }
        }
        socket.close();
    }

    @Override
    public Socket accept() throws IOException {
        try {
            ChannelStreamSocket socket = events.take().socket();
            if (socket == null) {
                events.add(new Event(null));
                throw new SocketException("Socket closed");
            }
            return socket;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SocketException("interrupted while accepting");
        }
    }

    @Override
    public void bind(SocketAddress ignored, int backlog) {
        // Somebody else listens.
    }

    @Override
    public boolean isBound() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return address;
    }

    @Override
    public int getLocalPort() {
        return address.getPort();
    }

    /** Accepts no more, and closes the channels that were not accepted. Idempotent. */
    @Override
    public void close() throws IOException {
        synchronized (events) {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            for (Event event = events.poll(); event != null; event = events.poll()) {
                if (event.socket() != null) {
                    event.socket().close();
                }
            }
            events.add(new Event(null));
        }
    }
}
