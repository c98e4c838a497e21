package dev.sluice.gateway.control;

import dev.sluice.gateway.outcome.GatewayStartException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;

/** A check for a running gateway on an admin socket's path, which must not be taken from it. */
public final class AdminProbe {
    /** The time limit for a running gateway to answer with its state. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private static final int ANSWER_BYTES_MAX = 64;

    /** S_IFMT and S_IFSOCK, inode(7). */
    private static final int FILE_TYPE = 0xF000;

    private static final int SOCKET = 0xC000;

    private AdminProbe() {}

    /**
     * Returns when nobody serves at a path: nothing is there, or a socket that nobody listens on, or that of a gateway
     * that drains and is about to end.
     *
     * @throws GatewayStartException when somebody does, or something else lies there
     */
    public static void requireUnused(Path path) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isSocket(path)) {
            throw new GatewayStartException(
                    "admin socket " + path
                            + " cannot be made (something else than a socket lies there); remove it, or name another"
                            + " path",
                    new FileAlreadyExistsException(path.toString()));
        }
        try (SocketChannel channel = connect(path)) {
            if (!LifeCommands.DRAINING.equals(state(channel))) {
                throw new GatewayStartException(
                        "admin socket " + path
                                + " is in use (another gateway is running and answers there); stop that one, have this"
                                + " one take its place by --replace, or name another path",
                        new BindException(path.toString()));
            }
        } catch (ConnectException nobody) {
            // Left behind by a process that was killed.
        } catch (IOException e) {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new GatewayStartException(
                        "admin socket " + path + " cannot be made (what lies there cannot be asked whether it is in"
                                + " use: "
                                + e.getMessage() + "); run this as the user of the gateway there, or name another path",
                        e);
            }
        }
    }

    private static boolean isSocket(Path path) {
        try {
            int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & FILE_TYPE) == SOCKET;
        } catch (IOException gone) {
            return true;
        }
    }

    private static SocketChannel connect(Path path) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false); // one whose queue is full must not hold this up
            var _ = channel.connect(UnixDomainSocketAddress.of(path));
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Returns the answer received within the time limit, or the beginning of it; a gateway of a version that does not
     * know the word answers with an error.
     */
    private static String state(SocketChannel channel) throws IOException {
        if (!channel.isConnected()) {
            return "";
        }
        var _ = channel.write(ByteBuffer.wrap((LifeCommands.STATE + "\n").getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES_MAX);
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            long deadline = System.nanoTime() + ANSWER_LIMIT.toNanos();
            for (long left = ANSWER_LIMIT.toMillis(); left > 0; left = (deadline - System.nanoTime()) / 1_000_000) {
                var _ = selector.select(left);
                if (channel.read(answer) < 0 || !answer.hasRemaining()) {
                    break;
                }
            }
        }
        return new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
    }
}
