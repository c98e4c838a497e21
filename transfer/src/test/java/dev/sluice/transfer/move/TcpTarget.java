package dev.sluice.transfer.move;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.protocol.TransferSummary;
import dev.sluice.transfer.tree.TransferException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on a port of loopback that one client pushes to, over secure channels, and the client's key. */
final class TcpTarget implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);

    private final OwnKey serverKey = OwnKey.generate(OwnKeyType.ED25519);
    private final OwnKey clientKey = OwnKey.generate(OwnKeyType.ED25519);
    private final ChannelListener listener = ChannelListener.open(TcpSource.loopback(0));
    private final TransferServer server;
    private final Thread accepting;
    private final List<Thread> serving = new ArrayList<>();
    private final List<TransferSummary> summaries = new CopyOnWriteArrayList<>();
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    TcpTarget(Path directory, ReceiverOptions options, TransferListener events) throws IOException {
        server = new TransferServer(null, peer -> {
            Receiver receiver = new Receiver(directory, options, events);
            receivers.add(receiver);
            return receiver;
        });
        accepting = Thread.ofPlatform().start(this::acceptAll);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.address();
    }

    /** Returns the connections that were lost. */
    long losses() {
        return receivers.stream()
                .mapToLong(receiver -> receiver.progress().streamsLost())
                .sum();
    }

    /** Returns the summaries of the transfers that have ended in order. */
    List<TransferSummary> summaries() {
        return summaries;
    }

    /** Returns a factory of streams that connect to an address, this server's or a relay's before it. */
    StreamFactory streamsTo(InetSocketAddress address) {
        return number -> new ChannelWire(SecureChannel.connect(
                ChannelSocket.connect(address, Duration.ofSeconds(10)),
                clientKey,
                AllowedKeys.of(serverKey.fingerprint()),
                TcpSource.SETTINGS));
    }

    private void acceptAll() {
        while (!closed) {
            try {
                ChannelSocket socket = listener.accept(POLL);
                serving.add(Thread.ofPlatform().start(() -> serve(socket)));
            } catch (ChannelException nobody) {
                // Nobody connected in time: look for the end, then accept again.
            }
        }
    }

    private void serve(ChannelSocket socket) {
        try {
            TransferSummary summary = server.serve(
                    new ChannelWire(SecureChannel.accept(
                            socket, serverKey, AllowedKeys.of(clientKey.fingerprint()), TcpSource.SETTINGS)),
                    "client");
            if (summary != null) {
                summaries.add(summary);
            }
        } catch (ChannelException | TransferException e) {
            // The client sees it too, and its test judges.
            return;
        }
    }

    @Override
    public void close() {
        closed = true;
        server.cancel();
        Sender.joinAll(List.of(accepting));
        Sender.joinAll(serving);
        listener.close();
        serverKey.close();
        clientKey.close();
    }
}
