package dev.sluice.gateway.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be served; the message lists everything that is wrong with it, one problem per line. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** @param problems at least one, in the order of the file */
    public ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /**
     * Returns {@link ProblemKind#TRANSIENT} where every problem is: with one that stays, no further attempt succeeds.
     */
    public ProblemKind kind() {
        boolean passes = problems.stream().allMatch(problem -> problem.kind() == ProblemKind.TRANSIENT);
        return passes ? ProblemKind.TRANSIENT : ProblemKind.PERMANENT;
    }

    /** What is wrong, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
