package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A query of the C compiler for struct layouts and constants on this machine.
 *
 * <pre>{@code
 * Map<String, Long> c = new CProbe("sys/epoll.h", "stddef.h")
 *         .ask("EPOLLIN")
 *         .ask("offsetof(struct epoll_event, data)")
 *         .askIfDefined("EPOLLEXCLUSIVE")
 *         .answers();
 * }</pre>
 *
 * <p>Without a C compiler the test is skipped with a message; with the environment variable {@code
 * SLUICE_REQUIRE_PEERS=true} it fails instead.
 */
public final class CProbe {
    private static final long LIMIT_SECONDS = 60;

    private final List<String> headers;
    private final List<String> expressions = new ArrayList<>();
    private final List<String> macros = new ArrayList<>();

    /**
     * Creates an instance.
     *
     * @param headers headers to include, such as {@code sys/socket.h}, in order
     */
    public CProbe(String... headers) {
        this.headers = List.of(headers);
    }

    /** Adds an integer expression: a constant, {@code sizeof(...)}, {@code offsetof(...)}. */
    public CProbe ask(String expression) {
        expressions.add(expression);
        return this;
    }

    /** Adds a macro that older headers may lack; it is then absent from the answers. */
    public CProbe askIfDefined(String macro) {
        macros.add(macro);
        return this;
    }

    /** Compiles and runs the probe; returns each expression's value by its text. */
    public Map<String, Long> answers() {
        ForeignProgram.required("cc", "gcc libc6-dev");
        try {
            Path directory = Files.createTempDirectory("sluice-probe");
            try {
                return parse(compileAndRun(directory));
            } finally {
                deleteFlat(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the C probe cannot be run", e);
        }
    }

    private String compileAndRun(Path directory) throws IOException {
        Path source = directory.resolve("probe.c");
        Path program = directory.resolve("probe");
        Files.writeString(source, source());
        Outcome compiled = run(List.of("cc", "-w", "-o", program.toString(), source.toString()));
        if (compiled.status() != 0) {
            throw new IllegalStateException("the C probe does not compile:\n" + compiled.output());
        }
        Outcome ran = run(List.of(program.toString()));
        if (ran.status() != 0) {
            throw new IllegalStateException("the C probe ended with status " + ran.status());
        }
        return ran.output();
    }

    private String source() {
        StringBuilder c = new StringBuilder("#define _GNU_SOURCE\n#include <stdio.h>\n#include <stddef.h>\n");
        headers.forEach(header -> c.append("#include <").append(header).append(">\n"));
        c.append("int main(void) {\n");
        expressions.forEach(expression -> c.append(print(expression)));
        macros.forEach(macro -> c.append("#ifdef ")
                .append(macro)
                .append('\n')
                .append(print(macro))
                .append("#endif\n"));
        return c.append("return 0;\n}\n").toString();
    }

    private static String print(String expression) {
        return "printf(\"%s=%lld\\n\", \"" + expression + "\", (long long) (" + expression + "));\n";
    }

    private static Map<String, Long> parse(String output) {
        Map<String, Long> answers = new LinkedHashMap<>();
        output.lines().forEach(line -> {
            int equals = line.lastIndexOf('=');
            answers.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        });
        return answers;
    }

    private static Outcome run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command.getFirst() + " did not end within " + LIMIT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + command.getFirst(), e);
        }
        return new Outcome(process.exitValue(), output);
    }

    private static void deleteFlat(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    private record Outcome(int status, String output) {}
}
