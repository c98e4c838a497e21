package dev.sluice.bench.calls;

import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** The keys of both sides of a secure channel, in files that both processes read. */
final class ChannelKeys implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ChannelSettings SETTINGS = ChannelSettings.DEFAULT.withSilenceLimit(Duration.ZERO);

    private final OwnKey client;
    private final OwnKey server;

    /** Reads the keys in a directory, or makes them. */
    ChannelKeys(Path directory) throws IOException {
        this.client = OwnKey.loadOrCreate(directory.resolve("client.key"), OwnKeyType.P_256);
        this.server = OwnKey.loadOrCreate(directory.resolve("server.key"), OwnKeyType.P_256);
    }

    /** Connects to a port of this machine. */
    SecureChannel connect(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        ChannelSocket socket = ChannelSocket.connect(address, LIMIT);
        return SecureChannel.connect(socket, client, AllowedKeys.of(server.fingerprint()), SETTINGS);
    }

    /** Accepts a connection. */
    SecureChannel accept(ChannelListener listener) throws IOException {
        return SecureChannel.accept(listener.accept(LIMIT), server, AllowedKeys.of(client.fingerprint()), SETTINGS);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
