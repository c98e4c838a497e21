package dev.sluice.gateway.control;

import dev.sluice.gateway.outcome.GatewayStartException;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * The command endpoint of a running gateway: a Unix socket that only its own user, and root, can connect to.
 *
 * <p>A client writes one line and reads to the end: {@code ok} or {@code error} in a line of its own, then text. Each
 * connection has a virtual thread, so that a command that waits holds up nobody.
 */
public final class AdminSocket implements AutoCloseable {
    static final int LINE_BYTES_MAX = 8 * 1024;

    /** Answers one line. */
    @FunctionalInterface
    public interface Commands {
        /**
         * Does what a line says, and returns what to tell.
         *
         * @throws CommandException when it cannot be done
         */
        String answer(String line) throws CommandException;
    }

    /** A command cannot be done; the message names value, cause and remedy. */
    static final class CommandException extends Exception {
        private static final long serialVersionUID = 1L;

        CommandException(String message) {
            super(message);
        }
    }

    private final Path path;
    /** The path of the socket until it is published, in a directory of its own. */
    private final Path hidden;

    private final ServerSocketChannel server;
    private final Commands commands;
    private final Object file;

    private AdminSocket(Path path, Path hidden, ServerSocketChannel server, Commands commands) throws IOException {
        this.path = path;
        this.hidden = hidden;
        this.server = server;
        this.commands = commands;
        this.file = fileKey(hidden);
    }

    /**
     * Makes a socket beside its path, where nobody finds it, and touches nothing at the path: at no time can others
     * connect to it.
     *
     * @return the caller closes it
     * @throws GatewayStartException when that is not possible
     */
    public static AdminSocket prepare(Path path, Commands commands) {
        try {
            Path directory = Files.createTempDirectory(path.toAbsolutePath().getParent(), ".s");
            Path hidden = directory.resolve("s");
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                server.bind(UnixDomainSocketAddress.of(hidden));
                Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-------"));
                AdminSocket socket = new AdminSocket(path, hidden, server, commands);
                Thread.ofVirtual().name("admin").start(socket::accept);
                return socket;
            } catch (IOException | RuntimeException e) {
                server.close();
                discard(hidden);
                throw e;
            }
        } catch (IOException e) {
            throw notMade(path, e);
        }
    }

    private static GatewayStartException notMade(Path path, IOException cause) {
        return new GatewayStartException(
                "admin socket " + path + " cannot be made (" + cause + "); name one in a directory that user "
                        + System.getProperty("user.name") + " may write to",
                cause);
    }

    private static void discard(Path hidden) throws IOException {
        Files.deleteIfExists(hidden);
        Files.deleteIfExists(Objects.requireNonNull(hidden.getParent()));
    }

    /**
     * Listens at its path, unless a running gateway does.
     *
     * @throws GatewayStartException when one does, or it is not possible
     */
    public void publish() {
        AdminProbe.requireUnused(path);
        replace();
    }

    /**
     * Listens at its path in the place of whoever does.
     *
     * @throws GatewayStartException when that is not possible
     */
    public void replace() {
        try {
            Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
            discard(hidden);
        } catch (IOException e) {
            throw notMade(path, e);
        }
    }

    /** Device and inode, which no other file has while the socket is open. */
    private static Object fileKey(Path path) throws IOException {
        return Objects.requireNonNull(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey());
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel client = server.accept();
                Thread.ofVirtual().name("admin-client").start(() -> serve(client));
            } catch (IOException closedOrOutOfDescriptors) {
                pause();
            }
        }
    }

    /** Pauses, since the cause that keeps a connection from being accepted may last. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            String line = line(Channels.newInputStream(client));
            ByteBuffer answer = ByteBuffer.wrap(answer(commands, line).getBytes(StandardCharsets.UTF_8));
            while (answer.hasRemaining()) {
                client.write(answer);
            }
        } catch (IOException gone) {
            // The client went away: its own right.
        }
    }

    /** Reads a line without its end, and of a longer one the first {@value #LINE_BYTES_MAX} bytes. */
    static String line(InputStream input) throws IOException {
        byte[] bytes = new byte[LINE_BYTES_MAX];
        int length = 0;
        for (int next = input.read(); next >= 0 && next != '\n' && length < bytes.length; next = input.read()) {
            bytes[length++] = (byte) next;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Returns the answer to a line. */
    static String answer(Commands commands, String line) {
        try {
            return "ok\n" + commands.answer(line.strip());
        } catch (CommandException e) {
            return "error\n" + e.getMessage() + "\n";
        } catch (RuntimeException e) {
            return "error\nan error of our own, please report it: " + e + "\n";
        }
    }

    /** Stops listening. The file goes too, unless another gateway has taken its place. */
    @Override
    public void close() {
        try {
            // Before the socket is closed: then another file may get its inode.
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && fileKey(path).equals(file)) {
                Files.delete(path);
            }
            discard(hidden);
        } catch (IOException leftBehind) {
            // A socket's file that nobody listens on does no harm.
        } finally {
            closeServer();
        }
    }

    private void closeServer() {
        try {
            server.close();
        } catch (IOException gone) {
            // It is closed.
        }
    }
}
