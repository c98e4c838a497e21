package dev.sluice.config.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be served; the message lists all problems, one per line. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** Creates an exception of at least one problem, in the order of the file. */
    ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /**
     * Returns {@link ProblemKind#TRANSIENT} when every problem is: with a permanent one no retry succeeds.
     */
    public ProblemKind kind() {
        boolean passes = problems.stream().allMatch(problem -> problem.kind() == ProblemKind.TRANSIENT);
        return passes ? ProblemKind.TRANSIENT : ProblemKind.PERMANENT;
    }

    /** Returns the problems, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
