package dev.sluice.gateway.takeover;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One gateway in the place of another, without a gap: the running one passes copies of its listening sockets on, both accept
 * from the same queues for a moment, then the old one stops, serves what it has accepted, and ends. That a queue never loses
 * its last owner is what keeps connections in it from being reset: two sockets that merely share an address
 * (SO_REUSEPORT) have a queue each.
 *
 * <p>Speaks to the running gateway over its admin socket. For one thread.
 */
public final class Takeover implements AutoCloseable {
    /** Connected while the path still leads to the old one; the new one takes the path over when it starts. */
    private final SocketChannel forDrain;

    private final InheritedSockets sockets;

    private Takeover(SocketChannel forDrain, InheritedSockets sockets) {
        this.forDrain = forDrain;
        this.sockets = sockets;
    }

    /**
     * Asks a running gateway for its sockets; it goes on serving.
     *
     * @param admin its admin socket
     * @return null when nobody listens there: there is nothing to replace
     * @throws IOException when one does, and does not pass them on: value, cause and remedy
     */
    public static @Nullable Takeover begin(Path admin) throws IOException {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(admin));
        } catch (ConnectException nobody) {
            return null;
        } catch (SocketException e) {
            if (!Files.exists(admin)) {
                return null;
            }
            throw new IOException(
                    "admin socket " + admin + " of the running gateway cannot be used (" + e.getMessage()
                            + "); run this as its user",
                    e);
        }
        try {
            return new Takeover(channel, sockets(admin));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static InheritedSockets sockets(Path admin) throws IOException {
        Path directory = Files.createTempDirectory("sluice");
        Path path = directory.resolve("s");
        try (DescriptorSocket socket = DescriptorSocket.listen(path);
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(admin))) {
            String answer = ask(channel, "handover " + path);
            if (!answer.startsWith("ok\n")) {
                throw new IOException("the running gateway does not pass its sockets on: "
                        + answer.substring(answer.indexOf('\n') + 1).strip()
                        + "; stop it, and start this one without --replace");
            }
            socket.accept();
            return PassedSockets.receive(socket);
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
    }

    private static String ask(SocketChannel channel, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }

    /** What the running gateway listens on: the caller's to pass on or close. */
    public InheritedSockets sockets() {
        return sockets;
    }

    /** Has the old gateway accept no more, serve what it has, and end; returns when it accepts no more. */
    public void complete() throws IOException {
        String answer = ask(forDrain, "drain");
        if (!answer.startsWith("ok\n")) {
            throw new IOException("the replaced gateway does not drain: "
                    + answer.substring(answer.indexOf('\n') + 1).strip() + "; send it SIGTERM");
        }
    }

    @Override
    public void close() throws IOException {
        forDrain.close();
        sockets.close();
    }
}
