package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

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

    /**
     * Starts a program of ours on the core of the load, with a log in the site's directory.
     *
     * @param flags options of its JVM
     * @param priority turns its command into one with another priority, or leaves it as it is
     */
    public static AskedProcess onLoadCore(
            Site site, String name, Class<?> main, List<String> flags, UnaryOperator<List<String>> priority) {
        List<String> all = new ArrayList<>(flags);
        site.openssl().ifPresent(libraries -> all.add("-Dsluice.openssl=" + libraries));
        String module = main.getModule().isNamed() ? main.getModule().getName() : "";
        List<String> command = priority.apply(JavaCommand.of(all, module, main.getName(), List.of()));
        return start(
                name,
                site.cores().onLoadCore(command),
                Map.of(),
                site.directory().resolve(name + ".log"));
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
