package dev.sluice.bench.process;

import dev.sluice.bench.harness.BenchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The output of a short-lived program. */
public final class Output {
    private Output() {}

    /** Runs a program to its end and returns its standard output and error, whatever its exit code. */
    public static String of(List<String> command, Map<String, String> environment) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return text;
        } catch (IOException e) {
            throw new BenchException("cannot run " + command.getFirst() + ": " + e.getMessage(), e);
        }
    }
}
