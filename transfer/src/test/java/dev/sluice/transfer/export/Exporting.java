package dev.sluice.transfer.export;

import dev.sluice.transfer.channel.ChannelException;
import dev.sluice.transfer.channel.ChannelListener;
import dev.sluice.transfer.channel.ChannelSettings;
import dev.sluice.transfer.channel.ChannelSocket;
import dev.sluice.transfer.channel.SecureChannel;
import dev.sluice.transfer.files.FileProtocol;
import dev.sluice.transfer.identity.AllowedKeys;
import dev.sluice.transfer.identity.OwnKey;
import dev.sluice.transfer.identity.OwnKeyType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An export of a directory to one client over loopback, in this process. */
public final class Exporting implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final OwnKey key = OwnKey.generate(OwnKeyType.ED25519);
    private final OwnKey clientKey = OwnKey.generate(OwnKeyType.ED25519);
    private final ChannelListener listener;
    private volatile @Nullable SecureChannel accepted;
    private final CompletableFuture<String> end = new CompletableFuture<>();

    /** A conversation of the serving side. */
    @FunctionalInterface
    public interface Conversation {
        void serve(SecureChannel channel) throws Exception;
    }

    private Exporting(Conversation conversation) throws ChannelException {
        listener = ChannelListener.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("exporting").start(() -> run(conversation));
    }

    /** Serves a directory. */
    public static Exporting of(Path directory, ExportSettings settings) throws ChannelException {
        return new Exporting(channel -> {
            try (Export export = Export.open(directory, settings)) {
                export.serve(channel);
            }
        });
    }

    /** Serves by a conversation of the test. */
    public static Exporting by(Conversation conversation) throws ChannelException {
        return new Exporting(conversation);
    }

    private void run(Conversation conversation) {
        String failure = "ended";
        ChannelSettings settings =
                FileProtocol.settings(ChannelSettings.DEFAULT).withSilenceLimit(Duration.ofSeconds(60));
        try (ChannelSocket socket = listener.accept(LIMIT);
                SecureChannel channel =
                        SecureChannel.accept(socket, key, AllowedKeys.of(clientKey.fingerprint()), settings)) {
            accepted = channel;
            conversation.serve(channel);
        } catch (Exception e) {
            failure = e.toString();
        }
        end.complete(failure);
    }

    /** Connects; the caller closes the channel. */
    public SecureChannel connect(ChannelSettings settings) throws ChannelException {
        SocketAddress address = listener.address();
        ChannelSocket socket = ChannelSocket.connect(address, LIMIT);
        return SecureChannel.connect(socket, clientKey, AllowedKeys.of(key.fingerprint()), settings);
    }

    /** Ends the connection as a killed process does. */
    public void kill() {
        SecureChannel channel = accepted;
        if (channel != null) {
            channel.abort();
        }
    }

    /** Waits for the end of the conversation; returns "ended", or the failure. */
    public String end() {
        return end.join();
    }

    @Override
    public void close() {
        kill();
        end.join();
        listener.close();
        key.close();
        clientKey.close();
    }
}
