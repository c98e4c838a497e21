package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Collects what is wrong with a configuration, in its file and in those that it includes, so that all of it is reported in one
 * go. A place knows the file that it lies in.
 */
final class Problems {
    private final String file;
    private final List<ConfigProblem> found = new ArrayList<>();

    /** @param file the configuration's, as the user named it */
    Problems(String file) {
        this.file = file;
    }

    /** Something is wrong at a node. */
    void add(Node node, String message) {
        add(node.getStartMark(), message);
    }

    /** Something is wrong at a place; without one, with the file. */
    void add(Optional<Mark> mark, String message) {
        add(mark, message, ProblemKind.PERMANENT);
    }

    /** Something is wrong at a place; without one, with the file. */
    void add(Optional<Mark> mark, String message, ProblemKind kind) {
        ConfigProblem problem = at(file, mark, message);
        found.add(new ConfigProblem(problem.file(), problem.line(), problem.column(), message, kind));
    }

    /** Something is wrong with the file itself. */
    void addToFile(String message) {
        addToFile(file, message);
    }

    /** Something is wrong with a file. */
    void addToFile(String which, String message) {
        addToFile(which, message, ProblemKind.PERMANENT);
    }

    /** Something is wrong with a file. */
    void addToFile(String which, String message, ProblemKind kind) {
        found.add(new ConfigProblem(which, 0, 0, message, kind));
    }

    /**
     * Something to tell of a place.
     *
     * @param file to name when there is no place
     */
    static ConfigProblem at(String file, Optional<Mark> mark, String message) {
        int line = mark.map(Mark::getLine).orElse(-1) + 1;
        int column = mark.map(Mark::getColumn).orElse(0) + 1;
        return new ConfigProblem(mark.map(Mark::getName).orElse(file), line, column, message);
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** @throws ConfigException when anything was added */
    void throwIfAny() throws ConfigException {
        if (!found.isEmpty()) {
            throw exception();
        }
    }

    /** The configuration's own first, then those of the files that it includes. */
    ConfigException exception() {
        List<ConfigProblem> sorted = new ArrayList<>(found);
        sorted.sort(
                Comparator.comparing((ConfigProblem problem) -> !problem.file().equals(file))
                        .thenComparing(ConfigProblem::file)
                        .thenComparingInt(ConfigProblem::line)
                        .thenComparingInt(ConfigProblem::column));
        return new ConfigException(sorted);
    }
}
