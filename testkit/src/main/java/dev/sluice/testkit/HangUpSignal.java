package dev.sluice.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The disposition of SIGHUP in the programs that tests start. A test run under nohup ignores the signal, every program
 * that it starts inherits that, and neither a JVM nor a shell can undo it for itself. {@code env --default-signal} can,
 * for the program that it replaces itself with; it is in coreutils 8.31 or later. Immutable and thread-safe.
 */
final class HangUpSignal {
    private static final int SIGHUP = 1;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String IGNORED_SIGNALS = "SigIgn:";
    private static final List<String> ENV = List.of("env", "--default-signal=HUP");
    private static final boolean IGNORED = isIgnored(status());
    private static final boolean RESET = IGNORED && envCanReset();

    private HangUpSignal() {}

    /** Returns the command line that starts a program with SIGHUP at its default, as far as this machine can. */
    static List<String> atDefault(List<String> line) {
        return RESET ? reset(line) : line;
    }

    /** Ends the calling test where programs ignore SIGHUP: skipped, or failed where peers are required. */
    static void requireDefault() {
        if (IGNORED && !RESET) {
            ForeignProgram.absent("SIGHUP is ignored, as under nohup, and env has no option --default-signal;"
                    + " remedy: run the tests without nohup, or apt-get install coreutils (8.31 or later)");
        }
    }

    /** Returns the command line that resets SIGHUP, whether that is needed or not. */
    static List<String> reset(List<String> line) {
        return Stream.concat(ENV.stream(), line.stream()).toList();
    }

    /** Returns true when a process with these lines in {@code /proc/PID/status} ignores SIGHUP. */
    static boolean isIgnored(String status) {
        return status.lines()
                .filter(line -> line.startsWith(IGNORED_SIGNALS))
                .map(line ->
                        new BigInteger(line.substring(IGNORED_SIGNALS.length()).strip(), 16))
                .anyMatch(signals -> signals.testBit(SIGHUP - 1));
    }

    private static String status() {
        try {
            return Files.readString(STATUS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean envCanReset() {
        try {
            Process env = new ProcessBuilder(reset(List.of("true")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return env.waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no env at all
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
