package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A real {@code redis-server} on a port of its own of the loopback address, that keeps its data in memory only. The test is
 * skipped where it is not installed. For one thread.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);

    private final int port = FreePort.onLoopback();
    private final List<String> options;
    private RunningProgram program;

    private RedisServer(List<String> options) {
        this.options = options;
        this.program = launch();
    }

    /**
     * Starts one.
     *
     * @param options more of them, such as {@code "--requirepass", "secret"}
     */
    public static RedisServer start(String... options) {
        return new RedisServer(List.of(options));
    }

    private RunningProgram launch() {
        List<String> line = new ArrayList<>(List.of(
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                directory().toString()));
        line.addAll(options);
        RunningProgram started = ForeignProgram.required("redis-server", "redis-server")
                .command(line.toArray(String[]::new))
                .start();
        Waiting.until(START_LIMIT, () -> answers() || !started.isRunning(), () -> "redis does not listen: " + started);
        return started;
    }

    private static Path directory() {
        try {
            Path directory = Files.createTempDirectory("sluice-redis");
            directory.toFile().deleteOnExit();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Its port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Its address, such as {@code redis://127.0.0.1:40001}. */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    /** Ends it, without a chance to save anything. */
    public void kill() {
        program.close();
    }

    /** Ends it and starts it on the same port, with nothing in it. */
    public void restartEmpty() {
        kill();
        startAgain();
    }

    /** Starts it on the same port after {@link #kill}. */
    public void startAgain() {
        program = launch();
    }

    /** Stops it by SIGSTOP: connections stay, and nobody answers. */
    public void suspend() {
        signal("-STOP");
    }

    /** Lets it go on. */
    public void resume() {
        signal("-CONT");
    }

    private void signal(String name) {
        ForeignProgram.required("kill", "procps")
                .command(name, Long.toString(program.pid()))
                .run()
                .expectSuccess();
    }

    @Override
    public void close() {
        kill();
    }
}
