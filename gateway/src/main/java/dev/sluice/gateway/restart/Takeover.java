package dev.sluice.gateway.restart;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One gateway in the place of another, without a gap: the running one passes copies of its listening sockets on, both
 * accept from the same queues for a moment, then the old one stops, serves what it has accepted, and ends. That a queue
 * never loses its last owner is what keeps connections in it from being reset: two sockets that merely share an address
 * (SO_REUSEPORT) have a queue each.
 *
 * <p>Speaks to the running gateway over its admin socket. For one thread.
 */
public final class Takeover implements AutoCloseable {
    private static final String OK = "ok\n";

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
        SocketChannel channel = connect(admin);
        if (channel == null) {
            return null;
        }
        try {
            return new Takeover(channel, sockets(admin));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Returns whether a gateway runs that can be asked; it is asked for nothing.
     *
     * @param admin its admin socket
     * @throws IOException when somebody listens there who cannot be asked: value, cause and remedy
     */
    public static boolean isPossible(Path admin) throws IOException {
        try (SocketChannel channel = connect(admin)) {
            return channel != null;
        }
    }

    /** Returns a connection to an admin socket; null when nobody listens there. */
    private static @Nullable SocketChannel connect(Path admin) throws IOException {
        try {
            return SocketChannel.open(UnixDomainSocketAddress.of(admin));
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
    }

    private static InheritedSockets sockets(Path admin) throws IOException {
        Path directory = Files.createTempDirectory("sluice");
        Path path = directory.resolve("s");
        try (DescriptorSocket socket = DescriptorSocket.listen(path);
                SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(admin))) {
            // The running gateway answers when it has sent all, and the kernel holds only as many messages as its send
            // buffer takes.
            CompletableFuture<InheritedSockets> passed = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("hot restart").start(() -> receive(socket, passed));
            String answer = askOrWhy(channel, "handover " + path);
            if (answer.startsWith(OK)) {
                return received(passed);
            }
            endWait(path);
            received(passed).close();
            throw new IOException("the running gateway does not pass its sockets on: "
                    + answer.substring(answer.indexOf('\n') + 1).strip()
                    + "; stop it, and start this one without --replace");
        } finally {
            Files.deleteIfExists(path);
            Files.delete(directory);
        }
    }

    /** Nobody will connect who has not: we do, and send nothing. */
    private static void endWait(Path path) {
        try {
            DescriptorSocket.connect(path).close();
        } catch (IOException nobodyWaits) {
            // The running gateway has connected, and its end of the connection ends the wait.
        }
    }

    private static void receive(DescriptorSocket socket, CompletableFuture<InheritedSockets> passed) {
        try {
            socket.accept();
            passed.complete(PassedSockets.receive(socket));
        } catch (IOException | RuntimeException e) {
            passed.completeExceptionally(e);
        }
    }

    private static InheritedSockets received(CompletableFuture<InheritedSockets> passed) throws IOException {
        try {
            return passed.join();
        } catch (CompletionException e) {
            throw new IOException("the sockets of the running gateway did not arrive: " + e.getCause(), e);
        }
    }

    private static String askOrWhy(SocketChannel channel, String line) {
        try {
            return ask(channel, line);
        } catch (IOException gone) {
            return "error\nit does not answer (" + gone + ")";
        }
    }

    private static String ask(SocketChannel channel, String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Returns the sockets on which the running gateway listens: the caller's to pass on or close. */
    public InheritedSockets sockets() {
        return sockets;
    }

    /** Has the old gateway accept no more, serve what it has, and end; returns when it accepts no more. */
    public void complete() throws IOException {
        String answer = ask(forDrain, "drain");
        if (!answer.startsWith(OK)) {
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
