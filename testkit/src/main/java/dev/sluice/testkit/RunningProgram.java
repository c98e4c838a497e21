package dev.sluice.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A started program. Its output and errors are read continuously, so that it never blocks on a full pipe. Thread-safe.
 */
public final class RunningProgram implements AutoCloseable {
    private static final Duration GRACE_AFTER_KILL = Duration.ofSeconds(10);

    private final String command;
    private final Process process;
    private final Capture output;
    private final Capture errors;

    RunningProgram(String command, Process process, byte[] input, boolean inputStaysOpen) {
        this.command = command;
        this.process = process;
        this.output = new Capture(command + " output", process.getInputStream());
        this.errors = new Capture(command + " errors", process.getErrorStream());
        Thread.ofVirtual().name(command + " input").start(() -> feed(input, inputStaysOpen));
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the program is still running. */
    public boolean isRunning() {
        return process.isAlive();
    }

    /** Returns its standard output so far. */
    public String output() {
        return output.text();
    }

    /** Returns its standard error so far. */
    public String errors() {
        return errors.text();
    }

    /**
     * Waits until the program has written a text, to output or errors.
     *
     * @throws AssertionError when it ends first or the limit is reached
     */
    public void awaitOutput(String text, Duration limit) {
        Waiting.until(limit, () -> hasWritten(text) || !isRunning(), () -> "no '" + text + "' from " + this);
        if (!hasWritten(text)) {
            awaitExit(GRACE_AFTER_KILL); // its last output is still in transit
        }
        if (!hasWritten(text)) {
            throw new AssertionError("ended before it wrote '" + text + "': " + this);
        }
    }

    /** Writes to its standard input; only for commands with open input. */
    public void type(String text) throws IOException {
        OutputStream stream = process.getOutputStream();
        stream.write(text.getBytes(StandardCharsets.UTF_8));
        stream.flush();
    }

    /** Closes its standard input. */
    public void endInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Sends SIGTERM and returns at once. */
    public void terminate() {
        // Process.destroy() would also close the pipes and lose the program's last output.
        process.toHandle().destroy();
    }

    /** Sends SIGHUP, as an operator does to reload the configuration. */
    public void hangUp() {
        HangUpSignal.requireDefault();
        ForeignProgram.required("sh", "dash")
                .command("-c", "kill -HUP " + pid())
                .start()
                .awaitExit(GRACE_AFTER_KILL);
    }

    /** Stops the program by SIGSTOP, and waits until it has stopped: its connections stay open without answers. */
    public void suspend() {
        signal("-STOP");
        Waiting.until(GRACE_AFTER_KILL, this::isSuspended, () -> "not stopped: " + this);
    }

    /** Continues the program after {@link #suspend}. */
    public void resume() {
        signal("-CONT");
    }

    private void signal(String name) {
        ForeignProgram.required("kill", "procps")
                .command(name, Long.toString(pid()))
                .run()
                .expectSuccess();
    }

    private boolean isSuspended() {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid()), "status"))
                    .contains("\nState:\tT");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits for the program's exit.
     *
     * @throws AssertionError when the limit is reached
     */
    public ForeignResult awaitExit(Duration limit) {
        waitFor(limit, process::isAlive);
        output.join(GRACE_AFTER_KILL);
        errors.join(GRACE_AFTER_KILL);
        return new ForeignResult(command, process.exitValue(), output.bytes(), errors.bytes());
    }

    /** Kills the program and its children, and waits until they are gone. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        waitFor(GRACE_AFTER_KILL, process::isAlive);
    }

    private boolean hasWritten(String text) {
        return output().contains(text) || errors().contains(text);
    }

    private void waitFor(Duration limit, BooleanSupplier stillThere) {
        try {
            process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (stillThere.getAsBoolean()) {
            process.destroyForcibly();
            throw new AssertionError("still running after " + limit + ": " + this);
        }
    }

    private void feed(byte[] input, boolean inputStaysOpen) {
        try {
            OutputStream stream = process.getOutputStream();
            stream.write(input);
            stream.flush();
            if (!inputStaysOpen) {
                stream.close();
            }
        } catch (IOException e) {
            // The program ended, or closed its input, without reading all of it, which is allowed.
        }
    }

    @Override
    public String toString() {
        return command + "\n-- output so far:\n" + output() + "\n-- errors so far:\n" + errors();
    }

    /** A thread that reads a stream to its end. */
    private static final class Capture {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread reader;

        Capture(String name, InputStream stream) {
            reader = Thread.ofVirtual().name(name).start(() -> {
                try (stream) {
                    stream.transferTo(bytes);
                } catch (IOException e) {
                    // The process was killed: the output ends here.
                }
            });
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        void join(Duration limit) {
            try {
                reader.join(limit);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
