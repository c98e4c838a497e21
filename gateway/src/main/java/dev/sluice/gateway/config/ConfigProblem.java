package dev.sluice.gateway.config;

/**
 * One thing wrong with a configuration.
 *
 * @param file the configuration file as the user named it
 * @param line from 1; 0 when the problem is with the file itself
 * @param column from 1
 * @param message value, cause and remedy
 * @param kind transient where another attempt may succeed without any change
 */
public record ConfigProblem(String file, int line, int column, String message, ProblemKind kind) {
    /** A problem that stays until somebody changes something. */
    public ConfigProblem(String file, int line, int column, String message) {
        this(file, line, column, message, ProblemKind.PERMANENT);
    }

    /** As compilers write it: {@code sluice.yaml:12:5: message}. */
    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : file + ":" + line + ":" + column + ": " + message;
    }
}
