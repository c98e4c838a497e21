package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process of ours that answers each input line with a line. Its first line describes it. */
public final class AskedProcess implements AutoCloseable {
    private static final String OK = "ok";

    private final ManagedProcess process;
    private final Writer input;
    private final BufferedReader output;
    private final String library;

    private AskedProcess(ManagedProcess process) {
        this.process = process;
        this.input = process.input();
        this.output = process.output();
        this.library = reply().substring((OK + " library=").length());
    }

    /** Starts the process and waits until it is ready. */
    public static AskedProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        return new AskedProcess(ManagedProcess.startPiped(name, command, environment, log));
    }

    /** Returns the library that it reported. */
    public String library() {
        return library;
    }

    /** Returns its process's id. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether it is running. */
    public boolean alive() {
        return process.alive();
    }

    /** Sends a request and returns the answer. */
    public Answer ask(Object... words) {
        try {
            input.write(String.join(
                            " ", List.of(words).stream().map(String::valueOf).toList()) + "\n");
            input.flush();
        } catch (IOException e) {
            process.requireAlive();
            throw new BenchException("the process does not listen: " + e.getMessage(), e);
        }
        return Answer.of(reply());
    }

    private String reply() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new BenchException("the process ended:\n" + process.logTail());
            }
            if (!line.startsWith(OK)) {
                throw new BenchException(line);
            }
            return line;
        } catch (IOException e) {
            throw new BenchException("the process does not answer: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
