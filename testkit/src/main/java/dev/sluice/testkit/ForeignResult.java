package dev.sluice.testkit;

import java.nio.charset.StandardCharsets;

/**
 * The result of a finished program.
 *
 * @param command the command line, for messages
 * @param exitCode 0 by convention for success; 128 + number for a signal
 * @param outputBytes everything it wrote to standard output
 * @param errorBytes everything it wrote to standard error
 */
@SuppressWarnings("ArrayRecordComponent") // read once, never compared
public record ForeignResult(String command, int exitCode, byte[] outputBytes, byte[] errorBytes) {
    /** Returns standard output as UTF-8 text. */
    public String output() {
        return new String(outputBytes, StandardCharsets.UTF_8);
    }

    /** Returns standard error as UTF-8 text. */
    public String errors() {
        return new String(errorBytes, StandardCharsets.UTF_8);
    }

    /**
     * Returns this result if the program succeeded.
     *
     * @throws AssertionError with all its output, if it failed
     */
    public ForeignResult expectSuccess() {
        if (exitCode != 0) {
            throw new AssertionError("failed: " + this);
        }
        return this;
    }

    @Override
    public String toString() {
        return command + "\n-- exit code: " + exitCode + "\n-- output:\n" + output() + "\n-- errors:\n" + errors();
    }
}
