package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects what is wrong with one configuration file, so that all of it is reported in one go. */
final class Problems {
    private final String file;
    private final List<ConfigProblem> found = new ArrayList<>();

    /** @param file as the user named it */
    Problems(String file) {
        this.file = file;
    }

    /** Something is wrong at a node. */
    void add(Node node, String message) {
        add(node.getStartMark(), message);
    }

    /** Something is wrong at a place; without one, with the file. */
    void add(Optional<Mark> mark, String message) {
        int line = mark.map(Mark::getLine).orElse(-1) + 1;
        int column = mark.map(Mark::getColumn).orElse(0) + 1;
        found.add(new ConfigProblem(file, line, column, message));
    }

    /** Something is wrong with the file itself. */
    void addToFile(String message) {
        found.add(new ConfigProblem(file, 0, 0, message));
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

    ConfigException exception() {
        List<ConfigProblem> sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingInt(ConfigProblem::line).thenComparingInt(ConfigProblem::column));
        return new ConfigException(sorted);
    }
}
