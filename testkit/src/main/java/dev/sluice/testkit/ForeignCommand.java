package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One command line of a {@link ForeignProgram}: its arguments, environment, input and time limit. Used by one thread,
 * once or several times.
 */
public final class ForeignCommand {
    /** The time limit unless {@link #within} sets another. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(60);

    private final List<String> line;
    private final Map<String, String> environment = new TreeMap<>();
    private @Nullable Path directory;
    private byte[] input = {};
    private boolean inputStaysOpen;
    private Duration limit = DEFAULT_LIMIT;

    ForeignCommand(List<String> line) {
        this.line = List.copyOf(line);
    }

    /** Sets the working directory instead of the test's own. */
    public ForeignCommand in(Path workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    /** Sets a variable of the program's environment. */
    public ForeignCommand with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Sets the program's standard input, which ends after these bytes. Without this call it is empty. */
    public ForeignCommand input(byte[] bytes) {
        input = bytes.clone();
        return this;
    }

    /** Sets the program's standard input as UTF-8 text. */
    public ForeignCommand input(String text) {
        return input(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Keeps standard input open after {@link #input}, for programs that exit at its end. */
    public ForeignCommand inputStaysOpen() {
        inputStaysOpen = true;
        return this;
    }

    /** Sets the time after which {@link #run} kills the program and fails. */
    public ForeignCommand within(Duration time) {
        limit = time;
        return this;
    }

    /**
     * Runs to the end.
     *
     * @throws AssertionError when it exceeds the limit; the program is killed and its output is shown
     */
    public ForeignResult run() {
        try (RunningProgram running = start()) {
            return running.awaitExit(limit);
        }
    }

    /** Starts the program. The caller closes the result, which kills the program and its children. */
    public RunningProgram start() {
        ProcessBuilder builder = new ProcessBuilder(HangUpSignal.atDefault(line));
        builder.environment().putAll(environment);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        try {
            return new RunningProgram(this.toString(), builder.start(), input, inputStaysOpen);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start '" + this + "'", e);
        }
    }

    /** Returns the command line, for messages. */
    @Override
    public String toString() {
        return String.join(" ", line);
    }
}
