package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A real {@code redis-server} on its own port of the loopback address, with data in memory only. The test is skipped
 * where it is not installed. Confined to one thread.
 */
public final class RedisServer implements AutoCloseable {
    private static final Duration START_LIMIT = Waiting.LIMIT;

    private final int port = FreePort.onLoopback();
    private final List<String> options;
    private RunningProgram program;

    private RedisServer(List<String> options) {
        this.options = options;
        this.program = launch();
    }

    /**
     * Starts a server.
     *
     * @param options additional options, such as {@code "--requirepass", "secret"}
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
        Waiting.until(
                START_LIMIT,
                () -> FreePort.isTaken(port) || !started.isRunning(),
                () -> "redis does not listen: " + started);
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

    /** Returns its port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** Returns its address, such as {@code redis://127.0.0.1:40001}. */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    /** Kills the server, without a chance to save anything. */
    public void kill() {
        program.close();
    }

    /** Restarts the server on the same port, empty. */
    public void restartEmpty() {
        kill();
        startAgain();
    }

    /** Starts the server on the same port after {@link #kill}. */
    public void startAgain() {
        program = launch();
    }

    /** Stops the server with SIGSTOP: connections stay open without answers. */
    public void suspend() {
        program.suspend();
    }

    /** Continues the server after {@link #suspend}. */
    public void resume() {
        program.resume();
    }

    @Override
    public void close() {
        kill();
    }
}
