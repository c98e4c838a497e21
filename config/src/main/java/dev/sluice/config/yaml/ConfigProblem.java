package dev.sluice.config.yaml;

/**
 * A problem of a configuration.
 *
 * @param file the configuration file as the user named it
 * @param line the line, from 1; 0 for a problem of the file itself
 * @param column the column, from 1
 * @param message value, cause and remedy
 * @param kind transient when a retry may succeed without a change
 */
public record ConfigProblem(String file, int line, int column, String message, ProblemKind kind) {
    /** Creates a permanent problem. */
    ConfigProblem(String file, int line, int column, String message) {
        this(file, line, column, message, ProblemKind.PERMANENT);
    }

    /** Returns the problem in the format of compilers: {@code sluice.yaml:12:5: message}. */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : file + ":" + line + ":" + column + ": " + message;
    }
}
