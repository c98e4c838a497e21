package dev.sluice.transfer.meet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The host's part of discovery: answers queries for its id, on virtual threads, until it is closed. */
final class LanResponder implements AutoCloseable {
    /** The most answers of a second and socket, so that nobody uses a host to flood another machine. */
    private static final int ANSWERS_PER_SECOND = 50;

    private static final ProtocolFamily[] FAMILIES = {StandardProtocolFamily.INET, StandardProtocolFamily.INET6};

    private final RendezvousId id;
    private final int port;
    private final List<DatagramChannel> sockets = new ArrayList<>();

    /**
     * Starts to answer. A family that this machine lacks is left out.
     *
     * @param port the host's TCP port
     */
    LanResponder(LanSettings settings, RendezvousId id, int port) {
        this.id = id;
        this.port = port;
        for (ProtocolFamily family : FAMILIES) {
            DatagramChannel socket = open(family, settings.port());
            if (socket != null) {
                sockets.add(socket);
                Thread.ofVirtual().name("lan-responder").start(() -> answerAll(socket));
            }
        }
    }

    private static @Nullable DatagramChannel open(ProtocolFamily family, int port) {
        DatagramChannel socket = null;
        try {
            socket = DatagramChannel.open(family);
            // Several hosts on one machine: the group's datagrams reach all of them.
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(new InetSocketAddress(port));
            LanInterfaces.join(socket, family);
            return socket;
        } catch (IOException | UnsupportedOperationException e) {
            closeQuietly(socket);
            return null;
        }
    }

    private static void closeQuietly(@Nullable DatagramChannel socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // Closed for the caller's purposes.
            }
        }
    }

    /** Returns true when it can be found: at least one socket is open. */
    boolean isAvailable() {
        return !sockets.isEmpty();
    }

    private void answerAll(DatagramChannel socket) {
        TokenBucket answers = TokenBucket.perSecond(ANSWERS_PER_SECOND, System.nanoTime());
        ByteBuffer buffer = ByteBuffer.allocate(LanDatagram.BYTES + 1);
        while (socket.isOpen()) {
            try {
                SocketAddress from = socket.receive(buffer.clear());
                LanDatagram query = LanDatagram.decode(buffer.flip());
                if (query != null && query.asksFor(id) && answers.tryTake(System.nanoTime())) {
                    socket.send(ByteBuffer.wrap(query.answer(id, port).encode()), from);
                }
            } catch (IOException e) {
                // Closed, or an earlier answer was refused.
            }
        }
    }

    @Override
    public void close() {
        sockets.forEach(LanResponder::closeQuietly);
    }
}
