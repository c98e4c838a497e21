package dev.sluice.gateway.acme;

import dev.sluice.config.acme.DnsHook;
import dev.sluice.gateway.log.ForeignText;
import dev.sluice.gateway.log.PlainCause;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The operator's program that adds and removes TXT records. It runs without a shell, with few environment variables,
 * for a limited time.
 */
final class DnsHookProgram {
    /** The variables it inherits from the gateway, whose environment can hold secrets. */
    private static final List<String> INHERITED = List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ");

    private static final int OUTPUT_BYTES_MAX = 1024;

    /** The wait for the last words of a program that has ended: its children may keep the pipe open. */
    private static final Duration OUTPUT_WAIT_MAX = Duration.ofSeconds(5);

    private final DnsHook hook;

    DnsHookProgram(DnsHook hook) {
        this.hook = hook;
    }

    /** Adds a record. */
    void present(String record, String value) throws AcmeFailure, InterruptedException {
        run("present", record, value);
    }

    /** Removes a record. */
    void cleanUp(String record, String value) throws AcmeFailure, InterruptedException {
        run("cleanup", record, value);
    }

    private void run(String action, String record, String value) throws AcmeFailure, InterruptedException {
        List<String> command = new ArrayList<>(hook.command());
        command.addAll(List.of(action, record, value));
        Process process = start(command);
        Output output = new Output(process.getErrorStream());
        try {
            String why = ended(process);
            if (!why.isEmpty()) {
                kill(process); // ends its output
                throw failed(action, record, why, output.text());
            }
        } finally {
            kill(process);
            process.destroyForcibly(); // closes the pipe, too
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.toHandle().destroyForcibly();
    }

    /** Waits for the end; returns why it is a failure, "" for none. */
    private String ended(Process process) throws InterruptedException {
        if (!process.waitFor(hook.timeLimit().toMillis(), TimeUnit.MILLISECONDS)) {
            return "it was killed after " + hook.timeLimit().toSeconds() + " s";
        }
        return process.exitValue() == 0 ? "" : "exit code " + process.exitValue();
    }

    private Process start(List<String> command) throws AcmeFailure {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new AcmeFailure(
                    "dns-hook " + hook.command().getFirst() + " cannot be run (" + PlainCause.of(e)
                            + "); make it a program that user " + System.getProperty("user.name") + " may execute",
                    e);
        }
    }

    private AcmeFailure failed(String action, String record, String why, String said) {
        return new AcmeFailure("dns-hook " + hook.command().getFirst() + " " + action + " " + record + " failed (" + why
                + (said.isEmpty() ? "" : ": " + said) + "); run it by hand to see why");
    }

    /** The first bytes of what a program says; the rest is read and dropped, so that it does not wait. */
    private static final class Output {
        private final byte[] bytes = new byte[OUTPUT_BYTES_MAX];
        private final Thread reader;
        private int length;

        Output(InputStream from) {
            reader = Thread.ofVirtual().name("dns-hook-output").start(() -> read(from));
        }

        private void read(InputStream from) {
            byte[] piece = new byte[OUTPUT_BYTES_MAX];
            try (from) {
                for (int read = from.read(piece); read >= 0; read = from.read(piece)) {
                    add(piece, read);
                }
            } catch (IOException ended) {
                // The program was killed.
            }
        }

        private synchronized void add(byte[] piece, int read) {
            int taken = Math.min(read, OUTPUT_BYTES_MAX - length);
            System.arraycopy(piece, 0, bytes, length, taken);
            length += taken;
        }

        /** Returns what an ended program has said, on one line. */
        String text() throws InterruptedException {
            reader.join(OUTPUT_WAIT_MAX);
            return soFar();
        }

        private synchronized String soFar() {
            return ForeignText.line(new String(bytes, 0, length, StandardCharsets.UTF_8));
        }
    }
}
