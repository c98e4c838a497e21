package dev.sluice.transfer.meet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The guest's part of discovery: queries, repeated since datagrams get lost, and their answers. One thread. */
final class LanSearch implements AutoCloseable {
    private static final long FIRST_REPEAT_NANOS = Duration.ofMillis(100).toNanos();
    private static final long REPEAT_NANOS_MAX = Duration.ofSeconds(5).toNanos();

    /** The most datagrams read in one poll, so that a flood of them does not hold up the rest. */
    private static final int READS_MAX = 64;

    private final LanSettings settings;
    private final RendezvousId id;
    private final LanDatagram query;
    private final Map<ProtocolFamily, DatagramChannel> sockets = new LinkedHashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(LanDatagram.BYTES + 1);
    private long nextQuery;
    private long repeatNanos = FIRST_REPEAT_NANOS;

    LanSearch(LanSettings settings, RendezvousId id) {
        this.settings = settings;
        this.id = id;
        this.query = LanDatagram.query(id);
        this.nextQuery = System.nanoTime();
        open(StandardProtocolFamily.INET);
        open(StandardProtocolFamily.INET6);
    }

    private void open(ProtocolFamily family) {
        try {
            DatagramChannel socket = DatagramChannel.open(family);
            sockets.put(family, socket);
            socket.configureBlocking(false);
            if (family == StandardProtocolFamily.INET) {
                socket.setOption(StandardSocketOptions.SO_BROADCAST, true);
            }
        } catch (IOException | UnsupportedOperationException e) {
            // This machine lacks the family.
        }
    }

    /** Sends the query when it is due; returns the address in an answer, null when there is none now. */
    @Nullable
    InetSocketAddress poll() {
        long now = System.nanoTime();
        if (now - nextQuery >= 0) {
            nextQuery = now + repeatNanos;
            repeatNanos = Math.min(REPEAT_NANOS_MAX, 2 * repeatNanos);
            sockets.forEach((family, socket) -> LanInterfaces.send(socket, family, settings.port(), query.encode()));
        }
        for (DatagramChannel socket : sockets.values()) {
            InetSocketAddress found = read(socket);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable InetSocketAddress read(DatagramChannel socket) {
        for (int i = 0; i < READS_MAX; i++) {
            try {
                InetSocketAddress from = (InetSocketAddress) socket.receive(buffer.clear());
                if (from == null) {
                    return null;
                }
                LanDatagram answer = LanDatagram.decode(buffer.flip());
                if (answer != null && answer.answers(query, id)) {
                    return new InetSocketAddress(from.getAddress(), answer.port());
                }
            } catch (IOException e) {
                return null;
            }
        }
        return null;
    }

    @Override
    public void close() {
        for (DatagramChannel socket : sockets.values()) {
            try {
                socket.close();
            } catch (IOException e) {
                // Closed for our purposes.
            }
        }
    }
}
