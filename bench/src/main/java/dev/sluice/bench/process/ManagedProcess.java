package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A child process with a managed lifetime. A shutdown hook ends all running ones when this process is ended by Ctrl-C
 * or SIGTERM.
 */
public final class ManagedProcess implements AutoCloseable {
    private static final int STOP_SECONDS = 3;
    private static final File NOTHING = new File("/dev/null");
    private static final int RUN_SECONDS_MAX = 120;
    private static final int LOG_TAIL_LINES = 12;
    private static final Set<ManagedProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> List.copyOf(RUNNING).forEach(ManagedProcess::close), "end-children"));
    }

    private final String name;
    private final Process process;
    private final Path log;

    private ManagedProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        RUNNING.add(this);
    }

    /**
     * Starts a process without input, and with its output in a file.
     *
     * @param name for messages
     * @param command program and arguments
     * @param environment variables added to this process's
     * @param log file for standard output and error
     */
    public static ManagedProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = builder(command, environment).redirectErrorStream(true);
        return launch(name, builder.redirectInput(NOTHING).redirectOutput(log.toFile()), log);
    }

    /** Starts a process with piped standard input and output; errors go to a file. */
    public static ManagedProcess startPiped(
            String name, List<String> command, Map<String, String> environment, Path log) {
        return launch(name, builder(command, environment).redirectError(log.toFile()), log);
    }

    /** Returns the process's id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether it is running. */
    public boolean alive() {
        return process.isAlive();
    }

    /** Returns its standard input, when piped. */
    public Writer input() {
        return process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Returns its standard output, when piped. */
    public BufferedReader output() {
        return process.inputReader(StandardCharsets.UTF_8);
    }

    /** Returns the ids of the process and all its descendants. */
    public List<Long> tree() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(ProcessHandle::pid)
                .toList();
    }

    /**
     * Checks that it is running.
     *
     * @throws BenchException when it has ended, with its last output
     */
    public void requireAlive() {
        if (!alive()) {
            throw new BenchException(name + " ended with exit code " + process.exitValue() + ":\n" + logTail());
        }
    }

    /**
     * Waits for its end.
     *
     * @throws BenchException when it fails, with its last output, or does not end within two minutes
     */
    public void requireSuccess() throws InterruptedException {
        if (!process.waitFor(RUN_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new BenchException(name + " runs for more than " + RUN_SECONDS_MAX + " s\n" + logTail());
        }
        if (process.exitValue() != 0) {
            requireAlive();
        }
    }

    /** Returns the number of lines that it has written to its log. */
    public long logLines() {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.count();
        } catch (IOException e) {
            throw new BenchException("cannot read the log of " + name + ": " + e.getMessage(), e);
        }
    }

    /** Returns its last output. */
    public String logTail() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** Asks it to terminate (SIGTERM); does not wait. */
    public void terminate() {
        process.destroy();
    }

    /**
     * Waits for its end, with any exit code.
     *
     * @throws BenchException when it still runs after the time limit
     */
    public void awaitEnd(int seconds) {
        if (!endsWithin(seconds)) {
            throw new BenchException(name + " has not ended after " + seconds + " s:\n" + logTail());
        }
    }

    /** Asks it to terminate, then kills it and its children; waits until they are gone. */
    @Override
    public void close() {
        if (!RUNNING.remove(this)) {
            return;
        }
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!endsWithin(STOP_SECONDS)) {
            process.destroyForcibly();
            endsWithin(STOP_SECONDS);
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }

    private boolean endsWithin(int seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static ProcessBuilder builder(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder;
    }

    private static ManagedProcess launch(String name, ProcessBuilder builder, Path log) {
        try {
            return new ManagedProcess(name, builder.start(), log);
        } catch (IOException e) {
            throw new BenchException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }
}
