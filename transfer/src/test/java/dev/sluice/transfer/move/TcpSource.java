package dev.sluice.transfer.move;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import dev.sluice.transfer.protocol.ChannelWire;
import dev.sluice.transfer.tree.Filters;
import dev.sluice.transfer.tree.SourceTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of a directory on a port of loopback, over secure channels, and the key of its only client. */
final class TcpSource implements AutoCloseable {
    static final ChannelSettings SETTINGS = ChannelSettings.DEFAULT.withSilenceLimit(Duration.ofSeconds(20));

    private static final Duration POLL = Duration.ofMillis(50);

    private final OwnKey serverKey = OwnKey.generate(OwnKeyType.ED25519);
    private final OwnKey clientKey = OwnKey.generate(OwnKeyType.ED25519);
    private final ChannelListener listener = ChannelListener.open(loopback(0));
    private final ChannelSettings settings;
    private final SourceTree tree;
    private final Sender sender;
    private final Thread accepting;
    private final List<Thread> serving = new ArrayList<>();
    private final List<IOException> failures = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    TcpSource(Path directory) throws IOException {
        this(directory, SETTINGS);
    }

    TcpSource(Path directory, ChannelSettings settings) throws IOException {
        this.settings = settings;
        tree = SourceTree.contentsOf(directory, Filters.NONE);
        sender = new Sender(tree, BandwidthLimit.NONE);
        accepting = Thread.ofPlatform().start(this::acceptAll);
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.address();
    }

    /** Returns a factory of streams that connect to an address, this server's or a relay's before it. */
    StreamFactory streamsTo(InetSocketAddress address) {
        return number -> new ChannelWire(SecureChannel.connect(
                ChannelSocket.connect(address, Duration.ofSeconds(10)),
                clientKey,
                AllowedKeys.of(serverKey.fingerprint()),
                settings));
    }

    /** Pulls everything into a directory. */
    Trees.Result pullTo(Path target, ReceiverOptions options) throws IOException {
        return pull(streamsTo(address()), target, options);
    }

    Trees.Result pull(StreamFactory streams, Path target, ReceiverOptions options) throws IOException {
        long before = sender.progress().snapshot().bytesTransferred();
        List<TransferEvent> events = new ArrayList<>();
        Receiver receiver = new Receiver(target, options, events::add);
        var summary = receiver.pull(streams.open(0), Trees.ID, streams);
        return new Trees.Result(summary, events, sender.progress().snapshot().bytesTransferred() - before);
    }

    /** Returns the failures of the streams that were served, so far. */
    List<IOException> failures() {
        return failures;
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
            SecureChannel channel =
                    SecureChannel.accept(socket, serverKey, AllowedKeys.of(clientKey.fingerprint()), settings);
            sender.serve(new ChannelWire(channel));
        } catch (IOException e) {
            failures.add(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        Sender.joinAll(List.of(accepting));
        Sender.joinAll(serving);
        listener.close();
        tree.close();
        serverKey.close();
        clientKey.close();
    }
}
