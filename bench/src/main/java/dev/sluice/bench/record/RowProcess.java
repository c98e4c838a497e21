package dev.sluice.bench.record;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.ManagedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process that one row is measured in: asked by a line, answers with a line. */
final class RowProcess implements AutoCloseable {
    private static final String OK = "ok";

    private final ManagedProcess process;
    private final Writer input;
    private final BufferedReader output;
    private final String library;

    private RowProcess(ManagedProcess process) {
        this.process = process;
        this.input = process.input();
        this.output = process.output();
        this.library = reply().substring((OK + " library=").length());
    }

    /** Starts it; returns when it is ready to be asked. */
    static RowProcess start(String name, List<String> command, Map<String, String> environment, Path log) {
        return new RowProcess(ManagedProcess.startPiped(name, command, environment, log));
    }

    /** What protects its records. */
    String library() {
        return library;
    }

    /** Asks, and returns the answer. */
    Answer ask(Object... words) {
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
