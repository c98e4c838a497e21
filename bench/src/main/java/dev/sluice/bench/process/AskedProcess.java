package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process of ours that is asked by a line and answers with a line. Its first line, unasked, tells what it is. */
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

    /** Starts it; returns when it is ready to be asked. */
    public static AskedProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        return new AskedProcess(ManagedProcess.startPiped(name, command, environment, log));
    }

    /** What it runs on, as it told. */
    public String library() {
        return library;
    }

    /** Its process's id. */
    public long pid() {
        return process.pid();
    }

    /** Whether it runs. */
    public boolean alive() {
        return process.alive();
    }

    /** Asks, and returns the answer. */
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
