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
    /** How long a program may run unless {@link #within} says otherwise. */
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

    /** Runs in this directory instead of the test's own. */
    public ForeignCommand in(Path workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    /** Sets a variable of the program's environment. */
    public ForeignCommand with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** What the program reads from its standard input, which ends behind it. Without this call it is empty. */
    public ForeignCommand input(byte[] bytes) {
        input = bytes.clone();
        return this;
    }

    /** The same in text, as UTF-8. */
    public ForeignCommand input(String text) {
        return input(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Leaves standard input open behind what {@link #input} gave, for programs that end at its end. */
    public ForeignCommand inputStaysOpen() {
        inputStaysOpen = true;
        return this;
    }

    /** How long {@link #run} waits before it kills the program and fails. */
    public ForeignCommand within(Duration time) {
        limit = time;
        return this;
    }

    /**
     * Runs to the end.
     *
     * @throws AssertionError when it takes longer than the limit; the program is killed then and its output shown
     */
    public ForeignResult run() {
        try (RunningProgram running = start()) {
            return running.awaitExit(limit);
        }
    }

    /** Starts it; the caller closes what is returned, which kills the program and all that it started. */
    public RunningProgram start() {
        ProcessBuilder builder = new ProcessBuilder(line);
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

    /** The command line, for messages. */
    @Override
    public String toString() {
        return String.join(" ", line);
    }
}
