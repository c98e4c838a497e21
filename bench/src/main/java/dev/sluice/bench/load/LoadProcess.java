package dev.sluice.bench.load;

import dev.sluice.bench.harness.BenchException;
import dev.sluice.bench.process.ManagedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The load generator as seen from the harness: a process that runs scenarios and contains the backend. */
public final class LoadProcess implements AutoCloseable {
    private final ManagedProcess process;
    private final Writer input;
    private final BufferedReader output;
    private final int backendPort;
    private final String library;

    private LoadProcess(ManagedProcess process) {
        this.process = process;
        this.input = process.input();
        this.output = process.output();
        Map<String, String> hello = reply();
        this.backendPort = Integer.parseInt(LoadRequest.word(hello, "backend"));
        this.library = LoadRequest.word(hello, "tls").replace('_', ' ');
    }

    /**
     * Starts the process.
     *
     * @param command a JVM with {@link LoadMain}
     * @param log file for its error output
     */
    public static LoadProcess start(List<String> command, Path log) {
        return new LoadProcess(ManagedProcess.startPiped("load generator", command, Map.of(), log));
    }

    /** Returns the backend's port on 127.0.0.1. */
    public int backendPort() {
        return backendPort;
    }

    /** Returns its TLS library. */
    public String library() {
        return library;
    }

    /** Returns its process's id. */
    public long pid() {
        return process.pid();
    }

    /** Runs the unmeasured preparation of a scenario. */
    public void prepare(LoadRequest request) {
        ask("prepare " + request.toLine());
    }

    /** Runs the measured work, and returns its duration in nanoseconds. */
    public long go() {
        return nanos(ask("go"));
    }

    /** Runs the measured work of a scenario with latencies. */
    public Paced goPaced() {
        Map<String, String> said = ask("go");
        return new Paced(nanos(said), Latencies.parse(said));
    }

    /**
     * The result of work at a fixed rate.
     *
     * @param nanos total duration
     * @param latencies latencies of the counted round trips
     */
    public record Paced(long nanos, Latencies latencies) {}

    /** Ends the scenario. */
    public void finish() {
        ask("finish");
    }

    /**
     * Tries for a moment to complete one connection.
     *
     * @return true on success
     */
    public boolean greet(int port, boolean tls) {
        LoadRequest once = new LoadRequest(Scenario.Kind.HANDSHAKE, port, tls, 1, 1);
        return Boolean.parseBoolean(LoadRequest.word(ask("greet " + once.toLine()), "served"));
    }

    @Override
    public void close() {
        process.close();
    }

    private static long nanos(Map<String, String> said) {
        return Long.parseLong(LoadRequest.word(said, "nanos"));
    }

    private Map<String, String> ask(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            process.requireAlive();
            throw new BenchException("the load generator does not listen: " + e.getMessage(), e);
        }
        return reply();
    }

    private Map<String, String> reply() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new BenchException("the load generator ended:\n" + process.logTail());
            }
            if (!line.startsWith("ok")) {
                throw new BenchException(line);
            }
            return LoadRequest.words(line);
        } catch (IOException e) {
            throw new BenchException("the load generator does not answer: " + e.getMessage(), e);
        }
    }
}
