package dev.sluice.config.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The problems of a configuration, in its file and in those that it includes, collected so that all are reported
 * together. A position includes its file.
 */
public final class Problems {
    private final String file;
    private final List<ConfigProblem> found = new ArrayList<>();

    /** Creates an empty collection for a file, as the user named it. */
    public Problems(String file) {
        this.file = file;
    }

    /** Adds a problem at a node. */
    public void add(Node node, String message) {
        add(node.getStartMark(), message);
    }

    /** Adds a problem at a position; without one, of the file. */
    public void add(Optional<Mark> mark, String message) {
        add(mark, message, ProblemKind.PERMANENT);
    }

    /** Adds a problem at a position; without one, of the file. */
    void add(Optional<Mark> mark, String message, ProblemKind kind) {
        ConfigProblem problem = at(file, mark, message);
        found.add(new ConfigProblem(problem.file(), problem.line(), problem.column(), message, kind));
    }

    /** Adds a problem of the file itself. */
    public void addToFile(String message) {
        addToFile(file, message);
    }

    /** Adds a problem of a file. */
    public void addToFile(String which, String message) {
        addToFile(which, message, ProblemKind.PERMANENT);
    }

    /** Adds a problem of a file. */
    public void addToFile(String which, String message, ProblemKind kind) {
        found.add(new ConfigProblem(which, 0, 0, message, kind));
    }

    /**
     * Returns a message about a position.
     *
     * @param file the file to name without a position
     */
    public static ConfigProblem at(String file, Optional<Mark> mark, String message) {
        int line = mark.map(Mark::getLine).orElse(-1) + 1;
        int column = mark.map(Mark::getColumn).orElse(0) + 1;
        return new ConfigProblem(mark.map(Mark::getName).orElse(file), line, column, message);
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** Throws all problems, if there are any. */
    public void throwIfAny() throws ConfigException {
        if (!found.isEmpty()) {
            throw exception();
        }
    }

    /** Returns all problems: those of the configuration's own file first, then those of the files that it includes. */
    public ConfigException exception() {
        List<ConfigProblem> sorted = new ArrayList<>(found);
        sorted.sort(
                Comparator.comparing((ConfigProblem problem) -> !problem.file().equals(file))
                        .thenComparing(ConfigProblem::file)
                        .thenComparingInt(ConfigProblem::line)
                        .thenComparingInt(ConfigProblem::column));
        return new ConfigException(sorted);
    }
}
