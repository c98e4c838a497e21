package dev.sluice.cli;

import dev.sluice.cli.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/**
 * The workload that the launcher records in the AOT cache of all commands but the gateway: one sends files to itself,
 * and the others show their help. They then find their classes loaded and linked.
 */
public final class CommandWarmUp {
    private static final int FILES = 100;
    private static final int FILE_BYTES = 4_096;
    private static final int LARGE_FILE_BYTES = 4_000_000;
    private static final String TO_TYPE = "sluice receive ";
    private static final int POLL_MILLIS = 5;

    private CommandWarmUp() {}

    /** Runs the workload, and ends the process. */
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        run();
        System.exit(ExitCode.OK);
    }

    /** Runs the workload. */
    static void run() throws IOException, InterruptedException, ExecutionException {
        Path directory = Files.createTempDirectory("sluice-warm-up");
        try {
            transfer(directory);
            for (String command : SluiceCommand.names()) {
                execute(new PrintWriter(Writer.nullWriter()), List.of(command, "--help"));
            }
        } finally {
            delete(directory);
        }
    }

    private static void transfer(Path directory) throws IOException, InterruptedException, ExecutionException {
        Path source = Files.createDirectory(directory.resolve("source"));
        for (int i = 0; i < FILES; i++) {
            Files.write(source.resolve("small-" + i), new byte[FILE_BYTES]);
        }
        Files.write(source.resolve("large"), new byte[LARGE_FILE_BYTES]);
        Path target = Files.createDirectory(directory.resolve("target"));
        StringWriter shown = new StringWriter();
        FutureTask<Void> sender = new FutureTask<>(() -> {
            List<String> send = List.of("send", source.toString(), "--listen", "127.0.0.1:0", "--no-lan");
            execute(new PrintWriter(shown), withKey(send, directory.resolve("sender.pem")));
            return null;
        });
        Thread.ofPlatform().name("sender").start(sender);
        List<String> receive = new ArrayList<>(lineToType(shown, sender));
        receive.addAll(List.of("--into", target.toString()));
        execute(new PrintWriter(Writer.nullWriter()), withKey(receive, directory.resolve("receiver.pem")));
        sender.get();
    }

    private static List<String> withKey(List<String> arguments, Path key) {
        return Stream.concat(arguments.stream(), Stream.of("--key", key.toString()))
                .toList();
    }

    /** Waits until the sender shows the receiver's command line, and returns its words after "sluice". */
    private static List<String> lineToType(StringWriter shown, FutureTask<Void> sender) throws InterruptedException {
        while (!sender.isDone()) {
            List<String> lines = shown.toString().lines().map(String::strip).toList();
            for (String line : lines.subList(0, Math.max(lines.size() - 1, 0))) {
                if (line.startsWith(TO_TYPE)) {
                    return List.of(line.substring("sluice ".length()).split(" ", -1));
                }
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IllegalStateException("the sender ended early: " + shown);
    }

    private static void execute(PrintWriter out, List<String> arguments) {
        StringWriter errors = new StringWriter();
        int exitCode = SluiceCommand.line(arguments.toArray(String[]::new))
                .setOut(out)
                .setErr(new PrintWriter(errors))
                .execute(arguments.toArray(String[]::new));
        if (exitCode != ExitCode.OK) {
            throw new IllegalStateException(
                    "sluice " + String.join(" ", arguments) + " ended with exit code " + exitCode + ": " + errors);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
