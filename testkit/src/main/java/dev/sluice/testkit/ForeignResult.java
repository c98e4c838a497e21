package dev.sluice.testkit;

import java.nio.charset.StandardCharsets;

/**
 * What a program left behind when it ended.
 *
 * @param command the command line, for messages
 * @param exitCode 0 by convention for success; 128 + number when a signal ended it
 * @param outputBytes everything it wrote to standard output
 * @param errorBytes everything it wrote to standard error
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared never
public record ForeignResult(String command, int exitCode, byte[] outputBytes, byte[] errorBytes) {
    /** Standard output as UTF-8 text. */
    public String output() {
        return new String(outputBytes, StandardCharsets.UTF_8);
    }

    /** Standard error as UTF-8 text. */
    public String errors() {
        return new String(errorBytes, StandardCharsets.UTF_8);
    }

    /**
     * This result, when the program succeeded.
     *
     * @throws AssertionError with all that it wrote, when it did not
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
